/* The worker of tests in browsers. It calls train() when the page has asked for it already. */
import { makeTasks } from '../js/worker-tasks.js';

const load = (/** @type {string} */ name) => import(`../../build/npm/${name}.js`);
const [library, more, files, keeping, working] = await Promise.all(
  ['index', 'layers', 'formats', 'keep', 'worker'].map(load),
);
working.train(makeTasks({ ...library, ...more, ...files }), { keep: keeping.keep });
