/** The step that an optimizer would still take on masked cells, and the switch from locks to a mask: in the engine, without a browser. */

import './raw.js';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { init } from 'gradlock';
import { codeOf } from '../../web/engine/code.js';
import { ready } from '../../web/engine/networks.js';
import { Session } from '../../web/engine/session.js';
import { findScene } from '../../web/scenes/index.js';
import { packMask } from '../../web/state/codec.js';
import { fromFile, toFile } from '../../web/state/file.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { rules } from '../../web/state/rules.js';
import { openingState, setupOf, validate } from '../../web/state/state.js';
import { STEADY } from '../js/steady.js';

/** @typedef {import('../../web/scenes/scene.js').Scene} Scene */
/** @typedef {import('../../web/state/state.js').State} State */

/** @type {import('gradlock').Gradlock} */
let g;
before(async () => {
  g = await init();
});
after(() => g.dispose());

/** @param {string} id @param {Record<string, unknown>} patch @returns {Promise<State>} */
async function stateOf(id, patch) {
  const scene = /** @type {Scene} */ (findScene(id));
  await ready(scene);
  const { state, problems } = validate(patch, openingState(scene));
  assert.deepEqual(problems, []);
  return state;
}

/** @param {State} state @param {any} [checkpoint] */
function sessionOf(state, checkpoint = null) {
  const { optimizer, locks, zeros, events, beside, rival } = state;
  const scene = /** @type {Scene} */ (findScene(state.scene));
  const look = { beside, rival };
  const session = new Session(g, scene, setupOf(state), { optimizer, locks, zeros, events, look });
  for (const _ of session.opening(state.step, checkpoint));
  return session;
}

/** Locks cells in the middle of the run, so that their optimizer remembers. @param {Session} session @param {number[]} cells */
function lockLate(session, cells) {
  const mask = session.main.mask.slice();
  for (const cell of cells) mask[cell] = 1;
  session.do({ do: 'locks', mask: packMask(mask) });
}

for (const id of ['leak-lab', 'picture', 'kernels']) {
  for (const rule of rules) {
    test(`${id}, ${rule}: the arrow of a masked cell is the step that is then taken, to the bit`, async () => {
      const state = await stateOf(id, { beside: 'mask', optimizer: { rule } });
      const [session, unasked] = [sessionOf(state), sessionOf(state)];
      for (const one of [session, unasked]) {
        one.advance(3);
        lockLate(one, [0, 1, 2, 40]);
      }
      const rival = /** @type {NonNullable<typeof session.rival>} */ (session.masked);
      assert.equal(rival, session.rival, 'where locks hold there are no arrows');
      let farthest = 0;
      for (let step = 0; step < 4; step++) {
        const [values, next] = [rival.values(), rival.nextSteps()];
        const { step: whole, memory, decay } = rival.nextStep(40);
        assert.equal(whole, next[40]);
        assert.equal(memory + decay, whole);
        assert.equal(decay !== 0, rule === 'adamW', 'only AdamW decays');
        session.advance(1);
        const taken = rival.values().map((value, i) => (rival.mask[i] ? value - values[i] : 0));
        assert.deepEqual(next, taken);
        farthest = Math.max(farthest, ...next.map(Math.abs));
      }
      assert.equal(farthest > 0, rule !== 'sgd', 'only plain SGD takes none');
      unasked.advance(4);
      for (const of of /** @type {const} */ (['main', 'rival'])) {
        assert.equal(session[of]?.digest(), unasked[of]?.digest(), 'asking changes no bit');
      }
      session.dispose();
      unasked.dispose();
    });
  }
}

