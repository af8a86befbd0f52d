/* Packs gradlock.wasm for use inside JavaScript: sorted, deflated and in base64. Plain base64
 * compresses badly, since matches rarely fall on the same alignment. Opcodes, variables, constants
 * and offsets take turns in code, and each is best predicted by its own kind. So they are sorted
 * into streams before: 10 % less. Mixing six contexts for each bit would save 1 % more, for a
 * second of computing. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { split } from './inline/split.mjs';
import { unpack } from '../js/wasm/unpack.js';
import { joiner, keptOf, wasm } from './paths.mjs';

/** @typedef {keyof typeof wasm} WasmName */

const { version } = createRequire(import.meta.url)('@gfx/zopfli/package.json');
const options = { blocksplittingmax: 0 };

/**
 * Deflates bytes and returns them in base64, in zlib's format, which DecompressionStream('deflate')
 * reads. zopfli's output is 6 % smaller than zlib's but takes ten seconds. So it is kept, with a
 * hash of its input: most builds change JavaScript alone.
 * @param {Uint8Array} bytes
 * @param {string} kept The path of what is kept.
 */
const deflate = async (bytes, kept) => {
  const by = JSON.stringify([version, options]);
  const hash = createHash('sha256').update(by).update(bytes).digest('hex');
  const [before, of] = (await readFile(kept, 'utf8').catch(() => '')).split(' ');
  if (before && of === hash) return before;
  const url = new URL('deflate.mjs', import.meta.url);
  const [deflated] = await once(new Worker(url, { workerData: { bytes, options } }), 'message');
  const text = Buffer.from(deflated).toString('base64');
  await writeFile(kept, `${text} ${hash}`);
  return text;
};

/** @param {string} file */
const pack = async (file) => {
  const [module, joins] = await Promise.all([readFile(file), readFile(joiner)]);
  const parts = new Uint8Array([...joins, ...split(module)]);
  const text = await deflate(parts, keptOf(file));
  if (!module.equals(await unpack(text, joins.length))) {
    throw new Error('npm/inline/join.c does not know all instructions of gradlock.wasm');
  }
  return { text, joinBytes: joins.length };
};

/** @type {Partial<Record<WasmName, ReturnType<typeof pack>>>} */
const packed = {};

/** Packed once for all entries. @param {WasmName} name */
export const packWasm = (name) => {
  packed[name] ??= pack(wasm[name]);
  return packed[name];
};
