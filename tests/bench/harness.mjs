/* How the benchmark measures: contestants take turns in one process, so that whatever slows the machine slows all of
 * them, and each reports the median of its samples. Knows no library and no row, and never fails on a slow result:
 * machines are noisy, and a person reads the table. */

/**
 * A line of the table.
 * @typedef {object} Result
 * @property {string} what was measured
 * @property {string} unit of the values
 * @property {Record<string, number>} values by contestant
 * @property {Record<string, number>} [ratios] how many times better the first contestant is than others
 * @property {number} [limit] what fraction of the limit the first contestant reaches
 * @property {string} [expected] what was expected
 * @property {boolean} [met] whether it was so
 *
 * A file of rows/.
 * @typedef {object} Row
 * @property {string} about what the row is about, the table's heading
 * @property {() => Promise<Result[]>} run
 */

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * A sample that is to be taken: the work, and how often.
 * @typedef {{ run: (repeats: number) => unknown, repeats: number }} Sample
 */
/** Asks for samples, one after the other, and is told the seconds of each. @template T @typedef {Generator<Sample, T, number>} Sampling */

/**
 * How many repeats make a sample long enough for the clock; warms the code up on the way. A long sample is believed the
 * second time: first calls compile, and neighbours interrupt.
 * @param {Sample['run']} run
 * @param {number} seconds
 * @returns {Sampling<number>}
 */
function* calibrate(run, seconds) {
  for (let repeats = 1; ; repeats *= 2) {
    let took = yield { run, repeats };
    if (took >= seconds / 2) took = Math.min(took, yield { run, repeats });
    if (took >= seconds / 2) return Math.max(1, Math.round((repeats * seconds) / took));
  }
}

/** How often the system has taken the processor away from this process; 0 where it does not tell. */
const interruptions = () => globalThis.process?.resourceUsage().involuntaryContextSwitches ?? 0;

/** Samples taken, and those among them that another process interrupted. */
export const tally = { samples: 0, interrupted: 0 };

/** @typedef {{ rounds?: number, seconds?: number, patience?: number }} MeasureOptions */

/**
 * @param {Record<string, Sample['run']>} contestants
 * @param {MeasureOptions} options
 * @returns {Sampling<Record<string, number>>}
 */
function* takeTurns(contestants, { rounds = 21, seconds = 0.01, patience = 4 }) {
  /** @type {{ name: string, run: Sample['run'], repeats: number, clean: number[], all: number[] }[]} */
  const entries = [];
  for (const [name, run] of Object.entries(contestants)) {
    entries.push({ name, run, repeats: yield* calibrate(run, seconds), clean: [], all: [] });
  }
  for (let round = 0; round < rounds * patience; round++) {
    for (const { run, repeats, clean, all } of entries) {
      if (clean.length === rounds) continue;
      const before = interruptions();
      all.push((yield { run, repeats }) / repeats);
      if (interruptions() === before) clean.push(all[all.length - 1]);
    }
  }
  for (const { clean, all } of entries) {
    tally.samples += all.length;
    tally.interrupted += all.length - clean.length;
  }
  // All by the same measure: a contestant with long samples is the one that gets interrupted.
  const undisturbed = entries.every(({ clean }) => clean.length >= rounds / 3);
  return Object.fromEntries(
    entries.map(({ name, clean, all }) => [name, median(undisturbed ? clean : all)]),
  );
}

/**
 * Median seconds per call of each contestant, in turns. A sample during which another process got the processor is taken
 * again, as long as patience lasts: on a busy machine half of them would measure the neighbours.
 * @param {Record<string, (repeats: number) => void>} contestants each does its work `repeats` times
 * @param {MeasureOptions} [options] samples of each, how long one takes, and how many times as many rounds may be spent on
 *   getting them undisturbed
 * @returns {Record<string, number>}
 */
export function measure(contestants, options = {}) {
  const turns = takeTurns(contestants, options);
  let next = turns.next();
  while (!next.done) {
    const { run, repeats } = next.value;
    const start = performance.now();
    run(repeats);
    next = turns.next((performance.now() - start) / 1e3);
  }
  return next.value;
}

/**
 * The least seconds per call of each contestant, in turns of a few milliseconds: what it takes when
 * nothing disturbs it.
 * @param {Record<string, (repeats: number) => void>} contestants
 * @param {MeasureOptions} [options]
 * @returns {Record<string, number>}
 */
export function fastest(contestants, { rounds = 60, seconds = 0.003 } = {}) {
  /** @type {Record<string, number>} */
  const least = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) {
      const start = performance.now();
      const repeats = Math.max(1, Math.round(seconds / (least[name] ?? seconds)));
      run(repeats);
      const took = (performance.now() - start) / 1e3 / repeats;
      if (!(took >= least[name])) least[name] = took;
    }
  }
  return least;
}

/**
 * A call as measure() wants it.
 * @param {() => unknown} call
 */
export function repeatedly(call) {
  return (/** @type {number} */ repeats) => {
    for (let i = 0; i < repeats; i++) call();
  };
}

/** @param {number} value */
function short(value) {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}

/**
 * The results as lines of text, columns aligned.
 * @param {Result[]} results
 */
export function formatTable(results) {
  const rows = results.map(({ what, unit, values, ratios = {}, limit, expected, met }) => [
    what,
    Object.entries(values)
      .map(([name, value]) =>
        name in ratios
          ? `${name} ${short(value)} (${short(ratios[name])}×)`
          : `${name} ${short(value)}`,
      )
      .join(', '),
    unit,
    limit === undefined ? '' : `${Math.round(100 * limit)} % of the limit`,
    expected === undefined ? '' : `${met ? 'met' : 'NOT MET'}: ${expected}`,
  ]);
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  /** @param {string[]} row */
  const line = (row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd();
  return rows.map(line).join('\n');
}
