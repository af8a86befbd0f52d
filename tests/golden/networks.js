/* Models of networks.json, whole: objects that occur often lie once in `parts`, as "@3". */

/**
 * @param {{ parts: unknown[] }} golden
 * @param {any} value
 * @returns {any}
 */
export const unpooled = (golden, value) => {
  if (typeof value === 'string' && /^@\d+$/.test(value)) {
    return unpooled(golden, golden.parts[Number(value.slice(1))]);
  }
  if (Array.isArray(value)) return value.map((each) => unpooled(golden, each));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, each]) => [key, unpooled(golden, each)]));
};
