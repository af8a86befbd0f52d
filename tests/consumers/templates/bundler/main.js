import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

const show = (result) => document.body.append(`${result}\n`);
program(init, layers).then(show, show);

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => show(data);
