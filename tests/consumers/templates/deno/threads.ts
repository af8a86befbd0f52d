import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

const start = async () => {
  const g = await init({ threads: 2, shareNs: 0 });
  if (g.threads < 2) throw new Error(`one thread: ${g.threadsReason}`);
  return g;
};
console.log(await program(start, layers));
