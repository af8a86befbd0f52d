/* Tier: test. */
/**
 * What a class shares: challenges that a link proves, links that are handed in, and lists of
 * them.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proofOf } from '../../web/engine/proof.js';
import { scene as freeze } from '../../web/scenes/freeze/scene.js';
import { challenges, findChallenge, findScene, scenes } from '../../web/scenes/index.js';
import { fromHandIn, toHandIn } from '../../web/state/hand-in.js';
import { packMask } from '../../web/state/codec.js';
import { tableToCsv } from '../../web/state/csv.js';
import { guessCodeOf, readGuessCodes } from '../../web/state/guess-code.js';
import { judge } from '../../web/state/judge.js';
import { fromLink } from '../../web/state/link.js';
import { MOST_LINKS, readLinkTable } from '../../web/state/link-table.js';
import { firstState, validate } from '../../web/state/state.js';
import { de } from '../../web/strings/de.js';
import { en } from '../../web/strings/en.js';
import { challengeWords, judgementText } from '../../web/view/judgement.js';
import { openSession, randomOf, stateOf } from './runs.js';

/** @typedef {import('../../web/state/history.js').Act} Act */
/** @typedef {number | Act} Move  steps to train, or an act */

/** Judges a run of a challenge's scene. @param {string} id @param {Move[]} moves @param {Record<string, unknown>} [patch] of the state */
async function judged(id, moves, patch = {}) {
  const challenge = /** @type {import('../../web/scenes/index.js').Challenge} */ (
    findChallenge(id)
  );
  const state = await stateOf(String(patch.scene ?? challenge.scene), patch);
  const session = openSession(state);
  for (const move of moves) {
    if (typeof move === 'number') session.advance(move);
    else session.do(move);
  }
  return judge(challenge, { ...state, ...session.recipe() }, proofOf(session));
}

/** @param {number[]} mask @returns {Act} */
const lock = (mask) => ({ do: 'locks', mask: packMask(Uint8Array.from(mask)) });
/** @param {number} learningRate @returns {Act} */
const sgd = (learningRate) => ({
  ...{ do: 'optimizer' },
  settings: { rule: 'sgd', learningRate, momentum: 0.9, weightDecay: 0 },
});
const LAST = lock([0, 0, 0, 1]);

for (const [
  claim,
  id,
  moves,
  patch,
  wanted,
] of /** @type {[string, string, Move[], Record<string, unknown>, object][]} */ ([
  ['one step of SGD does it', 'three-cells', [LAST, sgd(0.5), 1], {}, { score: 1 }],
  ['Adam takes longer', 'three-cells', [LAST, 200], {}, { score: 200 }],
  ['four free cells are too many', 'three-cells', [lock([0, 0, 0, 0]), 100], {}, { found: 4 }],
  ['the wrong three end too high', 'three-cells', [lock([0, 1, 0, 0]), 200], {}, { found: 1 }],
  ['a lock after the first step', 'three-cells', [50, LAST, 100], {}, { act: 'locks' }],
  [
    'a typed value',
    'three-cells',
    [LAST, { do: 'assign', index: 0, value: 1 }, 50],
    {},
    { act: 'assign' },
  ],
  [
    'a mask instead of locks',
    'three-cells',
    [LAST, { do: 'switch', to: 'mask' }, 100],
    {},
    { broken: 'mask' },
  ],
  ['too many steps', 'three-cells', [LAST, 2001], {}, { broken: 'steps' }],
  ['another scene', 'three-cells', [10], { scene: 'peaks' }, { broken: 'scene' }],
  ['a third pruned', 'few-weights', [500, { do: 'prune', fraction: 0.3 }, 500], {}, { score: 76 }],
  ['nothing trained', 'few-weights', [], {}, { missed: { of: 'score', atLeast: 0.95 } }],
  ['other data', 'few-weights', [500], { choices: { data: 'xor' } }, { broken: 'setup' }],
  ['other layers', 'few-weights', [500], { rows: 4, cols: 4 }, { broken: 'setup' }],
  ['another seed', 'few-weights', [500], { seed: 2 }, { broken: 'setup' }],
  ['the locks of the scene', 'old-digits', [400], {}, { score: 457 }],
  [
    'nothing locked',
    'old-digits',
    [lock(Array(542).fill(0)), 400],
    {},
    { missed: { of: 'old', atLeast: 0.9 } },
  ],
  [
    'another optimizer from the start',
    'old-digits',
    [400],
    { optimizer: { rule: 'sgd', learningRate: 0.01, momentum: 0, weightDecay: 0 } },
    { broken: 'setup' },
  ],
  [
    'an option that its rule does not use',
    'old-digits',
    [399],
    { optimizer: { ...freeze.optimizer, momentum: 0.123 } },
    { found: 399 },
  ],
  [
    'another optimizer where it is free',
    'three-cells',
    [LAST, 1],
    { optimizer: { rule: 'sgd', learningRate: 0.5, momentum: 0, weightDecay: 0 } },
    { score: 1 },
  ],
  ['too early', 'old-digits', [399], {}, { found: 399 }],
])) {
  test(`challenge ${id}: ${claim}`, async () => {
    const found = /** @type {any} */ (await judged(id, moves, patch));
    for (const [name, value] of Object.entries(wanted)) {
      const given = typeof value === 'number' ? Math.round(found[name]) : found[name];
      assert.deepEqual(given, value, JSON.stringify(found));
    }
  });
}

