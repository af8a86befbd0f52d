/* Packs gradlock.wasm for use inside JavaScript: sorted, deflated and in base64 (decision 5). */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import zopfli from '@gfx/zopfli';
import { split } from './inline/split.mjs';
import { unpack } from '../js/wasm/unpack.js';
import { joiner, wasm } from './places.mjs';

// zopfli's loader prints its own source at any later error.
process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection');

const pack = async () => {
  const [module, joins] = await Promise.all([readFile(wasm), readFile(joiner)]);
  const parts = new Uint8Array([...joins, ...split(module)]);
  // zlib's format, as DecompressionStream('deflate') reads it; zopfli makes it 6 % smaller than
  // zlib does.
  const deflated = await promisify(zopfli.zlib)(parts, {
    numiterations: 50,
    blocksplittingmax: 0,
  });
  const text = Buffer.from(/** @type {Uint8Array} */ (deflated)).toString('base64');
  if (!module.equals(await unpack(text, joins.length))) {
    throw new Error('npm/inline/join.c does not know all instructions of gradlock.wasm');
  }
  return { text, joinBytes: joins.length };
};

/** @type {ReturnType<typeof pack> | undefined} */
let packed;

/** Packed once for all entries, since it takes seconds. */
export const packWasm = () => {
  packed ??= pack();
  return packed;
};
