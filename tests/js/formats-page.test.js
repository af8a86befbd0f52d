/* What docs/formats.md shows, run as it stands there, from its first block to its last. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as gradlock from 'gradlock';
import * as formats from 'gradlock/formats';
import { layers } from 'gradlock/layers';

const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);

test('every block of docs/formats.md does what it says', async () => {
  const page = await readFile(new URL('../../docs/formats.md', import.meta.url), 'utf8');
  const blocks = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => String(code));
  assert.equal(blocks.length, 5);
  const code = blocks.join('\n').replace(/^import .*;\n/gm, '');
  const given = {
    init: gradlock.init,
    layers,
    ...formats,
    mkdir,
    writeFile,
    xs: Array.from({ length: 40 }, (_, i) => [0, 1, 2, 3].map((k) => Math.sin(7 * i + k))),
    ys: Array.from({ length: 40 }, (_, i) => i % 3),
  };
  const result = '{ net, again, report, base, fresh, nn, same, web }';
  const folder = await mkdtemp(join(tmpdir(), 'gradlock-page-'));
  const home = process.cwd();
  process.chdir(folder); // The page's paths are relative.
  const found = await new AsyncFunction(...Object.keys(given), `${code}\nreturn ${result};`)(
    ...Object.values(given),
  );
  process.chdir(home);
  await rm(folder, { recursive: true });
  /** @param {any} model */
  const values = (model) => model.weights.map((/** @type {any} */ weight) => [...weight.data()]);
  assert.deepEqual(found.report.loaded, ['base/kernel', 'base/bias', 'head/kernel', 'head/bias']);
  assert.equal(found.again.optimizer.iterations, 8);
  assert.equal(found.again.getLayer('base').kernel.locks.count, 8);
  assert.deepEqual(found.net.getLayer('base').kernel.locks.count, 32);
  const base = await formats.loadModel(found.nn, found.base);
  assert.deepEqual(values(found.fresh), values(base), 'a delta that was taken off');
  assert.deepEqual([values(found.same), values(found.web)], [values(found.net), values(found.net)]);
});
