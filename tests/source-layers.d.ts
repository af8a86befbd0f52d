/* The types of 'gradlock/layers' under the condition "source": the package adds the classes of layers
 * to those of the entry (src/npm/tidy.mjs). */
export * from '../src/js/layers.js';
export type * from '../src/js/layers/kinds/kinds.js';
