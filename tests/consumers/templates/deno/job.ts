import { start } from 'gradlock/worker';

const job = await start(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
console.log(await job.call('program'));
job.terminate();
