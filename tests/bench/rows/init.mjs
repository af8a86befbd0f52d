/* How long a page waits for gradlock: loading the module, and init(), first and again. */
import { median } from '../harness.mjs';

const FRESH = 25;
const LIMIT = 15;

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Start',
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
    return [
      { what: 'import, WebAssembly inlined', unit: 'ms', values: { gradlock: loaded - start } },
      {
        what: 'init(), first of the process',
        unit: 'ms',
        values: { gradlock: first },
        expected: `≤ ${LIMIT} ms`,
        met: first <= LIMIT,
      },
      {
        what: `init(), median of ${FRESH} fresh instances`,
        unit: 'ms',
        values: { gradlock: median(fresh) },
        expected: `≤ ${LIMIT} ms`,
        met: median(fresh) <= LIMIT,
      },
    ];
  },
};
