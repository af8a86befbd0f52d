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
  const run = await openRun(id, id === 'picture' ? named(languages.en.hold.word) : {});
  if (of === 'mask') run.do({ do: 'switch', to: 'mask' });
  run.advance(after);
  return run;
}

for (const { id } of scenes) {
  test(`${id}: the answer is what its run comes to`, async () => {
    const { of, opening } = askedOf(id);
    const run = await answered(id);
    const { main } = run;
    const held = main.mask.reduce((sum, bit) => sum + bit, 0);
    const of_ =
      of === 'rival' ? /** @type {import('../../web/engine/run.js').Run} */ (run.rival) : main;
    const { moved, farthest } = of_.drift(of_.values());
    const measured = { held, moved, farthest };
    assert.deepEqual(
      opening ?? { held: 0, moved: 0, farthest: 0 },
      measured,
      `web/scenes/${id}/lesson.js needs opening: ${JSON.stringify(measured)}`,
    );
  });
}

test('the right answers to questions about accuracy are the last ones', async () => {
  for (const [id, reading, least] of /** @type {const} */ ([
    ['network', 'testScore', 0.9],
    ['digits', 'score', 250 / 300],
    ['kernels', 'score', 250 / 300],
  ])) {
    const run = await answered(id);
    const [share] = run.main.readings()?.[reading] ?? [0];
    assert.ok(share > least, `${id}: ${share}`);
  }
});

test('Lottery ticket’s answer has the numbers of its 41 runs', () => {
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
  const numbers = [mean('ticket', 100), '21\u00a0%', mean('ticket', 21), mean('random', 21)];
  for (const { scenes } of Object.values(languages)) {
    const told = String(/** @type {any} */ (scenes.lottery.guess).told());
    assert.deepEqual(told.match(/\d+\u00a0%/g), numbers);
  }
});

/** What would answer a scene's question, in either language. @type {Record<string, RegExp>} */
const ANSWERS = {
  'two-by-two': /keep|bit|move|stay|behalten|beweg|bleib/i,
  picture: /drift|fade|dissolve|leak|fails|verblass|leckt|versagt/i,
  membrane: /smooth|still|stay|glatt|still|bleib/i,
  'leak-lab': /drift|moves|all of|leaks|wander|bewegt|alle von/i,
  words: /forg|stay|drift|verg[ae]ss|bleib|wander/i,
  freeze: /forg|stay|same|improve|verg[ae]ss|bleib|besser/i,
  network: /half|nine|per cent|%|Hälfte|neun/i,
  lottery: /seldom|random|fifth|selten|zufällig|Fünftel/i,
  digits: /\d{2}|half|most|Hälfte|meisten/i,
  kernels: /\d{2}|half|most|Hälfte|meisten/i,
  graph: /pinned[^.]*(stay|lock|move)|angeheftete[^.]*(bleib|gesperrt|beweg)/i,
  peaks: /meets|bits?\b|finds|trifft|findet/i,
  own: /stay|keep|bleibt|behält/i,
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
