import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

async function start() {
  const g = await init({ threads: 2 });
  if (g.threads < 2) throw new Error(`one thread: ${g.threadsReason}`);
  return g;
}

const show = (result) => document.body.append(`${result}\n`);
program(start, layers).then(show, show);
