// Refuses models whose masks TensorFlow.js 4.22 computes otherwise. It hands each layer the last
// mask that any layer had, also where none reaches it.
// Source: tfjs-layers 4.22, src/engine/executor.ts and src/layers/merge.ts;
// tests/port/masks.test.js asks it.
import { refuse } from './tfjs-form.js';

/** Layers that read the mask which they are handed. */
const READERS = new Set(['LSTM', 'GRU', 'SimpleRNN', 'Bidirectional', 'Softmax']);
/** Merges whose results depend on masks, or whose masks have another shape there. */
const MERGES = new Set(['Add', 'Average', 'Maximum', 'Minimum', 'Multiply', 'Dot']);
/** Layers whose outputs have no mask there; the next layer is handed the last one. */
const LOSES = new Set(['ELU', 'LeakyReLU', 'Softmax', 'Rescaling']);

/** True if the outputs of a layer have the mask of its input. @param {any} layer */
const passesMask = ({ config, constructor: { className }, supportsMasking }) => {
  const { returnSequences = true } = className === 'Bidirectional' ? config.layer.config : config;
  return supportsMasking && returnSequences;
};

/** Refuse a model with masks unless TensorFlow.js computes them alike. @param {any} net */
export const refuseMasks = (net) => {
  const makers = net.allLayers.filter((/** @type {any} */ layer) => layer.makesMasks);
  if (makers.length === 0) return;
  /** Tensors that have a mask. */
  const masked = new Set();
  for (const { layer, inputs, outputs } of net.order) {
    const { className } = layer.constructor;
    /** @param {string} problem */
    const no = (problem) =>
      refuse(
        layer.name,
        `${problem}, which TensorFlow.js computes otherwise: save with saveModel, or leave out the mask that ${makers[0].name} makes`,
      );
    const has = inputs.map((/** @type {any} */ one) => masked.has(one));
    const [isMasked = false] = has;
    const isAnyMasked = has.includes(true);
    const isOneOfMany = isAnyMasked && makers.length > 1;
    if (layer.order) no('is a model in a model with a mask');
    if (READERS.has(className) && !isMasked) no('is in a model with a mask, and gets none');
    if (isMasked && className === 'GlobalAveragePooling1D') no('averages the steps of a mask');
    if (isAnyMasked && MERGES.has(className)) no('merges an input that has a mask');
    // A step exists there if it does in all inputs, and here if it does in any.
    if (className === 'Concatenate') {
      if (isAnyMasked && has.includes(false)) no('joins a mask and none');
      if (isOneOfMany) no('joins several masks');
    }
    if (isOneOfMany && LOSES.has(className)) no('passes one of several masks on');
    if (layer.makesMasks || (isAnyMasked && passesMask(layer)))
      for (const output of outputs) masked.add(output);
  }
};
