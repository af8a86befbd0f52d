// Least squares by Householder QR with column pivoting, in doubles: rank, covariance, directions
// that the data do not determine, and what a further column would gain.
// Sources: Businger & Golub 1965; Golub & Van Loan 2013, 5.4.2; the norms are computed anew, so
// that they need no correction as in LAPACK's dgeqp3 (Drmač & Bujanović 2008).

/** @typedef {Float64Array<ArrayBuffer>} Column */

/** Of a column that is smaller, no double holds the square, and so the variance. */
const LEAST_NORM = 2 ** -511;

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {number} [from] */
export const dot = (a, b, from = 0) => {
  let sum = 0;
  for (let i = from; i < a.length; i++) sum += Number(a[i]) * Number(b[i]);
  return sum;
};

/** A norm that neither overflows nor underflows. @param {Column} a @param {number} from */
const norm = (a, from = 0) => {
  let most = 0;
  for (let i = from; i < a.length; i++) most = Math.max(most, Math.abs(Number(a[i])));
  if (most === 0 || !Number.isFinite(most)) return most;
  let sum = 0;
  for (let i = from; i < a.length; i++) sum += (Number(a[i]) / most) ** 2;
  return most * Math.sqrt(sum);
};

/** Reflect a in v, zero before `from`. @param {Column} v @param {Column} a @param {number} from */
const reflect = (v, a, from) => {
  const scale = 2 * dot(v, a, from);
  for (let i = from; i < a.length; i++) a[i] = Number(a[i]) - scale * Number(v[i]);
};

/**
 * A factorization of columns, each scaled to norm 1.
 * @typedef {object} Factorization
 * @property {number} rank
 * @property {number[]} order The columns by pivots; those from `rank` on depend on others.
 * @property {number[]} scales Norms of the columns, 1 for zeros, below LEAST_NORM.
 * @property {Column[]} r By pivots; of each column the first entries.
 * @property {Column[]} reflectors Unit vectors.
 */

/**
 * @param {readonly ArrayLike<number>[]} columns
 * @param {number} tolerance Columns with less left, relative to the first pivot, depend on others.
 * @returns {Factorization}
 */
export const factorize = (columns, tolerance) => {
  const r = columns.map((column) => Float64Array.from(column));
  const scales = r.map((column) => {
    const length = norm(column);
    if (!(length < LEAST_NORM)) return length;
    column.fill(0);
    return 1;
  });
  r.forEach((column, j) => {
    for (let i = 0; i < column.length; i++) column[i] = Number(column[i]) / Number(scales[j]);
  });
  const order = r.map((_, j) => j);
  const most = Math.min(r.length, r[0]?.length ?? 0);
  /** @type {Column[]} */
  const reflectors = [];
  for (let k = 0; k < most; k++) {
    const norms = r.map((column, j) => (j < k ? -1 : norm(column, k)));
    const best = norms.indexOf(Math.max(...norms));
    const length = Number(norms[best]);
    if (!(length > tolerance)) break;
    [r[k], r[best]] = [/** @type {Column} */ (r[best]), /** @type {Column} */ (r[k])];
    [order[k], order[best]] = [Number(order[best]), Number(order[k])];
    const pivot = /** @type {Column} */ (r[k]);
    const v = pivot.slice().fill(0, 0, k);
    v[k] = Number(v[k]) + (Number(v[k]) < 0 ? -length : length);
    const own = norm(v, k);
    for (let i = k; i < v.length; i++) v[i] = Number(v[i]) / own;
    for (const column of r.slice(k)) reflect(v, column, k);
    reflectors.push(v);
  }
  return { rank: reflectors.length, order, scales, r, reflectors };
};

/** Solve R₁₁ x = b of the `rank` pivots. @param {Factorization} f @param {ArrayLike<number>} b */
const solveUpper = ({ r, rank }, b) => {
  const x = Float64Array.from({ length: rank }, (_, i) => Number(b[i]));
  for (let j = rank - 1; j >= 0; j--) {
    const column = /** @type {Column} */ (r[j]);
    x[j] = Number(x[j]) / Number(column[j]);
    for (let i = 0; i < j; i++) x[i] = Number(x[i]) - Number(x[j]) * Number(column[i]);
  }
  return x;
};

/** Solve R₁₁ᵀ x = b. @param {Factorization} f @param {ArrayLike<number>} b */
const solveLower = ({ r, rank }, b) => {
  const x = new Float64Array(rank);
  for (let j = 0; j < rank; j++) {
    const column = /** @type {Column} */ (r[j]);
    let sum = Number(b[j]);
    for (let i = 0; i < j; i++) sum -= Number(column[i]) * Number(x[i]);
    x[j] = sum / Number(column[j]);
  }
  return x;
};

/**
 * In the columns' own order and units, what belongs to pivots and scales.
 * @param {Factorization} f @param {ArrayLike<number>} x By pivots; 0 where it ends.
 */
const unpivot = ({ order, scales }, x) => {
  const values = new Array(order.length).fill(0);
  order.forEach((j, i) => {
    if (i < x.length) values[j] = Number(x[i]) / Number(scales[j]);
  });
  return values;
};

/** Qᵀ a; `rank` entries are along columns. @param {Factorization} f @param {ArrayLike<number>} a */
const rotate = ({ reflectors }, a) => {
  const turned = Float64Array.from(a);
  for (const [k, v] of reflectors.entries()) reflect(v, turned, k);
  return turned;
};

/** (AᵀA)⁻¹, or a generalized inverse. @param {Factorization} f @returns {number[][]} */
export const invertGram = (f) => {
  const units = f.order.map((_, j) => {
    const at = f.order.indexOf(j);
    if (at >= f.rank) return new Float64Array(f.rank);
    const unit = Float64Array.from({ length: f.rank }, (_, i) => Number(i === at));
    return solveLower(f, unit).map((value) => value / Number(f.scales[j]));
  });
  return units.map((a) => units.map((b) => dot(a, b)));
};

/**
 * Directions in which columns add up to nothing, of norm 1 in scaled columns, in columns' units.
 * @param {Factorization} f
 * @returns {{ scaled: number[], direction: number[] }[]}
 */
export const nullDirections = (f) =>
  f.order.slice(f.rank).map((_, k) => {
    const dependent = solveUpper(f, /** @type {Column} */ (f.r[f.rank + k]));
    const byPivot = [...dependent.map((value) => -value), ...new Array(k).fill(0), 1];
    const length = Math.hypot(...byPivot);
    const direction = unpivot(
      f,
      byPivot.map((value) => value / length),
    );
    return { scaled: direction.map((value, i) => value * Number(f.scales[i])), direction };
  });

/** The x that makes |A x − b| smallest. @param {Factorization} f @param {ArrayLike<number>} b */
export const solveLeast = (f, b) => unpivot(f, solveUpper(f, rotate(f, b)));

/** The part of a outside of the columns. @param {Factorization} f @param {ArrayLike<number>} a */
export const remainder = (f, a) => rotate(f, a).subarray(f.rank);
