/* Marks the memory of a WebAssembly module, as the linker made it, as not shared: `node unshare.mjs
 * FILE`. So it loads everywhere; the library marks it as shared again where it starts threads. */
import { readFileSync, writeFileSync } from 'node:fs';
import { markShared } from '../js/wasm/shared.js';

const [file = ''] = process.argv.slice(2);
const bytes = readFileSync(file);
if (!markShared(bytes, false)) throw new Error(`${file} does not import its memory`);
writeFileSync(file, bytes);
