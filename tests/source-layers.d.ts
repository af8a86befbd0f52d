/* The types of 'gradlock/layers' under the condition "source": the package adds the classes of layers
 * to those of the entry (src/npm/tidy.mjs). */
export * from '../src/js/layers.js';
export type * from '../src/js/layers/kinds/activation-layers.js';
export type * from '../src/js/layers/kinds/attention.js';
export type * from '../src/js/layers/kinds/convolution.js';
export type * from '../src/js/layers/kinds/core.js';
export type * from '../src/js/layers/kinds/embedding.js';
export type * from '../src/js/layers/kinds/merge.js';
export type * from '../src/js/layers/kinds/noise.js';
export type * from '../src/js/layers/kinds/normalization.js';
export type * from '../src/js/layers/kinds/pooling.js';
export type * from '../src/js/layers/kinds/recurrent.js';
export type * from '../src/js/layers/kinds/reshaping.js';
export type * from '../src/js/layers/kinds/windows.js';
export type * from '../src/js/layers/kinds/wrappers.js';
