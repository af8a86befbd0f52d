/* Tier: all. */
/* gradlock/keep and kill -9: a process that trains is killed at moments of all kinds, between any
 * two things that it asks of the disk and in the middle of a write. What goes on ends on the digest
 * of the run that nobody disturbed, and begins with the last save that returned, or a later one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import { keep } from 'gradlock/keep';
import { NAME, STEPS, train, UNKEPT } from './keep-training.js';

const SEED = 62;
const KILLS = 16;
const script = fileURLToPath(new URL('./keep-kill.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'gradlock-keep-'));
after(() => rmSync(home, { recursive: true }));

const g = await init();
const { digest: expected } = await train(g, UNKEPT);

/** Runs it until it ends or is killed. @param {string} folder @param {number} [last] */
const start = (folder, last = 0) => {
  const args = [...process.execArgv, script, folder, String(last)];
  const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const numbers = (/** @type {string} */ word) =>
    Array.from(stdout.matchAll(new RegExp(`^${word} (\\S+) (\\S+)$`, 'gm')), ([, ...two]) => two);
  return {
    found: numbers('found'),
    saved: numbers('saved'),
    ended: numbers('ended'),
    stderr,
    signal,
  };
};

const whole = start(join(home, 'whole'));
const [[digest, list = ''] = []] = whole.ended;
/** What every moment is, such as 'step' or 'in_writeFile'. */
const kinds = list.split(',');
const moments = kinds.length;

const draws = g.random(SEED);
/** A number from 1 to `most`. @param {number} most */
const drawn = (most) => 1 + Math.floor(draws.uniform([]).item() * most);

/** Moments from 1 up: one in each part of the run, and two of the most delicate each. */
const KILLED = [
  ...Array.from({ length: KILLS }, (_, i) => Math.floor((i * moments) / KILLS)).map(
    (from) => from + drawn(Math.floor(moments / KILLS)),
  ),
  ...['in_writeFile', 'before_sync', 'before_rename', 'after_rename'].flatMap((kind) => {
    const all = kinds.flatMap((one, i) => (one === kind ? [i + 1] : []));
    return Array.from({ length: 2 }, () => all[drawn(all.length) - 1]);
  }),
];

test('a kept training in a process of its own ends as one that is not kept', () => {
  assert.equal(whole.stderr, '');
  assert.equal(digest, expected);
  assert.ok(moments > 200, `${moments} moments`);
});

test(`killed at ${KILLED.length} moments, it goes on to the same digest, and loses no save that returned`, async () => {
  for (const [i, at = 0] of KILLED.entries()) {
    const folder = join(home, `kill-${i}`);
    const killed = start(folder, at);
    const what = `seed ${SEED}, kill ${i} at moment ${at} of ${moments}, ${kinds[at - 1]}`;
    assert.equal(killed.signal, 'SIGKILL', `${what}: ${killed.stderr}`);
    const run = await keep(NAME, { folder });
    assert.deepEqual(run.problems, [], what);
    const ended = await train(g, run);
    const saved = Number(killed.saved.at(-1)?.[0] ?? 0);
    assert.ok(ended.from >= saved, `${what}: it began with step ${ended.from}, ${saved} was saved`);
    assert.equal(ended.digest, expected, what);
    assert.deepEqual(
      readdirSync(folder).filter((file) => file.endsWith('.tmp')),
      [],
      `${what}: nothing is left behind`,
    );
  }
});

test('killed again and again, it still comes to its end, on the same digest', () => {
  const folder = join(home, 'again');
  let from = 0;
  for (let i = 0; i < 12; i++) {
    const { found, saved, ended, signal, stderr } = start(folder, 40 + drawn(60));
    const what = `seed ${SEED}, kill ${i}: ${stderr}`;
    if (found[0]) {
      assert.deepEqual(found[0], [found[0][0], '0'], what);
      assert.ok(Number(found[0][0]) >= from, what);
    }
    from = Number(saved.at(-1)?.[0] ?? from);
    if (signal === null) {
      assert.deepEqual(
        [ended[0]?.[0], saved.at(-1)?.[0] ?? String(STEPS)],
        [expected, `${STEPS}`],
        what,
      );
      return;
    }
  }
  assert.equal(start(folder).ended[0]?.[0], expected);
});
