/**
 * Links and code on the page: damaged ones are reported and do no harm, and the code follows the run.
 */

import assert from 'node:assert/strict';
import { demoTest, site } from './harness.js';

demoTest('a damaged link is reported, and a run opens all the same', async (demo) => {
  for (const [hash, message] of /** @type {[string, RegExp | null][]} */ ([
    ['#', null],
    ['#nonsense', /names no scene/],
    ['#scene=picture&size=1000000x2&seed=-1&optimizer=adam,NaN,2,x', /could not be read/],
    ['#scene=graph&step=3&log=0h5000,5001~0m1,NaN', /2 edits of this run could not be read/],
    [`#scene=membrane&log=${'5p2~'.repeat(3000)}`, /could not be read/],
  ])) {
    await demo.page.goto('about:blank');
    await demo.page.goto(site.url + hash);
    await demo.ready();
    const { values } = await demo.snapshot();
    assert.ok(values.length >= 4 && values.every(Number.isFinite), hash);
    assert.equal(await demo.message().count(), message ? 1 : 0, hash);
    if (message) assert.match((await demo.message().textContent()) ?? '', message);
  }
});

demoTest(
  'a link typed over a run replaces it; a log the library refuses does not',
  async (demo) => {
    await demo.steps(20);
    const before = await demo.snapshot();
    await demo.written();
    // The log sets a locked cell, which the library refuses.
    await demo.page.evaluate("location.hash = '#scene=two-by-two&step=30&log=5a1,7'");
    await demo.message().waitFor();
    assert.match((await demo.message().textContent()) ?? '', /LockedElementError/);
    assert.equal((await demo.snapshot()).digest, before.digest);
    await demo.page.evaluate("location.hash = '#scene=leak-lab&step=30'");
    await demo.until(
      "gradlockDemo.snapshot().then(({ scene, step }) => scene === 'leak-lab' && step === 30)",
    );
    // Without a scene a state is of Two by two, as before the page opened with another.
    await demo.page.evaluate("location.hash = '#size=2x2&step=3'");
    await demo.until(
      "gradlockDemo.snapshot().then(({ scene, step }) => scene === 'two-by-two' && step === 3)",
    );
  },
);

demoTest('the code on the page follows the run, and each file has its name', async (demo) => {
  const { page } = demo;
  const code = page.locator('pre.code');
  await page.getByText('Code of this run').click();
  await demo.steps(12);
  await code.getByText('to step 12').waitFor();
  await demo.button('Invert').click();
  await demo.steps(5);
  const { digest } = await demo.snapshot();
  await code.getByText(`// ${digest}`).waitFor();
  await page.getByText('Share and export').click();
  for (const [button, name] of [
    ['Picture (PNG)', 'gradlock.png'],
    ['Values (CSV)', 'gradlock.csv'],
    ['Code (npm)', 'run.mjs'],
  ]) {
    const download = page.waitForEvent('download');
    await demo.button(button).click();
    assert.equal((await download).suggestedFilename(), name);
  }
});
