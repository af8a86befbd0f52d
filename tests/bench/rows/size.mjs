/* What a page downloads: the bundle with WebAssembly inlined, as it is and as a server compresses it. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 60;

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Size',
  async run() {
    const bundle = readFileSync(new URL('../../../build/npm/index.js', import.meta.url));
    const wasm = readFileSync(new URL('../../../build/npm/gradlock.wasm', import.meta.url));
    /** @param {Buffer} bytes */
    const zipped = (bytes) => gzipSync(bytes, { level: 9 }).length / 1000;
    return [
      {
        what: 'index.js, everything inlined',
        unit: 'kB',
        values: { raw: bundle.length / 1000, 'gzip -9': zipped(bundle) },
        expected: `≤ ${LIMIT} kB gzip`,
        met: zipped(bundle) <= LIMIT,
      },
      {
        what: 'gradlock.wasm alone',
        unit: 'kB',
        values: { raw: wasm.length / 1000, 'gzip -9': zipped(wasm) },
      },
    ];
  },
};
