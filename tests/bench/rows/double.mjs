/* What double precision costs: gradlock/double beside gradlock, in size and in time. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { init as initDouble } from 'gradlock/double';
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';

const COUNT = 100_000;
const SIDE = 192;

/** @param {string} name */
const zipped = (name) =>
  gzipSync(readFileSync(new URL(`../../../build/npm/${name}`, import.meta.url)), { level: 9 })
    .length / 1000;

/**
 * What is measured, on either instance.
 * @type {Record<string, (g: import('gradlock').Gradlock) => () => unknown>}
 */
const WORK = {
  ...Object.fromEntries(
    /** @type {const} */ (['add', 'mul', 'exp', 'log', 'tanh', 'sin', 'erf', 'pow']).map((name) => [
      `${name}, ${COUNT} elements`,
      (/** @type {import('gradlock').Gradlock} */ g) => {
        const x = g.linspace(0.1, 5, COUNT);
        const op = /** @type {(...inputs: unknown[]) => import('gradlock').Tensor} */ (g[name]);
        return () => (['add', 'mul', 'pow'].includes(name) ? op(x, x) : op(x)).dispose();
      },
    ]),
  ),
  [`matMul, ${SIDE} × ${SIDE}`]: (g) => {
    const x = g.reshape(g.linspace(-1, 1, SIDE * SIDE), [SIDE, SIDE]);
    return () => g.matMul(x, x).dispose();
  },
  [`a step of Adam, ${COUNT} elements, half of them locked`]: (g) => {
    const x = g.variable(g.zeros([COUNT])).lock((_, i) => i % 2 === 0);
    const loss = g.compile(() => g.mean(g.square(g.sub(x, 1))));
    const optimizer = g.optimizers.adam();
    return () => optimizer.minimize(loss, { variables: [x], steps: 1 });
  },
};

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Double precision',
  async run() {
    const single = await init();
    const double = /** @type {typeof single} */ (/** @type {unknown} */ (await initDouble()));
    const results = Object.entries(WORK).map(([what, prepare]) => {
      const own = measure({
        gradlock: repeatedly(prepare(single)),
        'gradlock/double': repeatedly(prepare(double)),
      });
      const values = Object.fromEntries(Object.entries(own).map(([who, s]) => [who, s * 1e6]));
      const { gradlock, ...others } = own;
      const ratio = others['gradlock/double'] / gradlock;
      return { what, unit: 'µs', values, ratios: { 'gradlock/double': ratio } };
    });
    const [index, own] = [zipped('index.js'), zipped('double.js')];
    return [
      {
        what: 'everything inlined, gzip -9',
        unit: 'kB',
        values: { gradlock: index, 'gradlock/double': own },
        ratios: { 'gradlock/double': own / index },
        expected: '≤ 1.4×',
        met: own <= 1.4 * index,
      },
      ...results,
    ];
  },
};