/** A run with a placed and locked cell that switches twice, changes locks under the mask, drags, and is switched again. */
async function switching() {
  const session = sessionOf(
    await stateOf('picture', {
      ...{ rows: 8, cols: 8, optimizer: { rule: 'adamW', weightDecay: 0.3 } },
      locks: Uint8Array.from({ length: 64 }, (_, i) => (i < 9 ? 1 : 0)),
      events: [
        { do: 'hold', cells: [3, 8], step: 0 },
        { do: 'place', values: [-1, 0.5], step: 0 },
        { do: 'release', step: 0 },
      ],
    }),
  );
  session.advance(4);
  session.advance(1);
  session.do({ do: 'switch', to: 'mask' });
  session.advance(4);
  lockLate(session, [20, 21]);
  session.do({ do: 'assign', index: 20, value: 0.25 });
  session.do({ do: 'hold', cells: [30] });
  session.advance(2);
  session.do({ do: 'place', values: [0.75] });
  session.do({ do: 'switch', to: 'lock' });
  session.advance(2);
  session.do({ do: 'release' });
  session.do({ do: 'switch', to: 'mask' });
  session.advance(3);
  return session;
}

/** @param {Session} session @returns {Promise<State>} */
const stateOfRun = async (session) => {
  const { setup } = session.problem;
  return { ...(await stateOf('picture', { ...setup, own: null })), ...session.recipe() };
};

test('a run that switches has the same bits by its link, its file, and its code', async () => {
  const session = await switching();
  const { main } = session;
  assert.ok(main.isMasked);
  const state = await stateOfRun(session);
  const back = validate(fromLink(toLink(state)) ?? {}, await stateOf('picture', {}));
  assert.deepEqual(back.problems, []);
  const replayed = sessionOf(back.state);
  assert.equal(replayed.main.digest(), main.digest());
  replayed.advance(5);

  const file = fromFile(toFile(state, session.checkpoint()));
  const resumed = sessionOf(state, file?.checkpoint);
  assert.equal(resumed.main.digest(), main.digest());
  assert.ok(resumed.main.isMasked);
  resumed.advance(5);
  assert.equal(resumed.main.digest(), replayed.main.digest(), 'and goes on alike');

  const folder = mkdtempSync(join(tmpdir(), 'gradlock-switch-'));
  try {
    const path = join(folder, 'run.mjs');
    const library = new URL('../../build/npm/index.js', import.meta.url).pathname;
    writeFileSync(path, codeOf(session).replace("'gradlock'", `'${library}'`));
    const printed = execFileSync(process.execPath, [...STEADY, path], { encoding: 'utf8' }).trim();
    assert.equal(printed, main.digest());
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const one of [session, replayed, resumed]) one.dispose();
});

test('under the lock a placed cell keeps its bits, under the mask it drifts, and a rewind holds it again', async () => {
  const session = await switching();
  const { main } = session;
  const moved = () => main.drift(main.values());
  assert.deepEqual([main.isMasked, moved().moved], [true, 11]);
  session.rewind(4);
  assert.deepEqual([main.isMasked, main.values()[3], moved().moved], [false, -1, 0]);
  session.advance(50);
  assert.deepEqual([main.values()[3], moved()], [-1, { moved: 0, farthest: 0, audited: 0 }]);
  session.dispose();
});

test('Reset keeps what was placed and locked before the first step, and the mask', async () => {
  const session = await switching();
  session.reset();
  const { main } = session;
  assert.deepEqual([main.values()[3], main.values()[8], session.step], [-1, 0.5, 0]);
  assert.ok(main.isMasked);
  assert.notEqual(main.values()[20], 0.25, 'what was set later is gone');
  lockLate(session, []);
  const mask = main.mask.slice();
  mask[3] = 0;
  session.do({ do: 'locks', mask: packMask(mask) });
  session.reset();
  assert.notEqual(main.values()[3], -1, 'and what is no longer locked');
  session.dispose();
});

test('under a mask nothing is pruned: it is refused, and changes nothing', async () => {
  const session = await switching();
  const before = session.main.digest();
  assert.throws(() => session.do({ do: 'prune', fraction: 0.5 }), /RangeError: Only locks prune/);
  assert.equal(session.main.digest(), before);
  assert.equal(session.events.at(-1)?.do, 'switch');
  session.dispose();
});

test('a switch to anything but a lock or a mask is no event', async () => {
  const state = await stateOf('picture', {});
  const { problems } = validate(fromLink('scene=picture&log=3smask~4sglue~5s') ?? {}, state);
  assert.deepEqual(
    problems.map(({ field, left }) => [field, left]),
    [['events', 2]],
  );
});
