import { init } from './node_modules/gradlock/index.js';
import { layers } from './node_modules/gradlock/layers.js';
import { program } from './program.js';

const show = (result) => {
  document.body.append(String(result));
  parent.postMessage(String(result), '*');
};
program(init, layers).then(show, show);
