import { init } from './node_modules/gradlock/index.js';
import { layers } from './node_modules/gradlock/layers.js';
import { program } from './program.js';

program(init, layers).then(postMessage, (error) => postMessage(String(error)));
