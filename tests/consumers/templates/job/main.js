import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { start } from 'gradlock/worker';
import { program } from './program.js';

const show = (result) => document.body.append(`${result}\n`);
program(init, layers).then(show, show);

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
start(worker)
  .then((job) => job.call('program'))
  .then(show, show);
