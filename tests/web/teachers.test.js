/* Tier: all. */
/**
 * What docs/teachers.md says that scenes show is what is measured: its numbers are made anew by the
 * scenes' runs.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cellsOfName } from '../../web/scenes/picture/lettering.js';
import { percent } from '../../web/scenes/shared/figure.js';
import { packMask } from '../../web/state/codec.js';
import { WRITE } from '../../web/state/history.js';
import { recorded } from './recorded-runs.js';
import { openRun as open, sceneOf } from './runs.js';

/** @typedef {import('../../web/engine/session.js').Session} Session */

/** Who stayed with the teacher when Zachary's club broke apart (1977, table 3). */
const WITH_THE_TEACHER = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17, 18, 20, 22];

const guide = readFileSync(new URL('../../docs/teachers.md', import.meta.url), 'utf8');

/** What the guide says of a scene, on one line. @param {string} name */
const seen = (name) => guide.split(`### ${name}\n`)[1].split('### ')[0].replace(/\s+/g, ' ');

/** Every one of the texts is what the guide says of a scene. @param {string} name @param {string[]} texts */
function says(name, ...texts) {
  const sheet = seen(name);
  for (const text of texts) assert.ok(sheet.includes(text), `“${text}” is not in: ${sheet}`);
}

/** The guide has these figures of a scene in this order, whatever words are between. @param {string} name @param {(string | number)[]} figures */
function shows(name, ...figures) {
  const sheet = seen(name);
  let at = 0;
  for (const figure of figures.map(String)) {
    const whole = new RegExp(`(?<![\\w.−])${figure.replaceAll('.', '\\.')}(?![\\w]|\\.\\d)`, 'g');
    whole.lastIndex = at;
    assert.ok(whole.test(sheet), `${figure} of ${figures.join(', ')} is missing in: ${sheet}`);
    at = whole.lastIndex;
  }
}

/** @param {Session} session @param {string} name */
const reading = (session, name) => percent(session.main.readings()?.[name]).replace('\u00a0', ' ');

/** Score after some steps. @param {Session} session @param {number} steps */
function scoreAfter(session, steps) {
  session.advance(steps);
  return reading(session, 'score');
}

/** What has become of the held cells, where a lock holds them and where a mask does. @param {Session} session */
const drifts = ({ main, rival }) =>
  [main, /** @type {NonNullable<typeof rival>} */ (rival)].map((run) => run.drift(run.values()));

test('Leak lab: what moved under each optimizer', async () => {
  for (const [rule, label] of [
    ['sgd', 'SGD'],
    ['momentum', 'Momentum'],
    ['adam', 'Adam'],
    ['adamW', 'AdamW'],
  ]) {
    const session = await open('leak-lab', { optimizer: { rule } });
    session.advance(60);
    const [lock, mask] = drifts(session);
    const farthest = mask.farthest ? mask.farthest.toFixed(2) : '0';
    says('Leak lab', `| ${label} | ${mask.moved} of 40 | ${farthest} | ${lock.moved} |`);
  }
});

test('Weights: points on the right side, with eight weights locked and with all lines', async () => {
  const next = /** @type {any} */ (sceneOf('network').guess).next[1].lock;
  for (const [data, label] of [
    ['circle', 'circle'],
    ['xor', 'exclusive or'],
    ['spiral', 'spiral'],
  ]) {
    const eight = await open('network', { choices: { data } });
    const locks = eight.main.mask.map((bit, i) => (next.includes(i) ? 1 : bit));
    const more = await open('network', { choices: { data }, locks });
    says('Weights', `| ${label} | ${scoreAfter(eight, 1500)} | ${scoreAfter(more, 1500)} |`);
  }
});

test('Lottery ticket: of unseen points, by the whole network and by what was kept of it', async () => {
  const found = [];
  for (const kept of [0.33, 0.2]) {
    const session = await open('lottery');
    session.advance(1500);
    found.push(reading(session, 'testScore'));
    session.do({ do: 'prune', fraction: 1 - kept });
    session.reset();
    session.advance(1500);
    found.push(reading(session, 'testScore'));
  }
  const [all, third, , fifth] = found;
  shows('Lottery ticket', all, third, '20 %', fifth);
});

test('Digits: what is read right', async () => {
  const session = await open('digits');
  const right = scoreAfter(session, 100);
  const sixes = Math.round(30 * (session.main.readings()?.sixes[0] ?? 0));
  shows('Digits', 100, right, sixes, 30);
});

