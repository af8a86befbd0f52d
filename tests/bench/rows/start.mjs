/* How long a page waits for gradlock: import, init(), first and again; and what it downloads. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { median } from '../harness.mjs';

const FRESH = 25;
const GOALS = { first: 25, later: 4, size: 125 };

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Start and size',
  async run() {
    const start = performance.now();
    const { init } = await import('gradlock');
    const loaded = performance.now();
    (await init()).dispose();
    const first = performance.now() - loaded;
    const fresh = [];
    for (let i = 0; i < FRESH; i++) {
      const before = performance.now();
      const g = await init();
      fresh.push(performance.now() - before);
      g.dispose();
    }
    const later = median(fresh);
    const bundle = readFileSync(new URL('../../../build/npm/index.js', import.meta.url));
    const size = gzipSync(bundle, { level: 9 }).length / 1000;
    /** @type {import('../harness.mjs').Result[]} */
    const results = [
      {
        what: 'import, first init(), later ones',
        unit: 'ms',
        values: { import: loaded - start, first, later },
        expected: `first ≤ ${GOALS.first}, later ≤ ${GOALS.later} ms`,
        met: first <= GOALS.first && later <= GOALS.later,
      },
      {
        what: 'index.js, everything inlined',
        unit: 'kB',
        values: { raw: bundle.length / 1000, 'gzip -9': size },
        expected: `≤ ${GOALS.size} kB of gzip`,
        met: size <= GOALS.size,
      },
    ];
    return results;
  },
};
