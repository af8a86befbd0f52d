/* The table of leaks keeps its shape: what leaks, leaks here as it does in Keras; a lock does
 * not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { init } from 'gradlock';
import { isLacking } from '../js/reference.js';
import { bitsOf } from '../js/support.js';
import { LOCKS, measure, PROBLEM, SETTINGS, TRICKS } from './leaks.js';
import { recordedInKeras } from './leaks-keras.js';
import { golden } from './recipe.js';

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
    // AdamW decays beside; the sums of AdaGrad and FTRL do not fade.
    if (!isDeepStrictEqual(bits([x.data()]), before.x)) names.MASKED.push(name);
    if (!isDeepStrictEqual(slots(), before.slots)) names.FADING.push(name);
    // A past, which a second optimizer or a plain step knows nothing of.
    if (before.slots.flat().some((word) => word !== 0)) names.WITH_STATE.push(name);
  }
  g.dispose();
  return names;
})();

test('a gradient of 0 moves what has momentum or decays, as it does in Keras', () => {
  const known = SETTINGS.filter(({ rule }) => !isLacking(rule, 'keras')).map(({ name }) => name);
  const ofKeras = (/** @type {string[]} */ names) => names.filter((name) => known.includes(name));
  assert.deepEqual(ofKeras(MASKED).join(', '), 'momentum, Adam, AdamW, Adamax, Nadam, Lion');
});

/** Under which settings each trick leaks: values, slots, others. Everywhere else it is exact. */
const CLAIMS = /** @type {Record<string, [string[], string[], string[]]>} */ ({
  'mask × gradient': [[...MASKED, 'NaN gradient', 'NaN + clip'], FADING, ['NaN + clip']],
  'clip, then mask × gradient': [
    [...MASKED, 'NaN gradient', 'NaN + clip'],
    FADING,
    ['clip norm', 'NaN + clip'],
  ],
  'where(mask, gradient, 0)': [MASKED, FADING, []],
  'mask·x + stopGradient((1−mask)·x)': [
    [...MASKED, 'NaN gradient', 'NaN + clip'],
    FADING,
    ['NaN + clip'],
  ],
  "X'·M + (1−M)·X, X' = X each step": [
    [...MASKED, 'NaN gradient', 'NaN + clip'],
    FADING,
    ['NaN + clip'],
  ],
  'free scattered into a constant': [[], FADING, []],
  'write the old values back': [[], WITH_STATE, ['clip norm', 'NaN + clip']],
  'a second optimizer, var_list': [[], [], WITH_STATE],
  'gather, scatter −lr·g': [[], [], [...WITH_STATE, 'clip norm', 'NaN + clip']],
});
const QUESTIONS = /** @type {const} */ (['values', 'slots', 'others']);

/** @param {{ trick: string, leaks: import('./leaks.js').Leak[] }} row */
const leaking = ({ leaks }) =>
  QUESTIONS.map((question) =>
    SETTINGS.filter((_, i) => leaks[i][question].bits > 0).map(({ name }) => name),
  );

test('each trick leaks where the table says, and nowhere else', async () => {
  const rows = measure(await init(), TRICKS);
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row.trick, leaking(row)])), CLAIMS);
});

test('a lock leaks nothing, under any rule', async () => {
  for (const row of measure(await init(), LOCKS)) {
    assert.deepEqual(leaking(row), [[], [], []], row.trick);
  }
});

test('where a trick leaks, every locked element moves, and as many do in Keras', async () => {
  const recorded = recordedInKeras();
  assert.equal(golden('leaks').lockedElements, PROBLEM.locked.length);
  assert.ok(recorded.length >= 5);
  const rows = measure(await init(), TRICKS);
  for (const { trick, leaks } of recorded) {
    const own = rows.find((row) => row.trick === trick);
    assert.ok(own, trick);
    for (const [i, { name }] of SETTINGS.entries()) {
      const where = `${trick}, ${name}`;
      /** @type {import('./leaks.js').Leak} */
      const here = own.leaks[i];
      const there = leaks[i];
      if (!there) continue;
      assert.equal(here.values.elements, there.values.elements, where);
      assert.ok([0, PROBLEM.locked.length].includes(here.values.elements), where);
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
