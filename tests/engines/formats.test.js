/* Tier: all. */
/* Engines: all, because each inflates, fetches and reads a File by itself. Files in pages: with their
 * shards, as a File, by way of h5wasm; what Node.js saved a page opens, with its bits. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { init } from 'gradlock';
import { loadModel, saveLayersModel, saveModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { inEachEngine } from '../browser/browsers.js';
import { serveFolder } from '../browser/site.js';

/** @typedef {import('gradlock/layers').Dense} Dense */

const root = new URL('../../', import.meta.url);
const folder = new URL('build/tests/formats/', root);

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(root);
});
after(() => served.close());

inEachEngine(
  'a page opens what Node.js saved, trains on to the same bits, and reads other files',
  async (page) => {
    const nn = layers(await init(), { seed: 1 });
    const model = nn.sequential([
      nn.dense({ units: 4, inputShape: [3], activation: 'tanh', name: 'base' }),
      nn.dropout({ rate: 0.5 }),
      nn.dense({ units: 2, name: 'head' }),
    ]);
    /** @type {Dense} */ (model.getLayer('base')).kernel.lock([[0, 0]]);
    model.compile({ optimizer: 'adam', loss: 'mse' });
    const [xs, ys] = [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [0, 1],
        [1, 0],
      ],
    ];
    await model.fit(xs, ys, { epochs: 2 });
    mkdirSync(folder, { recursive: true });
    const files = { 'own.safetensors': saveModel(model), ...saveLayersModel(model) };
    for (const [file, data] of Object.entries(files)) writeFileSync(new URL(file, folder), data);
    await page.goto(`${served.url}tests/browser/blank.html`);
    const found = await page.evaluate(`(async () => {
        const { init } = await import('${served.url}build/npm/index.js');
        const { layers } = await import('${served.url}build/npm/layers.js');
        const { loadModel, loadWeights } = await import('${served.url}build/npm/formats.js');
        const hdf5 = await import('${served.url}node_modules/h5wasm/dist/esm/hdf5_hl.js');
        const nn = layers(await init(), { seed: 9 });
        const bits = (model) =>
          model.weights.map((weight) => [...new Uint32Array(weight.data().buffer)]);
        const url = '${served.url}build/tests/formats/';
        const blob = await (await fetch(url + 'own.safetensors')).blob();
        const own = await loadModel(nn, new File([blob], 'own.safetensors'));
        const opened = bits(own);
        await own.fit(${JSON.stringify(xs)}, ${JSON.stringify(ys)}, { epochs: 2 });
        const theirs = await loadModel(nn, url + 'model.json');
        const keras = await loadModel(nn, '${served.url}tests/golden/formats/deflated.keras', { hdf5 });
        const missing = await loadModel(nn, url + 'nothing').catch((error) => error.name);
        return { opened, trained: bits(own), theirs: bits(theirs), keras: bits(keras), missing };
      })()`);
    const bits = (/** @type {any} */ one) =>
      one.weights.map((/** @type {any} */ weight) => [...new Uint32Array(weight.data().buffer)]);
    assert.deepEqual(found.opened, bits(model));
    assert.deepEqual(found.theirs, bits(model));
    await model.fit(xs, ys, { epochs: 2 });
    assert.deepEqual(found.trained, bits(model));
    const keras = new URL('tests/golden/formats/deflated.keras', served.url);
    assert.deepEqual(found.keras, bits(await loadModel(nn, keras)));
    assert.equal(found.missing, 'LoadError');
  },
);
