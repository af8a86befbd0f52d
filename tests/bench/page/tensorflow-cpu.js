// TensorFlow.js with its cpu backend, bundled apart: a backend is a setting of a whole copy.
// @ts-expect-error it has no declarations
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import '@tensorflow/tfjs-backend-cpu';

export * from '@tensorflow/tfjs-core';
