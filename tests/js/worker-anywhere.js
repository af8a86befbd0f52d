/* Trains in a web worker of Bun or Deno, whose script is worker-node.js, and prints the end. */
import { start } from 'gradlock/worker';

const worker = new Worker(new URL('worker-node.js', import.meta.url), { type: 'module' });
const job = await start(worker, { kind: 'noisy', steps: 500 });
const error = await job.call('none').catch((thrown) => thrown);
const { step, state = new Uint8Array() } = await job.result;
const sum = state.reduce((sum, byte, i) => (31 * sum + byte * (i + 1)) % 0xffffffff, 7);
console.log(JSON.stringify([step, state.length, sum, error.reason, job.variables.length]));
job.terminate();
