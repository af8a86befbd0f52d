/* Prints the digests of runs on whatever engine runs it:
 *
 *   bun tests/js/digest-print.js build/npm/index.js '["adam amsgrad=1"]' */
import { pathToFileURL } from 'node:url';
import { digest } from './digest-runs.js';

const [module, runs] = process.argv.slice(2);
const { init } = await import(pathToFileURL(module).href);
console.log(digest(await init(), JSON.parse(runs)).join('\n'));
