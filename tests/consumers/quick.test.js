/* The part of the table that needs no registry: the packed package, installed into fresh folders,
 * with the tools that the repository has, in Node.js, TypeScript, bundlers, and on pages in Chromium
 * and Firefox. `make consumers` runs all of it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { consumers } from './consumers.js';
import { Bench } from './kit/bench.js';

/** @type {Bench} */
let bench;
before(async () => {
  bench = new Bench({ quick: true });
  await bench.open();
});
after(() => bench?.close());

for (const consumer of consumers.filter(({ isHere }) => isHere)) {
  test(`${consumer.name}: the package does what the table says, by the same bits`, async (t) => {
    /** @type {Promise<void>[]} */
    const claims = [];
    await bench.run(
      consumer,
      ({ quick }) => quick === true,
      ({ cell, entry, isExpected, mark, note }) => {
        const claim = t.test(`${cell}: ${entry}`, () => {
          assert.ok(isExpected, `${mark} ${note}`);
        });
        claims.push(claim);
      },
    );
    assert.ok(claims.length > 0);
    await Promise.all(claims);
  });
}
