/* Tier: test. */
/**
 * Studies: runs trained in the background have the bits of live ones, and leave the live one its
 * own.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Session } from '../../web/engine/session.js';
import { Studies, Study } from '../../web/engine/study.js';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { scene as leakLab } from '../../web/scenes/leak-lab/scene.js';
import { scene as network } from '../../web/scenes/network/scene.js';
import { openingState, setupOf } from '../../web/state/state.js';
import { trainRuns } from './lottery-runs.js';
import { g } from './runs.js';

/** @typedef {import('../../web/scenes/scene.js').Scene} Scene */
/** @typedef {import('../../web/scenes/scene.js').StudyRun} StudyRun */
/** @typedef {import('../../web/engine/protocol.js').StudyRecipe} StudyRecipe */

/** A scene whose study has these runs. @param {Scene} scene @param {(...given: any[]) => any} runs @returns {Scene} */
const studied = (scene, runs) => ({ ...scene, study: { count: 1, isAsked: true, runs } });

/** Whatever is read is the loss's own business. @param {Scene} scene */
const setupOfScene = (scene) => setupOf(openingState(scene));

/** @param {Scene} scene */
const cellsIn = (scene) => cellsOf(layoutOf(scene, setupOfScene(scene)));

/** @param {number} cells @param {number} every */
const someOf = (cells, every) => Uint8Array.from({ length: cells }, (_, i) => (i % every ? 0 : 1));

/** @param {Scene} scene */
const begin = (scene) => new Study(g, scene, setupOfScene(scene), scene.optimizer);

/** @param {Study} study @returns {any[]} what has been found out */
function finish(study) {
  while (study.isRunning) study.advance(1);
  return study.log;
}

/** A run as the scene opens it. @param {Scene} scene */
const recipeOf = (scene) => ({
  ...{ ...openingState(scene), key: '', at: 0, every: 0 },
  rule: /** @type {const} */ ('lock'),
});

/** What opening a recipe makes. @param {Scene} scene @param {StudyRecipe} recipe */
function opened(scene, { optimizer, locks, zeros, rule, steps }) {
  const session = new Session(g, scene, setupOfScene(scene), {
    ...{ optimizer, locks, zeros, events: [] },
    look: { beside: rule === 'mask' ? 'mask' : 'none', rival: optimizer },
  });
  for (const _ of session.opening(steps, null));
  return session;
}

for (const scene of [network, leakLab]) {
  test(`${scene.id}: a study's run has the bits of the same run opened, at its end and on its way`, () => {
    const cells = cellsIn(scene);
    const [third, half] = [someOf(cells, 3), someOf(cells, 2)];
    const rate = { ...scene.optimizer, rule: /** @type {const} */ ('adamW'), weightDecay: 0.1 };
    const sgd = { ...scene.optimizer, rule: /** @type {const} */ ('sgd'), learningRate: 0.03 };
    /** @type {StudyRun[]} */
    const runs = [
      { key: 'a', at: 1, steps: 30 },
      { key: 'a', at: 2, steps: 21, every: 5, locks: third },
      { key: 'a', at: 3, steps: 20, every: 5, locks: third, zeros: third, optimizer: rate },
      { key: 'b', at: 1, steps: 33, rule: 'mask', locks: half, optimizer: rate },
      { key: 'b', at: 2, steps: 1, zeros: half },
      { key: 'b', at: 3, steps: 25, optimizer: sgd },
    ];
    const log = finish(begin(studied(scene, () => runs)));
    const recipes = log.filter((entry) => 'recipe' in entry).map(({ recipe }) => recipe);
    const ends = log.filter(({ digest }) => typeof digest === 'string');
    assert.equal(recipes.length, runs.length);
    assert.equal(ends.length, runs.length);
    for (const [i, recipe] of recipes.entries()) {
      const session = opened(scene, recipe);
      assert.equal(ends[i].step, session.step);
      const run = recipe.rule === 'mask' ? session.rival : session.main;
      assert.equal(run?.digest(), ends[i].digest, `run ${i}`);
      assert.deepEqual(ends[i].readings, run?.readings() ?? {}, `run ${i}`);
    }
    const [, second, next] = log.flatMap((entry, i) => ('recipe' in entry ? [i] : []));
    const steps = log.slice(second + 1, next).map(({ step }) => step);
    const { warm = 0 } = scene;
    assert.deepEqual(steps, warm ? [8, 10, 15, 20, 21] : [0, 5, 10, 15, 20, 21]);
  });
}

