/* Tier: test. */
/**
 * The step that an optimizer would still take on masked cells, and the switch from locks to a
 * mask.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packMask } from '../../web/state/codec.js';
import { WRITE } from '../../web/state/history.js';
import { fromLink } from '../../web/state/link.js';
import { rules } from '../../web/state/rules.js';
import { validate } from '../../web/state/state.js';
import { openRun, openSession, stateOf } from './runs.js';

/** @typedef {import('../../web/engine/session.js').Session} Session */

/** Locks cells in the middle of the run, so that their optimizer remembers. @param {Session} session @param {number[]} cells */
function lockLate(session, cells) {
  const mask = session.main.mask.slice();
  for (const cell of cells) mask[cell] = 1;
  session.do({ do: 'locks', mask: packMask(mask) });
}

for (const id of ['leak-lab', 'picture', 'kernels']) {
  for (const rule of rules) {
    test(`${id}, ${rule}: the bar of a masked cell is the step that is then taken, to the bit`, async () => {
      const choices = { kernels: 'free' };
      const state = await stateOf(id, { beside: 'mask', optimizer: { rule }, choices });
      const [session, unasked] = [openSession(state), openSession(state)];
      for (const one of [session, unasked]) {
        one.advance(3);
        lockLate(one, [0, 1, 2, 40]);
      }
      const rival = /** @type {NonNullable<typeof session.rival>} */ (session.masked);
      assert.equal(rival, session.rival, 'where locks hold there are no bars');
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
    });
  }
}

/** A run with a written, locked cell: two switches, locks under the mask, a drag, a switch. */
async function switching() {
  const session = await openRun('picture', {
    ...{ rows: 8, cols: 8, optimizer: { rule: 'adamW', weightDecay: 0.3 } },
    locks: Uint8Array.from({ length: 64 }, (_, i) => (i < 9 ? 1 : 0)),
    events: [
      { do: 'hold', cells: [3, 8], step: 0 },
      { do: WRITE, values: [-1, 0.5], step: 0 },
      { do: 'release', step: 0 },
    ],
  });
  session.advance(4);
  session.advance(1);
  session.do({ do: 'switch', to: 'mask' });
  session.advance(4);
  lockLate(session, [20, 21]);
  session.do({ do: 'assign', index: 20, value: 0.25 });
  session.do({ do: 'hold', cells: [30] });
  session.advance(2);
  session.do({ do: WRITE, values: [0.75] });
  session.do({ do: 'switch', to: 'lock' });
  session.advance(2);
  session.do({ do: 'release' });
  session.do({ do: 'switch', to: 'mask' });
  session.advance(3);
  return session;
}

test('under the lock a written cell keeps its bits, under the mask it drifts, and a rewind holds it again', async () => {
  const session = await switching();
  const { main } = session;
  const moved = () => main.drift(main.values());
  assert.deepEqual([main.isMasked, moved().moved], [true, 11]);
  assert.equal(main.drifted(main.values()).moved, 11, 'and since they were first held');
  session.do({ do: 'switch', to: 'lock' });
  assert.deepEqual([moved().moved, main.drifted(main.values()).moved], [0, 11]);
  const there = main.drifted(main.values());
  session.fromCache(session.toCache());
  assert.deepEqual(main.drifted(main.values()), there, 'of a run that was left, too');
  session.rewind(4);
  assert.deepEqual([main.isMasked, main.values()[3], moved().moved], [false, -1, 0]);
  assert.equal(main.drifted(main.values()).moved, 0);
  session.advance(50);
  assert.deepEqual([main.values()[3], moved()], [-1, { moved: 0, farthest: 0, audited: 0 }]);
});

test('Reset keeps what was written and locked before the first step, and the mask', async () => {
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
});

test('under a mask nothing is pruned: it is refused, and changes nothing', async () => {
  const session = await switching();
  const before = session.main.digest();
  assert.throws(() => session.do({ do: 'prune', fraction: 0.5 }), /RangeError: Only locks prune/);
  assert.equal(session.main.digest(), before);
  assert.equal(session.events.at(-1)?.do, 'switch');
});

test('a switch to anything but a lock or a mask is no event', async () => {
  const state = await stateOf('picture', {});
  const { problems } = validate(fromLink('scene=picture&log=3smask~4sglue~5s') ?? {}, state);
  assert.deepEqual(
    problems.map(({ field, left }) => [field, left]),
    [['events', 2]],
  );
});
