/* `make bench-browser`: what a second thread is worth in Chromium, in an isolated page, where
 * gradlock may have threads: training steps and a large product on one thread and on two, in turns.
 * docs/speed.md keeps what it prints. */
import { launchChromium } from '../browser/chromium.js';
import { ISOLATED, serveFolder } from '../browser/site.js';

const POLICY = "default-src 'self' blob:; script-src 'self' 'wasm-unsafe-eval' blob:";

/** Runs in the page. @param {string} root */
const run = async (root) => {
  const [{ init }, { formatTable, measure, repeatedly }, networks, cnn, { randomValues }] =
    await Promise.all(
      [
        'build/npm/index.js',
        ...['harness', 'networks', 'cnn', 'values'].map((name) => `tests/bench/${name}.mjs`),
      ].map((path) => import(`${root}${path}`)),
    );
  const instances = await Promise.all([1, 2].map((threads) => init({ threads })));
  /** @param {(g: any) => any} own */
  const step = (own) => (/** @type {any} */ g) => {
    const { loss, variables, optimizer } = own(g);
    const program = g.compile(loss);
    return (/** @type {number} */ steps) => optimizer.minimize(program, { variables, steps });
  };
  /** @type {Record<string, (g: any) => (repeats: number) => unknown>} */
  const work = {
    'step of 784-128-128-10': step((g) => networks.ownNetwork(g, networks.makeNetwork(128))),
    'step of 784-512-512-10': step((g) => networks.ownNetwork(g, networks.makeNetwork(512))),
    'step of 8c3-p2-16c3-p2-64-10': step((g) => cnn.ownCnn(g, cnn.makeCnn())),
    'matMul 512³': (g) => {
      const a = g.tensor(randomValues(512 * 512), [512, 512]);
      return repeatedly(() => g.matMul(a, a).dispose());
    },
  };
  const results = Object.entries(work).map(([what, open]) => {
    const contestants = instances.map((g) => [`${g.threads} threads`, open(g)]);
    const seconds = measure(Object.fromEntries(contestants));
    const values = Object.entries(seconds).map(([name, took]) => [name, Number(took) * 1e3]);
    return { what, unit: 'ms', values: Object.fromEntries(values) };
  });
  return formatTable(results);
};

const site = await serveFolder(new URL('../../', import.meta.url), POLICY, '', ISOLATED);
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  await page.goto(`${site.url}tests/browser/blank.html`);
  console.log(`Chromium ${browser.version()}\n${await page.evaluate(run, site.url)}`);
} finally {
  await browser.close();
  await site.close();
}