test('what comes next may depend on how a run has ended', () => {
  /** @returns {Generator<StudyRun, void, import('../../web/scenes/scene.js').Ended>} */
  function* runs() {
    let zeros = new Uint8Array(105);
    for (let at = 0; at < 3; at++) {
      const { values, readings } = yield { key: 'a', at, steps: 20, locks: zeros, zeros };
      assert.equal(readings.score.length, 1);
      const sizes = values.map(Math.abs).sort();
      zeros = Uint8Array.from(values, (value) => (Math.abs(value) < sizes[20 * (at + 1)] ? 1 : 0));
    }
  }
  const scene = studied(network, runs);
  const log = finish(begin(scene));
  /** @type {(Uint8Array | null)[]} */
  const zeros = log.flatMap(({ recipe }) => (recipe ? [recipe.zeros] : []));
  const counts = zeros.map((mask) => mask?.reduce((sum, bit) => sum + bit, 0) ?? 0);
  assert.deepEqual(counts, [0, 20, 40]);
  assert.ok(
    zeros[1]?.every((bit, i) => bit <= (zeros[2]?.[i] ?? 0)),
    'what is gone stays gone',
  );
  assert.deepEqual(finish(begin(scene)), log, 'and again it is the same');
});

test('a live run has the same bits with a study under way and without', () => {
  const scene = studied(network, () => [{ key: 'a', at: 0, steps: 5000, rule: 'mask' }]);
  const locks = someOf(cellsIn(scene), 4);
  const [alone, beside] = [0, 0].map(() => opened(scene, { ...recipeOf(scene), locks, steps: 0 }));
  alone.advance(60);
  const study = begin(scene);
  for (let i = 0; i < 20; i++) {
    study.advance(1);
    beside.advance(3);
  }
  assert.ok(study.isRunning && study.step > 0, 'the study was under way all the time');
  assert.equal(beside.main.digest(), alone.main.digest());
  assert.deepEqual(beside.main.readings(), alone.main.readings());
  study.stop();
});

test('a study that is left has stopped and leaves nothing behind; of the same setup it stays', () => {
  const scene = studied(network, function* () {
    for (let at = 0; ; at++) yield { key: 'a', at, steps: 3, rule: at % 2 ? 'mask' : 'lock' };
  });
  const locks = new Uint8Array(cellsIn(scene));
  const session = opened(scene, { ...recipeOf(scene), locks, steps: 0 });
  const same = opened(scene, { ...recipeOf(scene), locks, steps: 9 });
  const other = new Session(
    g,
    scene,
    { ...setupOfScene(scene), seed: 2 },
    { ...recipeOf(scene), look: recipeOf(scene) },
  );
  const { objects } = g.memory();
  const studies = new Studies();
  studies.open(g, session);
  assert.equal(studies.news(), null, 'it waits until it is asked for');
  studies.start(g, session);
  const { count = 0, id = 0 } = { count: advanced(studies), id: studies.news()?.id };
  assert.ok(count > 4);
  studies.open(g, same);
  assert.ok(studies.isRunning);
  assert.deepEqual(studies.news({ id, count })?.log, [], 'the page knows all of it');
  assert.equal(studies.news({ id: id - 1, count })?.log.length, count, 'and nothing of another');
  studies.open(g, other);
  assert.equal(studies.isRunning, false);
  assert.equal(studies.news(), null);
  assert.equal(g.memory().objects, objects);
  studies.start(g, other);
  advanced(studies);
  studies.stop();
  assert.ok((studies.news()?.log.length ?? 0) > 0, 'what was found out stays');
  assert.equal(g.memory().objects, objects);
});