test('what is missing is told in counts, in percent, or as a loss', () => {
  for (const [id, missed, found, says] of /** @type {[string, any, number, RegExp][]} */ ([
    ['three-cells', { of: 'unlocked', atMost: 3 }, 4, /Free cells: 4\..* at most 3\./],
    ['old-digits', { of: 'step', atLeast: 400 }, 399, /Steps: 399\..* at least 400\./],
    ['old-digits', { of: 'step', atLeast: 4000 }, 1234, /Steps: 1,234\..* at least 4,000\./],
    ['few-weights', { of: 'score', atLeast: 0.95 }, 0.6128, /side: 61\.3\s%\..* at least 95\s%\./],
    ['three-cells', { of: 'loss', atMost: 0.3 }, 7.5, /Loss: 7\.5000\..* at most 0\.3\./],
  ]))
    assert.match(judgementText(id, { missed, found }), says);
});

test('each challenge is of its own scene, and has words in both languages', () => {
  for (const { id, scene, goals } of challenges) {
    assert.ok(findScene(scene));
    assert.equal(challenges.filter((one) => one.scene === scene).length, 1, scene);
    assert.ok(challengeWords(id).task);
    for (const { challenges: words } of [en, de]) {
      for (const { of } of goals) assert.ok(words.goals[of], of);
    }
  }
});

test('a hand-in is read back as it was written, and the run’s reader ignores it', () => {
  const state = firstState();
  for (const [
    claim,
    name,
  ] of /** @type {[import('../../web/state/hand-in.js').ClaimedResult, string][]} */ ([
    [{ step: 3, locked: 2, loss: 1e21, digest: '0a' }, 'Ada & Bo=#%+ "ü"'],
    [{ step: 0, locked: 0, loss: Number.NaN, digest: 'f' }, ''],
    [{ step: 9, locked: 1, loss: -0, digest: 'f' }, 'x'.repeat(60)],
    [{ step: 9, locked: 1, loss: Infinity, digest: 'f' }, ' padded '],
  ])) {
    const hash = toHandIn(state, claim, name, 'few-weights');
    assert.deepEqual(fromHandIn(hash), {
      ...{ claim, isClaimed: true, name: name.trim(), challenge: 'few-weights' },
    });
    const { state: read, problems } = validate(fromLink(hash) ?? {}, state);
    assert.deepEqual(problems, []);
    assert.deepEqual(read, state);
  }
});

/** A link whose hash a program has escaped. @param {string} link @param {number} times */
function escaped(link, times) {
  let [address, hash] = link.split('#');
  for (let i = 0; i < times; i++) hash = encodeURIComponent(hash);
  return `${address}#${hash}`;
}

