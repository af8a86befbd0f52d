/** The results of a run: the numbers that a link can claim, and that a challenge is judged by. */

/** @param {import('./session.js').Session} session @returns {import('./protocol.js').Proof} */
export function proofOf({ main, cells, step }) {
  const values = main.values();
  const { mask, isMasked } = main;
  const readings = Object.entries(main.readings() ?? {}).filter(([, { length }]) => length === 1);
  return {
    step,
    cells,
    locked: mask.reduce((sum, bit) => sum + bit, 0),
    zeros: mask.reduce((sum, bit, i) => sum + (values[i] === 0 ? bit : 0), 0),
    loss: main.loss(),
    digest: main.digest(),
    drift: main.drift(values),
    isMasked,
    readings: Object.fromEntries(readings.map(([name, [value]]) => [name, value])),
  };
}
