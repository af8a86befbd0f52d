/**
 * The questions before the first step: their answers are measured, and no lede gives them away.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordedOf, withSameStart } from '../../web/app/recorded.js';
import { scenes } from '../../web/scenes/index.js';
import { percent } from '../../web/scenes/shared/figure.js';
import { tables as languages } from '../../web/strings/index.js';
import { openRun, sceneOf, stateOf } from './runs.js';
import { named } from './thumbnails.js';

/** @typedef {NonNullable<import('../../web/scenes/scene.js').SceneWords['guess']>} GuessWords */

/** @param {string} id */
const askedOf = (id) =>
  /** @type {import('../../web/scenes/scene.js').Asked} */ (sceneOf(id).guess);

/** What a person does before a question is asked, and what is judged: of Lottery ticket, a fifth. @param {string} id @param {string} kind @returns {Promise<Record<string, unknown>>} */
async function chosen(id, kind) {
  if (id === 'picture') return named('HOLD');
  if (id !== 'lottery') return {};
  const runs = withSameStart(await recordedOf(sceneOf(id)), await stateOf(id), sceneOf(id));
  const [whole] = runs.filter((one) => askedOf(id).opens?.(one));
  assert.ok(whole.at === 100 && !whole.locks.some(Boolean), 'its answer trains all weights first');
  const run = runs.find((one) => one.key === (kind || 'ticket') && one.at === 21);
  return { locks: run?.locks, zeros: run?.zeros };
}

/** Opens a scene and trains it until its question is answered. @param {string} id @param {string} [kind] */
async function answered(id, kind = '') {
  const { after, of } = askedOf(id);
  const run = await openRun(id, await chosen(id, kind));
  if (of === 'mask') run.do({ do: 'switch', to: 'mask' });
  const first = run.main.loss();
  run.advance(after);
  return { main: run.main, rival: run.rival, first };
}

/** The number of the right answer in each scene as it opens; of Lottery ticket, with the largest fifth. */
const RIGHT = {
  ...{ 'two-by-two': 1, picture: 1, membrane: 1, 'leak-lab': 2, words: 1, freeze: 1 },
  ...{ network: 1, lottery: 1, digits: 1, kernels: 1, graph: 0, peaks: 1, own: 0 },
};

for (const [id, right] of Object.entries(RIGHT)) {
  test(`${id}: a guess is judged by the run’s results`, async () => {
    const asked = askedOf(id);
    const { main, rival, first } = await answered(id);
    const held = main.mask.reduce((sum, bit) => sum + bit, 0);
    assert.ok([asked.held ?? held].flat().includes(held), 'it has the locks that it asks about');
    const run = (asked.of === 'rival' && rival) || main;
    const { moved } = run.drift(run.values());
    const readings = main.readings() ?? {};
    const facts = { held, moved, first, loss: main.loss() };
    assert.equal(asked.right({ ...facts, reading: (name) => readings[name][0] }), right);
  });
}

test('a guess about all locks is not judged by a run that has freed some', () => {
  const reading = () => 1;
  for (const id of ['freeze', 'lottery', 'graph'])
    assert.equal(askedOf(id).right({ held: 0, moved: 0, first: 9, loss: 0, reading }), null, id);
  for (const id of ['two-by-two', 'network', 'own'])
    assert.ok(askedOf(id).held, `${id}: it is judged only while so many cells are locked`);
});

test('a random fifth is far worse', async () => {
  const { main } = await answered('lottery', 'random');
  const reading = (/** @type {string} */ name) => main.readings()?.[name][0] ?? Number.NaN;
  assert.equal(askedOf('lottery').right({ held: 211, moved: 0, first: 9, loss: 0, reading }), 0);
});

test('Weights locks weights that would move far, and the others are enough', async () => {
  const locked = await openRun('network');
  const free = await openRun('network', { locks: new Uint8Array(105) });
  const last = (/** @type {typeof free} */ { main }) => [...main.values().slice(96, 104)];
  const kept = last(locked);
  assert.deepEqual(
    [...locked.main.mask.keys()].filter((i) => locked.main.mask[i]),
    [96, 97, 98, 99, 100, 101, 102, 103],
  );
  for (const run of [locked, free]) run.advance(300);
  assert.deepEqual(last(locked), kept);
  assert.ok(last(free).filter((value, i) => Math.abs(value - kept[i]) > 0.4).length > 6);
  assert.ok((locked.main.readings()?.testScore[0] ?? 0) > 0.95);
});

test('where no cell has moved, a question about leaks is answered so', () => {
  const facts = { held: 9, moved: 0, first: 9, loss: 0, reading: () => 1 };
  for (const id of ['picture', 'leak-lab', 'words']) assert.equal(askedOf(id).right(facts), 0, id);
});

test('Lottery ticket’s headline has the number of its 41 runs', () => {
  const file = new URL('../../web/scenes/lottery/runs.txt', import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const runs = lines.map((line) => JSON.parse(line));
  assert.equal(runs.length, 41);
  const whole = runs.filter(({ key, at }) => key === 'ticket' && at === 100);
  const scores = whole.map(({ points }) => points.at(-1)[1].testScore[0]);
  const mean = percent([scores.reduce((sum, score) => sum + score, 0) / scores.length]);
  for (const { scenes } of Object.values(languages)) {
    const { figures } = /** @type {any} */ (scenes.lottery);
    assert.deepEqual(figures.tickets.told('', 56, '').match(/\d+\u00a0%/g), [mean]);
  }
});

/** What would answer a scene's question, in either language. @type {Record<string, RegExp>} */
const ANSWERS = {
  'two-by-two': /reach|cannot|loss|erreich|Verlust|bleib/i,
  picture: /drift|fade|dissolve|leak|fails|verblass|leckt|versagt/i,
  membrane: /smooth|still|stay|glatt|still|bleib/i,
  'leak-lab': /drift|moves|all of|leaks|wander|bewegt|alle von/i,
  words: /forg|stay|drift|verg[ae]ss|bleib|wander/i,
  freeze: /forg|most|still|verg[ae]ss|meist|noch/i,
  network: /around|matters|umgeh|zählt|%/i,
  lottery: /worse|well|few|random|fifth|schlechter|gut|wenig|zufällig|Fünftel/i,
  digits: /always|never|read as|immer|nie |gelesen/i,
  kernels: /in 10|most|nearly|von 10|fast/i,
  graph: /untangle|a knot|entwirr|einem Knoten/i,
  peaks: /meets|make up|help|wide|trifft|gleichen|helfen|breit/i,
  own: /\d m\b|average|far|close|exact|mittel|weit|nah|genau/i,
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
