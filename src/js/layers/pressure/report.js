// The report of a pressure measurement: rows, a table, a picture, and the lock to lift first.
import { readCount } from '../../base/check.js';
import { drawTable, escaped, grouped, LOCKED } from '../config/drawing.js';
import { isOf } from './parts.js';

/** @import { Part, PressureRow } from './parts.js' */
/** @typedef {'relativeNorm' | 'firstOrder' | 'secondOrder' | 'optimal'} PressureMeasure */
/** @typedef {'layer' | 'weight' | 'filter'} PressureUnit */

const TITLES = {
  relativeNorm: '‖g‖ / ‖w‖',
  firstOrder: 'First order',
  secondOrder: 'Second order',
  optimal: 'Optimal step',
};
const MEASURES = /** @type {PressureMeasure[]} */ (Object.keys(TITLES));

/** @param {number | null} value */
const format = (value) => {
  if (value === null) return '';
  return Number.isFinite(value) ? value.toPrecision(3) : String(value).replace('Infinity', '∞');
};

/**
 * Sorts the largest first. NaN comes before all others, to be seen; missing values come last.
 * @param {PressureRow[]} rows
 * @param {PressureMeasure} measure
 */
export const sortRows = (rows, measure) => {
  /** @param {PressureRow} row */
  const rank = ({ [measure]: value }) => (value === null ? 0 : Number.isNaN(value) ? 2 : 1);
  return rows.sort((a, b) => {
    const [x, y] = [Number(a[measure]), Number(b[measure])];
    return rank(b) - rank(a) || (x < y ? 1 : x > y ? -1 : 0);
  });
};

/** The result of `pressure`. */
export class Pressure {
  #owners;
  #shown;

  /**
   * @internal
   * @param {Record<PressureUnit, PressureRow[]>} tables
   * @param {Map<PressureRow, readonly Part[]>} owners
   * @param {{ by: PressureUnit, sortBy: PressureMeasure, maxRows: number, learningRate: number,
   *   loss: number }} about
   */
  constructor(tables, owners, { by, sortBy, maxRows, learningRate, loss }) {
    /** The loss over the data. */
    this.loss = loss;
    /** The learning rate of the step whose gain is computed. */
    this.learningRate = learningRate;
    /** The measure that rows are sorted by. */
    this.sortBy = sortBy;
    /** The rows of the unit `by`, sorted by `sortBy`: NaN first, then the largest. */
    this.rows = tables[by];
    /** One or two rows for each layer: its locked and its free elements. */
    this.layers = tables.layer;
    /** One or two rows for each weight. */
    this.weights = tables.weight;
    /** One or two rows for each filter. */
    this.filters = tables.filter;
    this.#owners = owners;
    this.#shown = maxRows;
  }

  /**
   * Unlock the first rows that are locked and not NaN, and return them. Their layers are no longer
   * frozen. All other elements of these layers, and of frozen models that contain them, stay
   * locked. Rows with locks of holders other than `frozen` and the plain one are skipped.
   * @param {number} [count] The number of rows.
   * @returns {PressureRow[]} The unlocked rows; fewer than `count` if there are no more.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], name: 'only' })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.trainable = false;
   * const found = await net.pressure([[1]], [[3]]);
   * found.lift().map(({ name }) => name); // ['only']
   */
  lift(count) {
    const most = count === undefined ? 1 : readCount(count, 'lift');
    /** @type {PressureRow[]} */
    const lifted = [];
    for (const row of this.rows) {
      if (lifted.length === most) break;
      if (!row.locked || Number.isNaN(row[this.sortBy])) continue;
      const parts = this.#owners.get(row) ?? [];
      const countLocked = () => parts.reduce((sum, { weight }) => sum + weight.locks.count, 0);
      const before = countLocked();
      for (const part of parts) {
        part.layer.thaw();
        part.weight.unlock(Uint32Array.from(part.mask.keys()).filter((i) => isOf(row, part, i)));
      }
      if (countLocked() < before) lifted.push(row);
    }
    return lifted;
  }

  /** The first `maxRows` of `rows` as a text table. */
  get text() {
    const titles = ['Elements of', '', 'Count', ...MEASURES.map((measure) => TITLES[measure])];
    const rows = this.rows
      .slice(0, this.#shown)
      .map((row) => [
        row.name,
        row.locked ? 'locked' : 'free',
        grouped(row.elements),
        ...MEASURES.map((measure) => format(row[measure])),
      ]);
    const left = this.rows.length - rows.length;
    const head = `loss ${format(this.loss)}, gains of a step of rate ${this.learningRate}`;
    const table = drawTable(
      [titles, ...rows],
      titles.map((_, i) => i > 1),
    );
    return [head, table, ...(left > 0 ? [`${left} more`] : [])].join('\n');
  }

  /** A bar chart of `rows` in SVG. Its colours follow CSS's `color` and `--gradlock-locked`. */
  get svg() {
    const rows = this.rows.slice(0, this.#shown);
    const values = rows.map((row) => Number(row[this.sortBy]));
    const finite = values.filter(Number.isFinite);
    const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
    const [left, wide, step] = [200, 300, 22];
    const scale = wide / (high - low || 1);
    const zero = left - low * scale;
    const bars = rows.map(({ name, locked }, i) => {
      const value = Number(values[i]);
      const length = Number.isFinite(value) ? value * scale : value === Infinity ? high * scale : 0;
      const fill = locked ? 'url(#gradlock-pressure)' : 'currentColor';
      const x = zero + Math.min(0, length);
      const y = 34 + i * step;
      return `<text x="${left - 8}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>
<rect x="${x}" y="${y}" width="${Math.abs(length)}" height="16" fill="${fill}" stroke="${locked ? LOCKED : 'none'}"/>
<text x="${left + wide + 8}" y="${y + 12}">${format(value)}${locked ? ' locked' : ' free'}</text>`;
    });
    const title = `Pressure by ${TITLES[this.sortBy]}: locked elements hatched, free ones filled`;
    const [width, height] = [left + wide + 120, 42 + rows.length * step];
    const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
    const font = 'font-family="system-ui,sans-serif" font-size="12" fill="currentColor"';
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" ${font}>
<title>${title}</title>
<defs><pattern id="gradlock-pressure" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 6L6 0" stroke="${LOCKED}" stroke-width="2"/></pattern></defs>
<text x="8" y="20" font-size="14">${title}</text>
${bars.join('\n')}
</svg>`;
  }

  /** @internal */
  toString() {
    return this.text;
  }
}
