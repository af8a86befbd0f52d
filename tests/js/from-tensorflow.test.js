/* Tier: test. */
/* Tricks that people hold elements with, under every rule: what leaks here leaks in Keras, and a
 * lock leaks nothing. And docs/from-tensorflow.md: its blocks, its tables. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { readGolden } from '../golden/golden.js';
import { isLacking } from './reference.js';
import { bitsOf } from './support.js';
import { LOCKS, measure, PROBLEM, SETTINGS, TRICKS } from './tricks.js';

/** @typedef {import('./tricks.js').Leak} Leak */
/** @typedef {import('./tricks.js').Moved} Moved */

const page = readFileSync(new URL('../../docs/from-tensorflow.md', import.meta.url), 'utf8');
const QUESTIONS = /** @type {const} */ (['values', 'slots', 'others']);
const held = PROBLEM.locked.length;
const rows = measure(await init(), [...TRICKS, ...LOCKS]);

/**
 * What Keras moved (tests/golden/leaks.py): of each trick, by the names of settings.
 * @type {{ trick: string, [setting: string]: any }[]}
 */
const recorded = readGolden('leaks.json').tricks;

/**
 * What a gradient of 0 moves after some others, by the names of settings; a mask makes such
 * gradients.
 */
const { MASKED, FADING, WITH_STATE } = await (async () => {
  const g = await init();
  const bits = (/** @type {Float32Array[]} */ arrays) =>
    arrays.map((values) => [...bitsOf(values)]);
  const names = { MASKED: [''], FADING: [''], WITH_STATE: [''] };
  for (const list of Object.values(names)) list.length = 0;
  for (const { name, rule, options, clip, isPoisoned } of SETTINGS) {
    if (clip || isPoisoned) continue;
    const [x, optimizer] = [g.variable([1, -2]), g.optimizers[rule](options)];
    const slots = () => bits(optimizer.slots.map((slot) => optimizer.slot(x, slot)));
    for (const gradient of [1, -2, 3]) optimizer.applyGradients([[[gradient, 0.5], x]]);
    const before = { x: bits([x.data()]), slots: slots() };
    optimizer.applyGradients([[[0, 0], x]]);
    // AdamW decays as well; the sums of AdaGrad and FTRL do not fade.
    if (!isDeepStrictEqual(bits([x.data()]), before.x)) names.MASKED.push(name);
    if (!isDeepStrictEqual(slots(), before.slots)) names.FADING.push(name);
    // A past, which a second optimizer or a plain step knows nothing of.
    if (before.slots.flat().some((word) => word !== 0)) names.WITH_STATE.push(name);
  }
  g.dispose();
  return names;
})();

/** Under which settings each trick leaks: values, slots, others. Everywhere else it is exact. */
const PRODUCT = [[...MASKED, 'NaN gradient', 'NaN + clip'], FADING, ['NaN + clip']];
const CLAIMS = /** @type {Record<string, string[][]>} */ ({
  'mask × gradient': PRODUCT,
  'clip, then mask × gradient': [...PRODUCT.slice(0, 2), ['clip norm', 'NaN + clip']],
  'where(mask, gradient, 0)': [MASKED, FADING, []],
  'mask·x + stopGradient((1−mask)·x)': PRODUCT,
  "X'·M + (1−M)·X, X' = X each step": PRODUCT,
  'free scattered into a constant': [[], FADING, []],
  'write the old values back': [[], WITH_STATE, ['clip norm', 'NaN + clip']],
  'a second optimizer, var_list': [[], [], WITH_STATE],
  'gather, scatter −lr·g': [[], [], [...WITH_STATE, 'clip norm', 'NaN + clip']],
  'x.lock(indices), applyGradients': [[], [], []],
  'x.trainOnly(indices), minimize': [[], [], []],
});

test('each trick leaks where the table of claims says, and a lock leaks nothing', () => {
  const leaking = rows.map(({ trick, leaks }) => [
    trick,
    QUESTIONS.map((question) =>
      SETTINGS.filter((_, i) => leaks[i][question].bits > 0).map(({ name }) => name),
    ),
  ]);
  assert.deepEqual(Object.fromEntries(leaking), CLAIMS);
});

test('a trick moves as many locked elements here as in Keras, under every rule that Keras has', () => {
  assert.ok(recorded.length >= 5);
  for (const { trick, ...bySetting } of recorded) {
    const own = rows.find((row) => row.trick === trick);
    assert.ok(own, trick);
    for (const [i, { name, rule }] of SETTINGS.entries()) {
      if (isLacking(rule, 'keras')) continue;
      const where = `${trick}, ${name}`;
      const mend = `run tests/golden/leaks.py with ${name}, or add ${rule} to LACKING in reference.js`;
      assert.ok(bySetting[name], `leaks.json has no ${name}: ${mend}`);
      /** @type {Leak} */
      const here = own.leaks[i];
      const there = /** @type {Leak} */ (
        Object.fromEntries(
          QUESTIONS.map((q) => [
            q,
            { bits: bySetting[name][q][0], elements: bySetting[name][q][1] },
          ]),
        )
      );
      assert.equal(here.values.elements, there.values.elements, where);
      assert.ok([0, held].includes(here.values.elements), where);
      assert.equal(here.slots.elements, there.slots.elements, where);
      // Keras sums norms in f32, in an order that depends on the size: a few last bits of others
      // are no leak.
      const every = PROBLEM.free.length;
      assert.equal(here.others.elements === every, there.others.elements === every, where);
      // Of plain SGD and momentum the bits themselves are the same; those of a NaN are the engine's
      // choice.
      if (name === 'SGD' || name === 'momentum') {
        assert.deepEqual([here.values, here.slots], [there.values, there.slots], where);
      }
    }
  }
});

