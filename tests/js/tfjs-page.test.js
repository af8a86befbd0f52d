/* Tier: test. */
/* What docs/tfjs.md shows, run as it stands there; and the examples of gradlock/tfjs's types. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as gradlock from 'gradlock';
import { tfjs } from 'gradlock/tfjs';
import { loadTensorFlow } from './tensorflow.js';

const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);
const core = await loadTensorFlow({ layers: true });
const { layers, sequential, loadLayersModel } = core.layers;
const tf = { ...core, layers, sequential, loadLayersModel };

/** @param {string} path */
const read = (path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

test('every block of docs/tfjs.md does what it says', async () => {
  const page = await read('docs/tfjs.md');
  const blocks = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => String(code));
  assert.equal(blocks.length, 3);
  const shown = /^(\S.*);\s+\/\/ (\d+)\b.*$/gm;
  const code = blocks
    .join('\n')
    .replace(/^import .*\n/gm, '')
    .replace(shown, 'seen.push([$1, $2]);')
    .replace(
      'await model.fit',
      'const start = [...first.kernel.read().dataSync()];\nawait model.fit',
    )
    .replace('const before', 'const trained = [...first.kernel.read().dataSync()];\nconst before');
  const given = {
    init: gradlock.init,
    tfjs,
    tf,
    seen: /** @type {number[][]} */ ([]),
    xs: tf.tensor2d(
      Float32Array.from({ length: 160 }, (_, i) => Math.sin(7 * i)),
      [40, 4],
    ),
    ys: tf.oneHot(
      tf.tensor1d(
        Int32Array.from({ length: 40 }, (_, i) => i % 3),
        'int32',
      ),
      3,
    ),
  };
  const result = '{ start, trained, bias: second.bias, again, locksOf }';
  const found = await new AsyncFunction(...Object.keys(given), `${code}\nreturn ${result};`)(
    ...Object.values(given),
  );
  assert.deepEqual(given.seen, [
    [1, 1],
    [8, 8],
  ]);
  for (const [i, value] of found.trained.entries()) {
    assert.equal(value === found.start[i], i % 8 < 2, `${i}`);
  }
  assert.equal(found.locksOf(found.again.layers[0].bias).locks.count, 8);
  assert.equal(found.again.optimizer.iterations, 3 * 2 + 2);
});

test('every example of the types of gradlock/tfjs gives what it shows, and every member has one', async () => {
  const text = `${await read('src/js/tfjs/api.d.ts')}\n${await read('src/js/tfjs.js')}`;
  const examples = Array.from(
    text.matchAll(/@example\n([\s\S]*?)\n *\*\/\n\s*(?:readonly |export const )?(\w+)/g),
    ([, code, name]) => ({ name, code: code.replace(/^ *\* /gm, '') }),
  );
  const kit = tfjs(await gradlock.init(), tf);
  const names = new Set(examples.map(({ name }) => name));
  const members = [...Object.keys(kit), 'gradlock', 'tfjs'];
  assert.deepEqual(
    members.filter((name) => !names.has(name)),
    ['optimizers'],
  );
  for (const { name, code } of examples) {
    const run = code.replace(/^(.*); \/\/ (.*)$/m, 'return [$1, $2];');
    const [got, shown] = new Function('g', 'tf', 'tfjs', run)(await gradlock.init(), tf, tfjs);
    const six = (/** @type {any} */ value) =>
      [value.length === undefined ? value : [...value]]
        .flat()
        .map((/** @type {number} */ v) => Number(v.toPrecision(6)));
    assert.deepEqual(six(got), six(shown), name);
  }
});
