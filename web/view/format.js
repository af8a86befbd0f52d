/** Numbers as people read them: those of the grid, counts and bits. */

export { formatInput, formatNumber, formatValue, parseNumber, powerOfTen } from 'gradlock/grid';

/** A count, grouped: 65,536. @param {number} count */
export const formatCount = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** The bit pattern of a 32-bit float. @param {number} value */
export function formatBits(value) {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  return bits.toString(16).padStart(8, '0');
}