test('a list of links is read in every shape, and no text takes long', () => {
  const link = 'https://a.b/c/?lang=en#v=1&scene=peaks&optimizer=adam,0.1,0.9,0&step=3';
  for (const [text, names] of /** @type {[string, string[]][]} */ ([
    [`${link}\n${link}`, ['', '']],
    [`name,link\nAda,"${link}"\nBo,"${link}"`, ['Ada', 'Bo']],
    [`\ufeff2026-01-01;Ada Lovelace;${link};\r\n`, ['2026-01-01 Ada Lovelace']],
    [`Ada: <a href="${link}">run</a>`, ['Ada: <a href= >run</a>']],
    [`see ${link}.`, ['see']],
    [`<${link}>`, ['']],
    [`Ada;${link.replaceAll('&', '&amp;')}`, ['Ada']],
    [`Ada;${escaped(link, 1)}\nBo;${escaped(link, 2)};x`, ['Ada', 'Bo x']],
    [`${link} ${link}`, ['', '']],
    ['# a heading\nhttp://a/#top', []],
  ])) {
    const { entries } = readLinkTable(text);
    assert.deepEqual(
      entries.map((entry) => entry.name),
      names,
      text,
    );
    for (const entry of entries) assert.equal(entry.link, link);
  }
  const { entries, left, unread } = readLinkTable(`${link}\n`.repeat(MOST_LINKS + 3));
  assert.deepEqual([entries.length, left, unread], [MOST_LINKS, 3, []]);
  const lines = `name;link\n\n;;\nAda;${link}\n Bo; http://a.b/c/?lang=en\r\n--`;
  assert.deepEqual(readLinkTable(lines).unread, ['name;link', 'Bo; http://a.b/c/?lang=en']);
  for (const piece of ['#', 'http://', 'a', '#a', '#a=', '"', 'A-', '#a=).', '#%25']) {
    readLinkTable(piece.repeat(1_000_000 / piece.length));
  }
  assert.equal(
    tableToCsv([
      ['a', 1],
      ['-1', 'x"y'],
    ]),
    '\ufeffa,1\r\n\'-1,"x""y"\r\n',
  );
});

test('codes of guesses are read, and any wrong character or swap of neighbours is found', () => {
  const draw = randomOf(23);
  const anyOf = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-Ö';
  const guesses = scenes.flatMap(({ id }) => [0, 1, 5].map((answer) => ({ scene: id, answer })));
  const codes = guesses.map(({ scene, answer }) =>
    guessCodeOf(
      scene,
      answer,
      Uint32Array.from({ length: 4 }, () => draw() * 2 ** 32),
    ),
  );
  const list = codes.map((code, i) => (i % 2 ? `Ada,${code.toLowerCase()};` : `${code}.`));
  const all = { guesses: guesses, mistyped: [] };
  assert.deepEqual(readGuessCodes(`${list.join(' ')}\n${codes[0]}`), all);
  // Codes from before the check letter end one letter earlier.
  assert.deepEqual(readGuessCodes(codes.map((code) => code.slice(0, -1)).join()), all);
  for (const code of codes) {
    for (let at = 0; at < code.length; at++) {
      const [a, b = ''] = code.slice(at, at + 2);
      const damaged = [...anyOf].map((letter) => letter + b);
      for (const pair of new Set([...damaged, b + a])) {
        const typed = code.slice(0, at) + pair + code.slice(at + 2);
        if (typed === code) continue;
        assert.deepEqual(readGuessCodes(typed), { guesses: [], mistyped: [typed] });
      }
    }
  }
  const text =
    'Ada: guess B, on 27 November; see LEAK-LAB-B-7QK3, NO-SCENE-A-2222, LEAK-LAB-G-2222';
  const mistyped = ['NO-SCENE-A-2222', 'LEAK-LAB-G-2222'];
  assert.deepEqual(readGuessCodes(text), { guesses: [{ scene: 'leak-lab', answer: 1 }], mistyped });
});
