/** Freeze the base says what its runs forget, in numbers that the engine comes to in Node.js, too. */

import '../web/raw.js';
import assert from 'node:assert/strict';
import { init } from 'gradlock';
import { ready } from '../../web/engine/networks.js';
import { freeze } from '../../web/scenes/freeze.js';
import { demoTest } from './harness.js';
import { oldDigitsOf } from '../web/thumbnails.js';

const STEP = 200;

/** How many of 100 old digits each run forgets in its first steps. @returns {Promise<Record<string, number>>} */
async function forgotten() {
  await ready(freeze);
  const g = await init();
  const old = oldDigitsOf(g, freeze, STEP);
  g.dispose();
  return Object.fromEntries(
    Object.entries(old).map(([key, shares]) => [
      key,
      Math.round(100 * (shares[0] - shares[shares.length - 1])),
    ]),
  );
}

demoTest(
  'its headline says how many old digits are forgotten, with the lock and without',
  async (demo) => {
    const { lock, free } = await forgotten();
    assert.ok(lock <= 3 && free >= 90, `${lock} and ${free}`);
    await demo.steps(STEP);
    await demo.until('gradlockDemo.study()?.isRunning === false');
    await demo.settled();
    assert.equal(
      await demo.page.locator('.accuracy-headline').textContent(),
      `Old digits forgotten: ${lock} of 100 with the lock, ${free} of 100 without.`,
    );
  },
  {},
  '#scene=freeze',
);
