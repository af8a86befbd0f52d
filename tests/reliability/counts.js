/* Lines and branches that tests have met, by folder. */
import { table } from './report.js';

/** @typedef {{ total: number, covered: number }} Count */

const ALL = 'all';

export class Counts {
  /** @type {Map<string, { lines: Count, branches: Count }>} */
  #byFolder = new Map();

  /** Counts a file. @param {string} folder @param {Count} lines @param {Count} branches */
  add(folder, lines, branches) {
    if (lines.total === 0) return;
    for (const key of [folder, ALL]) {
      const empty = { total: 0, covered: 0 };
      const sums = this.#byFolder.get(key) ?? { lines: { ...empty }, branches: { ...empty } };
      for (const [sum, more] of [
        [sums.lines, lines],
        [sums.branches, branches],
      ]) {
        sum.total += more.total;
        sum.covered += more.covered;
      }
      this.#byFolder.set(key, sums);
    }
  }

  /** @param {string} title */
  table(title) {
    const share = (/** @type {Count} */ { total, covered }) =>
      `${((100 * covered) / total).toFixed(1)} % of ${total.toLocaleString('en')}`;
    const rows = [...this.#byFolder]
      .sort(([a], [b]) => Number(a === ALL) - Number(b === ALL) || (a < b ? -1 : 1))
      .map(([name, { lines, branches }]) => [name, share(lines), share(branches)]);
    return table([title, 'lines', 'branches'], rows);
  }
}
