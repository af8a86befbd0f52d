// The module as it travels inside JavaScript: deflated, because base64 itself hardly compresses, then base64.
import { LimitError } from './errors.js';

/**
 * @param {string} text
 * @returns {Promise<BufferSource>} The bytes of gradlock.wasm.
 */
export const unpack = async (text) => {
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i);
  // Node.js needs 40 ms to load its streams, and 1 ms for zlib. No import, so that bundlers for browsers see nothing.
  const { process } = /** @type {{ process?: NodeJS.Process }} */ (globalThis);
  const zlib = process?.getBuiltinModule?.('node:zlib');
  if (zlib) return zlib.inflateSync(packed);
  if (typeof DecompressionStream !== 'function') {
    throw new LimitError(
      'gradlock needs DecompressionStream (Chrome or Edge 80, Firefox 113, Safari 16.4, or later); ' +
        'without it, pass init({ wasm }) or use gradlock/external',
    );
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
};