/** @param {Studies} studies @returns {number} */
function advanced(studies) {
  for (let i = 0; i < 10; i++) studies.advance(3);
  return studies.news()?.log.length ?? 0;
}

/** @type {[what: string, given: any, told: RegExp][]} */
const wrong = [
  ['nothing', undefined, /has as key a text, got undefined/],
  ['null', null, /has as key/],
  ['no key', { key: '' }, /has as key a text/],
  ['a place that is no number', { at: Number.NaN }, /has as at a number, got NaN/],
  ['no steps', { steps: 0 }, /has as steps a whole number from 1/],
  ['steps without end', { steps: Infinity }, /steps.*got Infinity/],
  ['part of a step', { steps: 2.5 }, /steps.*got 2\.5/],
  ['a reading each −1 steps', { every: -1 }, /has as every/],
  ['another way to hold', { rule: 'glue' }, /'lock' or 'mask', got glue/],
  ['an optimizer by name', { optimizer: 'adam' }, /has as optimizer settings/],
  ['a rule that is none', { optimizer: { ...network.optimizer, rule: 'toString' } }, /optimizer/],
  ['a rate of NaN', { optimizer: { ...network.optimizer, learningRate: NaN } }, /optimizer/],
  [
    'too few locks',
    { locks: new Uint8Array(3) },
    /a Uint8Array of 105 0 or 1, got a Uint8Array of 3/,
  ],
  ['locks in a list', { locks: Array(105).fill(0) }, /has as locks a Uint8Array/],
  ['locks of 2', { locks: new Uint8Array(105).fill(2) }, /has as locks/],
  ['too many zeros', { zeros: new Uint8Array(106) }, /has as zeros a Uint8Array of 105/],
];
const good = { key: 'a', at: 1, steps: 4 };

for (const [what, given, told] of wrong) {
  test(`a study's run with ${what} ends the study with its name, and nothing else`, () => {
    const { objects } = g.memory();
    const bad = given ? { ...good, ...given } : given;
    const study = begin(studied(network, () => [good, bad, good]));
    const log = finish(study);
    assert.match(study.refusal?.message ?? '', told);
    assert.equal(study.refusal?.name, 'TypeError');
    assert.equal(log.length, 2, 'the run before it is told');
    assert.equal(g.memory().objects, objects);
  });
}

test('a study that throws, gives no list, or never ends, ends', () => {
  const { objects } = g.memory();
  const endless = function* () {
    for (;;) yield { ...good, steps: 1 };
  };
  /** @type {[runs: () => any, told: RegExp][]} */
  const hostile = [
    [() => assert.fail('on purpose'), /on purpose/],
    [() => null, /null/],
    [() => 5, /not.*(iterable|function)/],
    [
      () => {
        throw 'no error';
      },
      /no error/,
    ],
    [
      () => {
        throw undefined;
      },
      /undefined/,
    ],
    [
      function* () {
        yield good;
        throw new RangeError('later');
      },
      /later/,
    ],
    [endless, /at most 2000 runs/],
  ];
  for (const [runs, told] of hostile) {
    const study = begin(studied(network, runs));
    finish(study);
    assert.match(study.refusal?.message ?? '', told);
    assert.equal(g.memory().objects, objects);
  }
});

test('a study’s own readings that fail end it, and the live run goes on', () => {
  const scene = studied(network, () => [good]);
  const readings = () => {
    throw new Error('unreadable');
  };
  const bad = { ...scene, study: { ...scene.study, readings } };
  const live = opened(scene, { ...recipeOf(scene), locks: new Uint8Array(105), steps: 0 });
  const study = begin(/** @type {Scene} */ (bad));
  finish(study);
  assert.match(study.refusal?.message ?? '', /unreadable/);
  live.advance(5);
  assert.equal(live.step, 5);
});

test('the runs that Lottery ticket ships are those that the engine trains', async () => {
  const file = new URL('../../web/scenes/lottery/runs.txt', import.meta.url);
  const kept = readFileSync(file, 'utf8').trim().split('\n');
  let at = 0;
  for await (const line of trainRuns()) assert.equal(kept[at++], line);
  assert.equal(at, kept.length);
});
