/* Tier: all. */
/* gradlock/tfjs in a page, on TensorFlow.js's webgl backend, which Chromium computes without a
 * GPU: gradients come from textures, and locked elements keep their bits. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launchChromium, SOFTWARE_WEBGL } from './chromium.js';
import { serveFolder } from './site.js';

const root = new URL('../../', import.meta.url);

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(root);
  await build({
    stdin: {
      contents: `
        import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
        import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops.js';
        import '@tensorflow/tfjs-backend-webgl';
        export * from '@tensorflow/tfjs-core';
        export { layers, sequential } from '@tensorflow/tfjs-layers';`,
      resolveDir: fileURLToPath(root),
    },
    outfile: fileURLToPath(new URL('build/tests/tensorflow-webgl.js', root)),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
});
after(() => served.close());

test('Chromium: a model on webgl trains what is free, and what is locked keeps its bits', async () => {
  const browser = await launchChromium(SOFTWARE_WEBGL);
  try {
    const page = /** @type {any} */ (await browser.newPage());
    await page.goto(`${served.url}tests/browser/blank.html`);
    const found = await page.evaluate(`(async () => {
      const tf = await import('${served.url}build/tests/tensorflow-webgl.js');
      const { init } = await import('${served.url}build/npm/index.js');
      const { tfjs } = await import('${served.url}build/npm/tfjs.js');
      await tf.setBackend('webgl');
      await tf.ready();
      const g = await init();
      const { optimizers, locksOf, dispose } = tfjs(g, tf);
      const model = tf.sequential({
        layers: [
          tf.layers.dense({ units: 16, inputShape: [8], activation: 'tanh' }),
          tf.layers.dense({ units: 1 }),
        ],
      });
      const optimizer = optimizers.adam({ learningRate: 0.01, clipNorm: 1 });
      model.compile({ optimizer, loss: 'meanSquaredError' });
      const [first, second] = model.layers;
      locksOf(first.kernel).lock({ rows: [0, 7] });
      locksOf(second.bias).lock('all');
      const values = () => model.weights.map((weight) => [...weight.read().dataSync()]);
      const own = () =>
        model.weights.map((weight) => [...new Uint32Array(locksOf(weight).data().buffer)]);
      const [xs, ys] = [tf.randomNormal([64, 8], 0, 1, 'float32', 1), tf.ones([64, 1])];
      const fit = () => model.fit(xs, ys, { epochs: 4, verbose: 0, shuffle: false });
      const start = [values(), own()];
      await fit();
      const tensors = [tf.memory().numTensors, g.memory().objects];
      const { history } = await fit();
      const flat = [tf.memory().numTensors, g.memory().objects];
      const end = [values(), own()];
      const backend = tf.getBackend();
      dispose();
      return { backend, start, end, tensors, flat, loss: history.loss, objects: g.memory().objects };
    })()`);
    assert.equal(found.backend, 'webgl');
    const [[values, bits], [later, laterBits]] = [found.start, found.end];
    for (const [i, weight] of laterBits.entries()) {
      const isLocked = (/** @type {number} */ j) => i === 3 || (i === 0 && (j < 16 || j >= 7 * 16));
      for (const [j, word] of weight.entries()) {
        assert.equal(word === bits[i][j], isLocked(j), `bits of weight ${i} at ${j}`);
        assert.equal(later[i][j] === values[i][j], isLocked(j), `value of weight ${i} at ${j}`);
      }
    }
    assert.ok(found.loss[3] < found.loss[0]);
    assert.deepEqual(found.flat, found.tensors);
    assert.equal(found.objects, 0);
  } finally {
    await browser.close();
  }
});
