/* Lines and branches that tests have met, by folder. */
import { table } from './report.js';

/** @typedef {{ total: number, covered: number }} Count */

const ALL = 'all';

export class Counts {
  /** Of lines, then of branches where they are counted. @type {Map<string, Count[]>} */
  #byFolder = new Map();

  /** Counts a file. @param {string} folder @param {Count[]} counts Lines, branches. */
  add(folder, ...counts) {
    if (counts[0]?.total === 0) return;
    for (const key of [folder, ALL]) {
      const sums = this.#byFolder.get(key) ?? counts.map(() => ({ total: 0, covered: 0 }));
      for (const [i, { total, covered }] of counts.entries()) {
        sums[i].total += total;
        sums[i].covered += covered;
      }
      this.#byFolder.set(key, sums);
    }
  }

  /** @param {string} title */
  table(title) {
    const share = (/** @type {Count} */ { total, covered }) =>
      total ? `${((100 * covered) / total).toFixed(1)} % of ${total.toLocaleString('en')}` : '–';
    const rows = [...this.#byFolder]
      .sort(([a], [b]) => Number(a === ALL) - Number(b === ALL) || (a < b ? -1 : 1))
      .map(([name, sums]) => [name, ...sums.map(share)]);
    return table([title, 'lines', 'branches'].slice(0, rows[0]?.length), rows);
  }
}
