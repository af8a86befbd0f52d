/* A worker in Node.js that trains in f64. */
import { init } from 'gradlock/double';
import { train } from 'gradlock/worker';
import { makeTasks } from './worker-tasks.js';

train(makeTasks({ init }));
