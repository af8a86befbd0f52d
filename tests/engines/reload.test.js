/* Tier: all. */
/**
 * Engines: all, because each stores pages and ends them in its own way. A run is found as it was
 * left, by reload and in another language.
 */

import assert from 'node:assert/strict';
import { strings } from '../../web/strings/index.js';
import { button, first } from '../browser/visit.js';
import { inEngines } from './engines.js';

/** @typedef {import('../browser/visit.js').Visit} Visit */

/** A table that is too long for a link, of numbers that need all their bits. @param {number} side */
const tableOf = (side) =>
  Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, col) => Math.sin(row * side + col).toFixed(7)).join(','),
  ).join('\n');

/** @param {Visit} visit @param {string} text */
async function bring(visit, text) {
  await visit.click(first('#own summary'));
  await visit.evaluate(`${first('#own-numbers')}.value = ${JSON.stringify(text)}`);
  await visit.click(button('Use these numbers'));
  await visit.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'own')");
}

/** @param {Visit} visit */
const digestOf = async (visit) => (await visit.snapshot()).digest;

inEngines({
  async 'a reload at any moment keeps every step and every edit'(visit) {
    await visit.open('scene=membrane');
    await visit.steps(175);
    await visit.evaluate('gradlockDemo.toggle(37)');
    await visit.steps(13);
    const { step, digest, locks } = await visit.snapshot();
    await visit.reload();
    const there = await visit.snapshot();
    assert.deepEqual([there.step, there.digest, there.locks], [step, digest, locks]);
  },

  async 'a reload finds the run where its entry of the history has lost its state'(visit) {
    await visit.open('scene=membrane');
    await visit.steps(5);
    // The address does not have it either.
    await visit.evaluate("void (deaf = 'recipe')");
    await visit.evaluate('gradlockDemo.toggle(37)');
    const { digest, locks } = await visit.snapshot();
    await visit.evaluate("history.replaceState(null, '')");
    await visit.reload();
    const there = await visit.snapshot();
    assert.deepEqual([there.digest, there.locks], [digest, locks]);
  },

  async 'an edit that the engine has not answered is there after a reload'(visit) {
    await visit.open('scene=membrane');
    await visit.steps(5);
    await visit.evaluate('gradlockDemo.toggle(37)');
    await visit.steps(7);
    const { locks, digest, step } = await visit.snapshot();
    await visit.evaluate("void ((window.deaf = 'all'), gradlockDemo.toggle(40))");
    await visit.reload();
    const there = await visit.snapshot();
    assert.deepEqual(
      [there.step, there.locks],
      [step, locks.map((bit, i) => (i === 40 ? 1 - bit : bit))],
    );
    await visit.evaluate('gradlockDemo.toggle(40)');
    assert.equal(await digestOf(visit), digest);
  },

  async 'a page that goes before the engine answers at all leaves the run as it was'(visit) {
    await visit.open('scene=own');
    await bring(visit, tableOf(80));
    await visit.steps(3);
    const digest = await digestOf(visit);
    await visit.evaluate(
      "sessionStorage.deaf = 'all', void setTimeout(() => location.reload(), 100, (window.isOld = true))",
    );
    await visit.until('window.isOld !== true && !!window.gradlockDemo');
    await visit.evaluate("sessionStorage.removeItem('deaf')");
    await visit.reload();
    assert.equal(await digestOf(visit), digest);
  },

  async 'numbers that were brought survive a reload, whether a link can hold them or not'(visit) {
    for (const side of [12, 80]) {
      await visit.open('scene=own');
      await bring(visit, tableOf(side));
      await visit.steps(3);
      const { digest, rows } = await visit.snapshot();
      assert.equal(rows, side);
      const link = await visit.evaluate('gradlockDemo.link()');
      assert.equal(link !== null, side === 12);
      await visit.reload();
      assert.equal(await digestOf(visit), digest, `${side} × ${side}`);
      // Of the longer one the page says, a moment later, that no link can hold it.
      const told =
        "document.querySelector('.message:not([hidden]) .message-text')?.textContent ?? ''";
      if (side === 12) assert.equal(await visit.evaluate(told), '');
      else await visit.until(`(${told}) === ${JSON.stringify(strings.share.tooLong)}`);
    }
  },

  async 'another language has the same run, whatever its length'(visit) {
    await visit.open('scene=own');
    await bring(visit, tableOf(80));
    await visit.steps(5);
    const { digest } = await visit.snapshot();
    await visit.evaluate(`void (window.isOld = true, ${button('Deutsch')}.click())`);
    await visit.until("window.isOld !== true && document.documentElement.lang === 'de'");
    await visit.until('window.gradlockDemo?.frame()');
    assert.equal(await digestOf(visit), digest);
  },
});
