/* The types of gradlock/tfjs, beside those of TensorFlow.js. */
import * as tf from '@tensorflow/tfjs-core';
import { layers, sequential } from '@tensorflow/tfjs-layers';
import { init, type Variable } from 'gradlock';
import { tfjs, type TensorFlowLocks } from 'gradlock/tfjs';
export async function run(): Promise<number> {
  const g = await init();
  const kit: TensorFlowLocks<typeof tf> = tfjs(g, tf);
  const { optimizers, locksOf, forced, dispose } = kit;
  const dense = layers.dense({ units: 2, inputShape: [3] });
  const model = sequential({ layers: [dense] });
  const adam = optimizers.adam({ learningRate: 0.01, clipNorm: 1, useEma: true });
  const theirs: tf.Optimizer = adam;
  model.compile({ optimizer: adam, loss: 'meanSquaredError' });
  const x: tf.Variable = tf.variable(tf.scalar(1));
  const own: Variable = locksOf(x).lock('all');
  for (const weight of model.trainableWeights) locksOf(weight).lock({ rows: [0] });
  adam.learningRate = g.schedules.exponentialDecay({
    initialLearningRate: 0.1,
    decaySteps: 2,
    decayRate: 0.5,
  });
  adam.beta1 = 0.5;
  const cost: tf.Scalar | null = adam.minimize(() => tf.sum(x), true, [x]);
  const slot: Float32Array = adam.gradlock.slot(own, 'm');
  // @ts-expect-error A misspelt option.
  optimizers.sgd({ lr: 1 });
  // @ts-expect-error Tensors have no locks.
  locksOf(tf.scalar(1));
  // @ts-expect-error That is no TensorFlow.js.
  tfjs(g, {});
  dispose();
  return forced(x) + theirs.iterations + slot.length + (cost?.size ?? 0);
}
