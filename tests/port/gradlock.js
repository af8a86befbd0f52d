/* The lines that change when a model moves here from TensorFlow.js. */
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

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
