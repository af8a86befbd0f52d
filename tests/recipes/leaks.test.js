/* The table of leaks keeps its shape: what leaks, leaks here as it does in Keras; a lock does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { LOCKS, measure, PROBLEM, SETTINGS, TRICKS } from './leaks.js';
import { recordedInKeras } from './leaks-keras.js';
import { golden } from './recipe.js';

const all = (/** @type {string} */ names) => names.split(', ');
/** A gradient of 0 moves what these have momentum of; AdamW decays beside. */
const MASKED = all('momentum, Adam, AdamW, Adamax, Nadam, Lion');
/** Their averages fade under it, too; AdaGrad's and FTRL's sums do not. */
const FADING = all('momentum, Adam, AdamW, Adadelta, RMSprop, Adamax, Nadam, Lion');
/** They have a past, which a second optimizer or a plain step knows nothing of. */
const WITH_STATE = all(
  'momentum, Adam, AdamW, Adagrad, Adadelta, RMSprop, Adamax, Nadam, Lion, FTRL',
);

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
      /** @type {import('./leaks.js').Leak[]} */
      const [here, there] = [own.leaks[i], leaks[i]];
      assert.equal(here.values.elements, there.values.elements, where);
      assert.ok([0, PROBLEM.locked.length].includes(here.values.elements), where);
      assert.equal(here.slots.elements, there.slots.elements, where);
      // Keras sums norms in f32, in an order that depends on the size: a few last bits of others are no leak.
      const every = PROBLEM.free.length;
      assert.equal(here.others.elements === every, there.others.elements === every, where);
      // Of plain SGD and momentum the bits themselves are the same; those of a NaN are the engine's choice.
      if (name === 'SGD' || name === 'momentum') {
        assert.deepEqual([here.values, here.slots], [there.values, there.slots], where);
      }
    }
  }
});
