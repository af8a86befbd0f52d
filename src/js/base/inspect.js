// Tensors as text for consoles: small ones in full, of large ones the edges. No handles.

/** The key under which Node.js looks for an object's own rendering. */
export const inspectKey = Symbol.for('nodejs.util.inspect.custom');

/** Above this many elements only the edges of each axis are printed. */
const FULL_ELEMENTS = 1000;
const EDGE = 3;

/** A number with the digits that identify it. @param {number} value @param {boolean} isF32 */
const formatNumber = (value, isF32) => {
  if (Object.is(value, -0)) return '-0';
  if (!isF32 || !Number.isFinite(value) || Number.isInteger(value)) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(value);
};

/** Values in brackets, by rows. @param {ArrayLike<number>} data @param {readonly number[]} shape */
export const formatValues = (data, shape) => {
  const rows = shape.slice(0, -1).reduce((count, size) => count * size, 1); // of an empty tensor there may be many
  const isLarge = Math.max(data.length, rows) > FULL_ELEMENTS;
  const edge = isLarge ? EDGE : Number.POSITIVE_INFINITY;
  /** @param {number} axis @param {number} from @param {number} stride @returns {string} */
  const build = (axis, from, stride) => {
    if (axis === shape.length)
      return formatNumber(Number(data[from]), !(data instanceof Float64Array));
    const size = Number(shape[axis]);
    const step = stride / Math.max(size, 1);
    const parts = [];
    for (let i = 0; i < size; i++) {
      if (i === edge && size > 2 * edge) {
        parts.push('…');
        i = size - edge;
      }
      parts.push(build(axis + 1, from + i * step, step));
    }
    const isLast = axis === shape.length - 1;
    return `[${parts.join(isLast ? ', ' : `,\n${' '.repeat(axis + 1)}`)}]`;
  };
  return build(0, 0, data.length);
};
