/* The worker of tests in browsers. */
import { init } from '../../build/npm/index.js';
import { keep } from '../../build/npm/keep.js';
import { layers } from '../../build/npm/layers.js';
import { loadModel, saveModel } from '../../build/npm/formats.js';
import { train } from '../../build/npm/worker.js';
import { makeTasks } from '../js/worker-tasks.js';

train(makeTasks({ init, layers, saveModel, loadModel }), { keep });
