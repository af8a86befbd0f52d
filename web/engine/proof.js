/** The results of a run: the numbers that a link can claim, and that a challenge is judged by; and all of it. */

/** @typedef {import('./session.js').Session} Session */

/** @param {Session} session */
export function proofOf({ main, cells, step }) {
  const values = main.values();
  const { mask, isMasked } = main;
  // Those that are single numbers, such as a score.
  const readings = Object.entries(main.readings() ?? {}).filter(([, { length }]) => length === 1);
  return {
    step,
    cells,
    locked: mask.reduce((sum, bit) => sum + bit, 0),
    /** The number of locked cells that are 0. */
    zeros: mask.reduce((sum, bit, i) => sum + (values[i] === 0 ? bit : 0), 0),
    loss: main.loss(),
    digest: main.digest(),
    drift: main.drift(values),
    isMasked,
    readings: Object.fromEntries(readings.map(([name, [value]]) => [name, value])),
  };
}

/** @param {Session} session @param {boolean} isPlaying */
export function snapshotOf({ main, rival, problem, step }, isPlaying) {
  const values = main.values();
  return {
    scene: problem.scene.id,
    rows: problem.setup.rows,
    cols: problem.setup.cols,
    step,
    loss: main.loss(),
    optimizer: main.settings,
    isPlaying,
    values: [...values],
    bits: [...new Uint32Array(values.buffer)],
    locks: [...main.locks()],
    digest: main.digest(),
    rivalDigest: rival?.digest() ?? null,
    isMasked: main.isMasked,
  };
}