/**
 * Cells of the table under a heading, its first row first.
 * @param {string} heading The text before the table.
 */
const tableAfter = (heading) => {
  const [, text = ''] = page.split(heading);
  const [, table = ''] = text.match(/((?:^\|.*\n)+)/m) ?? [];
  const lines = table.trim().split('\n');
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
};

test('docs/from-tensorflow.md says how many elements each trick moves', () => {
  const [head, , ...lines] = tableAfter('## What leaks');
  assert.ok(head.length > 6 && lines.length >= 9);
  for (const [trick, ...cells] of lines) {
    const row = rows.find((one) => one.trick === trick);
    assert.ok(row, trick);
    const measured = head.slice(1).map((name) => {
      const i = SETTINGS.findIndex((setting) => setting.name === name);
      return String(row.leaks[i].values.elements);
    });
    assert.deepEqual(cells, measured, trick);
  }
  assert.ok(page.includes(`\n${held} of 64 elements are held`));
});

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

test('docs/from-tensorflow.md says what its blocks give', async () => {
  const blocks = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code).join('');
  /** @type {string[]} */
  const expected = [];
  const body = blocks
    .replace(/^import .*\n/gm, '')
    .replace(/^(.+); \/\/ → (.+)$/gm, (_, expression, value) => {
      expected.push(`${expression} → ${value}`);
      return `out.push(${JSON.stringify(`${expression} → `)} + (${expression}));`;
    });
  assert.ok(expected.length > 15);
  /** @type {string[]} */
  const out = [];
  await new AsyncFunction('out', 'init', 'layers', body)(out, init, layers);
  assert.deepEqual(out, expected);
});

/** What the calls of the table's last column hold, in their order; all else trains. */
const HELD = /** @type {Record<string, Record<string, number[]>>} */ ({
  'x.trainOnly({ mask })': { x: [1, 3, 5] },
  'x.lock(indices)': { x: [1, 3, 5] },
  'x.trainOnly(indices)': { x: [0, 2, 4] },
  'x.trainOnly({ topK: { fraction: 0.2 } })': { x: [0, 1, 2, 3, 4] },
  'y.trainOnly({ indices: [[0, 0], [1, 1]] })': { y: [1, 2] },
  "x.unlock('all')": {},
  "y.lock('all')": { y: [0, 1, 2, 3] },
  "model.trainOnly((w) => w.name !== 'first/kernel')": { 'first/kernel': [0, 1, 2, 3] },
  'layer.trainable = false': { 'first/kernel': [0, 1, 2, 3], 'first/bias': [0, 1] },
  'layer.kernel.lock({ rows: [0] })': { 'first/kernel': [0, 1] },
});

test('each line of docs/from-tensorflow.md holds what the trick beside it is for, under AdamW', async () => {
  const lines = tableAfter('# Coming from').slice(2);
  assert.equal(lines.length, 15);
  const calls = lines.flatMap(([, , cell]) =>
    Array.from(cell.matchAll(/`((?:x|y|layer|model)\.[^`]*[)e])`/g), ([, code]) => String(code)),
  );
  assert.deepEqual([...new Set(calls)].sort(), Object.keys(HELD).sort());
  const g = await init();
  for (const [code, locked] of Object.entries(HELD)) {
    const nn = layers(g, { seed: 1 });
    const x = g.variable([1, 2, 3, 4, 5, 6], { shape: [2, 3], name: 'x' });
    const y = g.variable([1, 2, 3, 4], { shape: [2, 2], name: 'y' });
    const layer = nn.dense({ units: 2, activation: 'tanh', inputShape: [2], name: 'first' });
    const model = nn.sequential([layer, nn.dense({ units: 2, name: 'last' })]);
    const all = [x, y, ...model.weights];
    const loss = () => {
      const output = model.apply(g.mul(0.1, g.add(y, g.mean(x))));
      return g.add(g.sum(g.square(x)), g.sum(g.square(g.sub(output, 3))));
    };
    const adam = g.optimizers.adamW({ learningRate: 0.01 });
    adam.minimize(loss, { variables: all, steps: 2 });
    const indices = [
      [0, 1],
      [1, 0],
      [1, 2],
    ];
    const mask = [
      [1, 0, 1],
      [0, 1, 0],
    ];
    if (code.startsWith('x.unlock')) x.lock(indices);
    new Function('x', 'y', 'mask', 'indices', 'layer', 'model', code)(
      ...[x, y, mask, indices, layer, model],
    );
    const before = all.map((variable) => variable.data());
    adam.minimize(loss, { variables: all, steps: 3 });
    for (const [i, variable] of all.entries()) {
      const [was, is] = [bitsOf(before[i]), bitsOf(variable.data())];
      const kept = [...was.keys()].filter((k) => was[k] === is[k]);
      assert.deepEqual(kept, locked[variable.name] ?? [], `${code}: ${variable.name}`);
    }
  }
  g.dispose();
});
