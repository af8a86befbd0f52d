// All classes of layers.
export * from './activation-layers.js';
export * from './attention.js';
export * from './convolution.js';
export * from './core.js';
export * from './embedding.js';
export * from './merge.js';
export * from './noise.js';
export * from './normalization.js';
export * from './pooling.js';
export * from './recurrent.js';
export * from './reshaping.js';
export * from './wrappers.js';