test('Kernels: what is read right with kernels that are known, learnt and drawn by lot', async () => {
  const after = async (/** @type {string} */ kernels, /** @type {object} */ patch = {}) =>
    scoreAfter(await open('kernels', { choices: { kernels }, ...patch }), 100);
  const known = [await after('strokes'), await after('strokes', { locks: new Uint8Array(410) })];
  const random = [await after('free'), await after('fixed')];
  shows('Kernels', 20, 100, known[0], 300, known[1], ...random, 600, await after('random'));
});

test('Freeze the base: old and new digits under a lock, under a mask, and with nothing locked', async () => {
  const pairs = [];
  for await (const { points } of recorded.freeze()) {
    const { old, fresh } = points[points.length - 1][1];
    const [first, second] = [old, fresh].map((share) => parseInt(percent(share), 10));
    pairs.push(`${first} and ${second}`);
  }
  shows('Freeze the base', 400, ...pairs);
});

test('New words: a mask forgets under AdamW, and holds under Adam', async () => {
  const session = await open('words');
  session.advance(200);
  const [lock, mask] = drifts(session);
  says(
    'New words',
    `all ${mask.moved} numbers of the old words have moved, by up to ${mask.farthest.toFixed(2)}.`,
    `Under the lock ${lock.moved === 0 ? 'none' : lock.moved} has moved.`,
  );
  const adam = await open('words', { optimizer: { rule: 'adam' } });
  adam.advance(200);
  says('New words', `Under Adam the mask ${drifts(adam)[1].moved ? 'leaks' : 'holds'} here.`);
});

test('Pinned graph: its stress, the club, and what a mask does not stop', async () => {
  const session = await open('graph');
  const stress = [session.main.loss()];
  session.advance(120);
  stress.push(session.main.loss());
  session.do({ do: 'hold', cells: [10, 11] });
  session.do({ do: WRITE, values: [0.9, -0.9] });
  stress.push(session.main.loss());
  session.advance(120);
  stress.push(session.main.loss());
  session.do({ do: 'release' });
  session.advance(240);
  stress.push(session.main.loss());
  const [first, rest, put, room, back] = stress.map((loss) => loss.toPrecision(3));

  const club = await open('graph', { choices: { graph: 'club' } });
  club.advance(300);
  const sides = club.main.values().filter((_, i) => i % 2 === 0);
  const wrong = [...sides].flatMap((x, i) =>
    x < 0 === WITH_THE_TEACHER.includes(i + 1) ? [] : [i + 1],
  );

  const masked = await open('graph', { beside: 'mask' });
  masked.advance(20);
  const mask = masked.main.mask.map((bit, i) => (i >= 8 && i < 14 ? 1 : bit));
  masked.do({ do: 'locks', mask: packMask(mask) });
  masked.advance(120);
  const [, { farthest }] = drifts(masked);
  shows('Pinned graph', first, rest, 120, put, room, back, 34 - wrong.length, 34, ...wrong);
  assert.match(guide.replace(/\s+/g, ' '), new RegExp(`up to ${farthest.toFixed(2)} further`));
});

test('Membrane: so many cells of the photo are filled in', async () => {
  const session = await open('membrane', { choices: { frame: 'photo' } });
  const share = 1 - session.main.mask.reduce((sum, bit) => sum + bit, 0) / session.cells;
  assert.equal((10 * share).toFixed(0), '7');
  says('Membrane', 'Seven of ten cells of the photo are filled in');
});

test('Picture: its word stays under the lock, and drifts under the mask', async () => {
  const cells = /** @type {number[]} */ (cellsOfName('HOLD', 32, 32));
  const session = await open('picture');
  const mask = session.main.mask.map((_, i) => (cells.includes(i) ? 1 : 0));
  session.do({ do: 'locks', mask: packMask(mask) });
  session.do({ do: 'hold', cells });
  session.do({ do: WRITE, values: cells.map(() => -1) });
  session.do({ do: 'release' });
  const drift = () => session.main.drift(session.main.values());
  session.advance(100);
  assert.equal(drift().moved, 0);
  session.do({ do: 'switch', to: 'mask' });
  session.advance(100);
  const { moved, farthest } = drift();
  says(
    'Picture',
    `0 of ${cells.length} cells have moved`,
    `all ${moved} have, by up to ${farthest.toFixed(2)}`,
  );
});

test('Your own: the known cells stay, to the bit, while the others move', async () => {
  const session = await open('own');
  const before = session.main.values();
  session.advance(100);
  const [values, { mask }] = [session.main.values(), session.main];
  assert.equal(session.main.drift(values).moved, 0);
  assert.ok(values.some((value, i) => value !== before[i]));
  const held = mask.reduce((sum, bit) => sum + bit, 0);
  says('Your own', `the ${held} known cells have kept every bit`);
  const { off } = session.main.readings() ?? {};
  says('Your own', `off by ${off[0].toFixed(2)} m on average`);
});
