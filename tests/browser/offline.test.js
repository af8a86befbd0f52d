/** The offline file: one file from a disk, which asks nothing of any network, and what people bring to the page. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { launchFirefox } from './firefox.js';
import { demoTest } from './harness.js';
import { launchWebKit } from './webkit.js';

const FILE = pathToFileURL(join(import.meta.dirname, '../../build/gradlock-demo.html')).href;

demoTest(
  'the offline file runs from file:// in Chromium, Firefox and WebKit, to the same bits',
  async (demo) => {
    await demo.openScene('Digits');
    await demo.steps(20);
    const { digest } = await demo.snapshot();
    const { hash } = new URL(
      /** @type {string} */ (await demo.page.evaluate('gradlockDemo.link()')),
    );
    await demo.page.goto('about:blank'); // the site's icon may come late
    /** @type {string[]} */
    const asked = [];
    demo.page.on('request', (request) => asked.push(request.url()));
    await demo.page.goto(FILE + hash);
    await demo.ready();
    assert.equal((await demo.snapshot()).digest, digest);
    const foreign = asked.filter((url) => !/^(file|data|blob|about):/.test(url));
    assert.deepEqual(foreign, []);
    for (const launch of [launchFirefox, launchWebKit]) {
      const other = await launch();
      try {
        const page = /** @type {import('./webkit-page.js').WebKitPage} */ (await other.newPage());
        await page.goto(FILE + hash);
        await page.waitForSelector('>>> .cell');
        const there = await page.evaluate('gradlockDemo.snapshot().then((now) => now.digest)');
        assert.equal(there, digest, launch.name);
      } finally {
        await other.close();
      }
    }
  },
);

demoTest('the offline file asks for no other file', async () => {
  const html = readFileSync(new URL(FILE), 'utf8');
  const head = html.slice(0, html.indexOf('<style>'));
  assert.doesNotMatch(head, /(?:src|href)="(?!data:|#)/);
});

demoTest('numbers and images are taken; what is neither is kindly refused', async (demo) => {
  await demo.openScene('Your own');
  await demo.page.getByText('Paste a table', { exact: true }).click();
  const field = demo.page.getByLabel('Numbers, one row per line');
  const use = demo.button('Use these numbers');
  const before = await demo.snapshot();
  for (const [text, says] of /** @type {[string, RegExp][]} */ ([
    ['', /no numbers in the field yet/],
    ['1 2\n3', /Line 2 has 1 cell, but the first has 2/],
    ['1,2\n3,x', /Line 2, cell 2: “x” is not a number/],
    ['1,2\n3,1e99', /Line 2, cell 2: “1e99” is not a number/],
    ['7', /at least two rows/],
    [`${'1 '.repeat(200)}\n`.repeat(2), /too large/],
  ])) {
    await field.fill(text);
    await use.click();
    assert.match((await demo.message().textContent()) ?? '', says);
    assert.equal((await demo.snapshot()).digest, before.digest);
  }
  await field.fill('1;2,5;3\n4;5;−6');
  await use.click();
  await demo.settled();
  await demo.change({ choices: { target: 'mirror' } });
  assert.deepEqual((await demo.snapshot()).values, [1, 2.5, 3, 4, 5, -6]);
  await demo.steps(5);
  await demo.written();
  const { digest } = await demo.snapshot();
  await demo.page.reload();
  await demo.ready();
  assert.equal((await demo.snapshot()).digest, digest, 'a link holds what was brought');

  const file = demo.page.locator('#own input[type=file]');
  await file.setInputFiles({
    name: 'x.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no image'),
  });
  await demo.message().waitFor();
  assert.match((await demo.message().textContent()) ?? '', /cannot read this file as an image/);
  const large = await demo.page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 6000;
    canvas.height = 3000;
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await file.setInputFiles({
    name: 'large.png',
    mimeType: 'image/png',
    buffer: Buffer.from(large, 'base64'),
  });
  await demo.until('gradlockDemo.snapshot().then(({ rows, cols }) => rows === 32 && cols === 64)');
  await demo.steps(5);
});
