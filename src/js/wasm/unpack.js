// Unpacks the module that is embedded in JavaScript. Its parts are sorted, which deflates better,
// then deflated, because base64 hardly compresses, then encoded as base64. See inline/join.c.
import { LoadError } from '../base/errors.js';
import { importNode } from '../base/node.js';
import { bytesOf } from '../base/text.js';

const PAGE_BYTES = 65536;

/**
 * @param {string} text
 * @param {number} joinBytes How many of its bytes are inline/join.c, compiled.
 * @returns {Promise<Uint8Array>} The bytes of gradlock.wasm.
 */
export const unpack = async (text, joinBytes) => {
  const bytes = await inflate(text);
  const joiner = new WebAssembly.Instance(new WebAssembly.Module(bytes.slice(0, joinBytes)));
  const { memory, glk_join } =
    /** @type {{ memory: WebAssembly.Memory, glk_join: import('./exports.js').Call }} */ (
      /** @type {unknown} */ (joiner.exports)
    );
  const from = memory.buffer.byteLength;
  const to = from + bytes.length;
  // Only the sizes of functions come on top of what the streams hold.
  memory.grow(Math.ceil((2 * bytes.length) / PAGE_BYTES));
  const all = new Uint8Array(memory.buffer);
  all.set(bytes.subarray(joinBytes), from);
  return all.subarray(to, glk_join(from, to));
};

/** @param {string} text */
const inflate = async (text) => {
  // Node.js needs 40 ms to load its streams, and 1 ms for zlib.
  const zlib = await importNode('zlib').catch(() => undefined);
  // In one piece, where its own default is 16 kB at a time.
  if (zlib) return zlib.inflateSync(globalThis.Buffer.from(text, 'base64'), { chunkSize: 1 << 18 });
  if (typeof DecompressionStream !== 'function') {
    throw new LoadError('gradlock needs DecompressionStream, which this platform lacks', {
      hint: 'use Chrome or Edge 80, Firefox 113, Safari 16.4 or Node.js 20, or a later one; or pass init({ wasm }), or use gradlock/external',
    });
  }
  const packed = bytesOf(atob(text));
  // Not by way of a Blob, which Safari refuses to read in the workers of pages from a disk.
  const body = /** @type {ReadableStream<BufferSource>} */ (new Response(packed).body);
  const stream = body.pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
