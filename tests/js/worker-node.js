/* The worker of tests in Node.js. */
import { init } from 'gradlock';
import { loadModel, saveModel } from 'gradlock/formats';
import { keep } from 'gradlock/keep';
import { layers } from 'gradlock/layers';
import { train } from 'gradlock/worker';
import { makeTasks } from './worker-tasks.js';

train(makeTasks({ init, layers, saveModel, loadModel }), { keep });
