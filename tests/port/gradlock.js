/* The lines that change when a model moves here from TensorFlow.js. */
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

/**
 * The layers that both libraries have, without other names of the same.
 * @param {object} theirs
 * @param {object} ours
 */
export const sharedLayers = (theirs, ours) =>
  Object.keys(theirs).filter(
    (name) => Object.hasOwn(ours, name) && !/^(avg|input$)|Pool\dd$/.test(name),
  );

/** TensorFlow.js's names, as far as the models beside this use them. */
export const open = async () => {
  const g = await init();
  const nn = layers(g);
  return {
    g,
    tf: {
      layers: nn,
      sequential: nn.sequential,
      model: nn.model,
      input: nn.input,
      train: { sgd: (/** @type {number} */ learningRate) => g.optimizers.sgd({ learningRate }) },
    },
  };
};
