/**
 * The questions before the first step: their answers are measured, and no lede gives them away.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { tables as languages } from '../../web/strings/index.js';
import { openRun, sceneOf } from './runs.js';
import { named } from './thumbnails.js';

/** @typedef {NonNullable<import('../../web/scenes/scene.js').SceneWords['guess']>} GuessWords */

/** @param {string} id */
const askedOf = (id) =>
  /** @type {import('../../web/scenes/scene.js').Asked} */ (sceneOf(id).guess);

/** Opens a scene and trains it until its question is answered. @param {string} id */
async function answered(id) {
  const { after, of } = askedOf(id);
  const run = await openRun(id, id === 'picture' ? named('HOLD') : {});
  if (of === 'mask') run.do({ do: 'switch', to: 'mask' });
  const first = run.main.loss();
  run.advance(after);
  return { main: run.main, rival: run.rival, first };
}

/** The number of the right answer in each scene as it opens; null if a person has to prune first. */
const RIGHT = {
  ...{ 'two-by-two': 1, picture: 1, membrane: 1, 'leak-lab': 2, words: 1, freeze: 1 },
  ...{ network: null, lottery: null, digits: 1, kernels: 1, graph: 0, peaks: 1, own: 0 },
};

for (const [id, right] of Object.entries(RIGHT)) {
  test(`${id}: a guess is judged by the run’s results`, async () => {
    const asked = askedOf(id);
    const { main, rival, first } = await answered(id);
    const held = main.mask.reduce((sum, bit) => sum + bit, 0);
    assert.equal(held, asked.held ?? held, 'it opens with as many locks as it asks about');
    const run = (asked.of === 'rival' && rival) || main;
    const { moved } = run.drift(run.values());
    const readings = main.readings() ?? {};
    const facts = { held, moved, first, loss: main.loss() };
    assert.equal(asked.right({ ...facts, reading: (name) => readings[name][0] }), right);
  });
}

test('a guess about all locks is not judged by a run that has freed some', () => {
  const reading = () => 1;
  for (const id of ['two-by-two', 'freeze', 'lottery', 'graph', 'own'])
    assert.equal(askedOf(id).right({ held: 0, moved: 0, first: 9, loss: 0, reading }), null, id);
});

test('where no cell has moved, a question about leaks is answered so', () => {
  const facts = { held: 9, moved: 0, first: 9, loss: 0, reading: () => 1 };
  for (const id of ['picture', 'leak-lab', 'words']) assert.equal(askedOf(id).right(facts), 0, id);
});

test('Lottery ticket’s answer has the number of its 41 runs', () => {
  const file = new URL('../../web/scenes/lottery/runs.txt', import.meta.url);
  const runs = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(runs.length, 41);
  const mean = (/** @type {string} */ key, /** @type {number} */ at) => {
    const scores = runs
      .filter((run) => run.key === key && run.at === at)
      .map(({ points }) => points.at(-1)[1].testScore[0]);
    return `${Math.round((100 * scores.reduce((sum, score) => sum + score, 0)) / scores.length)}\u00a0%`;
  };
  for (const { scenes } of Object.values(languages)) {
    const told = String(/** @type {any} */ (scenes.lottery.guess).told({ percent: () => '' }));
    assert.deepEqual(told.match(/\d+\u00a0%/g), [mean('ticket', 100)]);
  }
});

/** What would answer a scene's question, in either language. @type {Record<string, RegExp>} */
const ANSWERS = {
  'two-by-two': /reach|cannot|loss|erreich|Verlust|bleib/i,
  picture: /drift|fade|dissolve|leak|fails|verblass|leckt|versagt/i,
  membrane: /smooth|still|stay|glatt|still|bleib/i,
  'leak-lab': /drift|moves|all of|leaks|wander|bewegt|alle von/i,
  words: /forg|stay|drift|verg[ae]ss|bleib|wander/i,
  freeze: /forg|stay|same|verg[ae]ss|bleib|gleich/i,
  network: /half|too few|mostly|%|Hälfte|zu wenig|meist/i,
  lottery: /worse|random|fifth|schlechter|zufällig|Fünftel/i,
  digits: /always|never|read as|immer|nie |gelesen/i,
  kernels: /same|other|change|learn|dasselbe|ander|lern/i,
  graph: /untangle|a knot|entwirr|einem Knoten/i,
  peaks: /meets|make up|help|wide|trifft|gleichen|helfen|breit/i,
  own: /smooth|neighbour|alike|same|mean|glatt|nachbar|gleich|mittel/i,
};

for (const [tag, { scenes: words }] of Object.entries(languages)) {
  for (const { id } of scenes) {
    test(`${tag}: ${words[id].name} asks a question that neither its lede nor its card answers`, () => {
      const { lede, card, guess } = words[id];
      const { question, answers } = /** @type {GuessWords} */ (guess);
      assert.match(question, /[?]$/);
      assert.ok(answers.length >= 2 && new Set(answers).size === answers.length);
      assert.ok(ANSWERS[id], `add to ANSWERS what would answer the question of ${id}`);
      for (const text of [lede, card]) {
        assert.doesNotMatch(text, ANSWERS[id]);
        for (const answer of answers) assert.ok(!text.includes(answer), answer);
      }
    });
  }
}
