// The warning when training changes nothing: legal (docs/laws.md, law 12), but seldom meant.

/**
 * Returns why training these variables changes nothing; '' if any element is free.
 * @param {readonly { free: number, size: number, locks: { holders: readonly string[] } }[]}
 *   variables
 */
export const noneFree = (variables) => {
  if (variables.length === 0 || variables.some(({ free }) => free > 0)) return '';
  const size = variables.reduce((sum, variable) => sum + variable.size, 0);
  const isFrozen = variables.some(({ locks }) => locks.holders.includes('frozen'));
  const frees = isFrozen ? "trainable = true of their layers or unlock('all')" : "unlock('all')";
  return `nothing trains: all ${size} elements of ${variables.length} variable${variables.length > 1 ? 's' : ''} are locked; ${frees} frees them`;
};

/** @param {string} text */
export const warn = (text) => globalThis.console?.warn(`gradlock: ${text}`);
