/* Tier: all. */
/**
 * The page for teachers: links that students hand in are replayed, and their claims hold to the
 * bit or not.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { formatNumber } from 'gradlock/grid';
import { objections } from './axe.js';
import { browser, demoTest, site } from './harness.js';
import { textOf } from './page.js';
import { until } from './until.js';

const FILE = pathToFileURL(join(import.meta.dirname, '../../build/gradlock-check.html')).href;

/** The page for teachers. @param {string} [address] @param {import('playwright-core').BrowserContextOptions} [options] */
async function teach(address = `${site.url}check.html?lang=en`, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (one) => one.type() === 'error' && complaints.push(one.text()));
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // A slow machine needs more than the ten seconds that the page begins with.
  await page.locator('#limit').selectOption('600');
  return {
    page,
    /** Checks a text, and returns the rows of the table. @param {string} text */
    async check(text) {
      await page.locator('#links').fill(text);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.locator('.busy').waitFor({ state: 'hidden' });
      return this.rows();
    },
    /** Opens a file. @param {string} name @param {string} text */
    open: (name, text) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) }),
    rows: () =>
      page
        .locator('tbody tr')
        .evaluateAll((rows) =>
          rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
        ),
    async close() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

/** The link that the page gives to hand in. @param {import('./page.js').DemoPage} demo @param {string} name */
async function handIn(demo, name) {
  const share = demo.page.locator('#share details');
  if ((await share.getAttribute('open')) === null) await share.locator('summary').click();
  await demo.page.getByLabel('Your name, for the teacher').fill(name);
  await demo.button('Copy link to hand in').click();
  await demo.page.locator('.share-note', { hasText: 'Copied' }).waitFor();
  return demo.page.evaluate(() => navigator.clipboard.readText());
}

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

demoTest(
  'a link that is handed in is true, and each part of its claim is false once it is changed',
  async (demo) => {
    await demo.steps(40);
    await demo.page.evaluate('gradlockDemo.toggle(1)');
    await demo.steps(20);
    const link = await handIn(demo, 'Ada <b>&"\'');
    const { digest, loss } = await demo.snapshot();
    assert.ok(link.endsWith(`claim=60,1,${loss},${digest}`), link);
    const otherLoss = String(loss).replace(/\d$/, (last) => String((Number(last) + 1) % 10));
    const changes = /** @type {[string, string, RegExp][]} */ ([
      ['claim=60', 'claim=61', /^False: steps: the link says 61, but the replay gives 60;/],
      ['claim=60,1', 'claim=60,2', /^False: locked cells: the link says 2, but the replay gives 1/],
      [`,${loss},`, `,${otherLoss},`, /^False: loss: the link says .*, but the replay/],
      [digest, digest.replace(/.$/, (at) => (at === '0' ? '1' : '0')), /^False: checksum/],
      [`,${digest}`, '', /^False: a part of the claim is missing or damaged/],
      ['&step=60', '&step=59', /^False: steps: .*loss: .*checksum/],
      ['optimizer=adam,0.02', 'optimizer=adam,0.021', /^False: loss: .*checksum/],
      ['log=40l', 'log=39l', /^False: loss: .*checksum/],
      [`&claim=60,1,${loss},${digest}`, '', /^No claim/],
    ]);
    const page = await teach();
    const texts = [link, ...changes.map(([from, to]) => link.replace(from, to))];
    assert.equal(new Set(texts).size, texts.length, 'each change changes the link');
    const [first, ...rows] = await page.check(texts.join('\n'));
    const [name, scene, optimizer, steps, locked, , verdict] = first;
    assert.deepEqual(
      [name, scene, optimizer, steps, locked, verdict],
      ['Ada <b>&"\'', 'Two by two', 'Adam 0.02', '60', '1 of 4', 'True'],
    );
    for (const [i, [, , says]] of changes.entries()) assert.match(rows[i][6], says);
    await page.close();
  },
  clipboard,
);

test('the offline file checks links of cells, networks and graphs', async () => {
  const page = await teach(`${FILE}?lang=en`);
  const links = ['two-by-two', 'kernels', 'graph'].map((id) => `#scene=${id}&step=7`);
  const rows = await page.check(links.join('\n'));
  assert.deepEqual(
    rows.map(([, , , steps, , , verdict]) => [steps, verdict]),
    links.map(() => ['7', 'No claim']),
  );
  await page.close();
});

demoTest(
  'names come from a table; results go out as one, and no cell of it is a formula',
  async (demo) => {
    await demo.steps(5);
    const link = await handIn(demo, '');
    const page = await teach();
    const csv = `Names and links\r\n"=HYPERLINK(""x"")";"${link}"\r\nBo;"${link}"\r\n`;
    await page.open('class.csv', csv);
    await page.page.locator('tr[data-verdict=true]').nth(1).waitFor();
    const [one, two] = await page.rows();
    assert.equal(one[6], 'True');
    assert.equal(two[0], 'Bo');
    assert.equal(two[6], 'True: the same values as row 1');
    await page.page
      .locator('#check .share-note')
      .getByText(
        '2 links: 2 true, 0 false, 0 without a claim or not checked. 1 line without a link was left out: Names and links',
      )
      .waitFor();
    const saving = page.page.waitForEvent('download');
    await page.page.getByRole('button', { name: 'Save as CSV' }).click();
    const lines = (await textOf(await saving)).split('\r\n');
    assert.equal(lines.length, 4);
    assert.match(lines[1], /^"?'=HYPERLINK/);
    assert.ok(lines[2].endsWith(`"${link}"`), lines[2]);
    await page.close();
  },
  clipboard,
);

demoTest(
  'a saved run that is dropped is replayed from its start, whatever its checkpoint says',
  async (demo) => {
    await demo.steps(30);
    const { loss } = await demo.snapshot();
    await demo.page.locator('#share summary').click();
    const saving = demo.page.waitForEvent('download');
    await demo.button('Run (JSON)').click();
    const run = JSON.parse(await textOf(await saving));
    run.checkpoint.main.step = 500;
    const page = await teach();
    await page.open('run.json', JSON.stringify(run));
    await page.page.locator('tr[data-verdict=none]').waitFor();
    const [[name, , , steps, , shown]] = await page.rows();
    assert.deepEqual([name, steps, shown], ['run.json', '30', formatNumber(loss)]);
    await page.page.locator('.busy').waitFor({ state: 'hidden' });
    await page.page.getByRole('button', { name: 'Clear list' }).click();
    assert.deepEqual(await page.rows(), []);
    const rows = await page.check('#scene=two-by-two&step=3');
    assert.equal(rows.length, 1, 'a run that was cleared does not come back');
    await page.close();
  },
);

test('hostile links each get a verdict, and the page continues', async () => {
  const page = await teach();
  const mine = '#scene=two-by-two&step=3';
  const hostile = /** @type {[string, RegExp][]} */ ([
    ['#scene=nowhere&step=3', /^Unreadable: the link has a wrong value for “scene”/],
    ['#scene=two-by-two&step=99999999999', /^Unreadable: the link has a wrong value for “step”/],
    ['#scene=two-by-two&step=NaN', /^Unreadable: the link has a wrong value for “step”/],
    ['#scene=two-by-two&size=1e9x2', /^Unreadable: the link has a wrong value for “rows”/],
    ['#scene=two-by-two&seed=-1', /^Unreadable: the link has a wrong value for “seed”/],
    [
      '#scene=two-by-two&optimizer=adam,NaN,0,0',
      /^Unreadable: the link has a wrong value for “learningRate”/,
    ],
    ['#scene=two-by-two&locks=AAAA', /^Unreadable: the link has a wrong value for “locks”/],
    ['#scene=two-by-two&step=3&log=1q~2a9,9', /^Unreadable: 2 edits in the link/],
    ['#scene=two-by-two&step=3&log=1u', /^Not checked: the replay stopped with an error/],
    [`${mine}&claim=`, /^False: a part of the claim is missing or damaged/],
    [`${mine}&claim=3,2,NaN,x`, /^False: loss: .*checksum/],
    [`${mine}&claim=3,2,<img src=x>,<script>`, /^False/],
    [`${mine}&challenge=__proto__`, /^No claim/],
    [`${mine}&by=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E`, /^No claim/],
    [`${mine}&__proto__=x&constructor=y&by=%E0%A4%A`, /^No claim/],
    [`${mine}&by=${'x'.repeat(120_000)}`, /^Not checked: the link is too long/],
    [mine, /^No claim/],
  ]);
  const rows = await page.check(hostile.map(([link]) => link).join('\n'));
  assert.equal(rows.length, hostile.length);
  for (const [i, [link, says]] of hostile.entries())
    assert.match(rows[i][6], says, link.slice(0, 80));
  assert.equal(rows[13][0], '<img src=x onerror=alert(1)>');
  assert.equal(await page.page.locator('#check img, #check script').count(), 0);
  assert.equal(rows[12][7], 'there is no such challenge');
  assert.deepEqual(await page.check('no link here'), []);
  assert.match(
    (await page.page.locator('#check .share-note').textContent()) ?? '',
    /no link to a run/,
  );
  await page.close();
});

test('a link of ten million steps: cancelled at once, or ended by the limit, and the next is checked', async () => {
  const long = '#scene=membrane&size=256x256&step=10000000';
  const short = '#scene=two-by-two&step=3';
  const page = await teach();
  await page.page.locator('#links').fill([short, long, short].join('\n'));
  const run = page.page.getByRole('button', { name: 'Check', exact: true });
  await run.click();
  await page.page.locator('#busy', { hasText: '2 of 3' }).waitFor();
  await page.page.locator('tbody a').nth(1).focus();
  await page.page.evaluate("document.querySelector('.busy button').click()");
  await page.page.locator('.busy').waitFor({ state: 'hidden' });
  assert.deepEqual(
    (await page.rows()).map((row) => row[6]),
    ['No claim', 'Not checked: cancelled', 'Not checked: cancelled'],
  );
  assert.equal(
    await page.page.evaluate("document.activeElement.matches('tbody a')"),
    true,
    'its row keeps the focus',
  );
  // Ten minutes of the page's own clock.
  await page.page.clock.install();
  await run.click();
  await page.page.locator('#busy', { hasText: '2 of 3' }).waitFor();
  await page.page.clock.fastForward(601_000);
  await page.page.locator('.busy').waitFor({ state: 'hidden' });
  assert.deepEqual(
    (await page.rows()).map((row) => row[6].replace(/: the same.*/, '')),
    ['No claim', 'Not checked: the replay takes longer than the limit', 'No claim'],
  );
  await page.close();
});

test('one check runs at a time: a click during it is nothing, a file waits for its end', async () => {
  const long = '#scene=membrane&size=256x256&step=10000000';
  const short = '#scene=two-by-two&step=3';
  const page = await teach();
  const run = page.page.getByRole('button', { name: 'Check', exact: true });
  const field = page.page.locator('#links');
  await page.page.clock.install();
  await field.fill([short, long, short].join('\n'));
  await run.click();
  await page.page.locator('#busy', { hasText: '2 of 3' }).waitFor();
  // Another check would list what is in the field by now.
  await field.fill(short);
  await run.dispatchEvent('click');
  await page.open('late.csv', `Late,${short}`);
  await until(page.page, "document.querySelector('#links').value.includes('Late')");
  assert.equal((await page.rows()).length, 3);
  await page.page.clock.fastForward(601_000);
  await page.page.locator('tbody tr', { hasText: 'Late' }).waitFor();
  await page.page.locator('.busy').waitFor({ state: 'hidden' });
  assert.deepEqual(
    (await page.rows()).map(([name, , , , , , verdict]) => [name, verdict.split(':')[0]]),
    [
      ['1', 'No claim'],
      ['Late', 'No claim'],
    ],
  );
  await page.close();
});

test('guesses are counted by their codes: each once, by scene and answer, and mistyped ones are named', async () => {
  const page = await teach();
  await page.page
    .locator('#codes')
    .fill('LEAK-LAB-C-7QK3 leak-lab-c-7qk3\nLEAK-LAB-A-2222, LEAK-LAB-C-3333\nNO-SCENE-A-2222 <b>');
  assert.deepEqual(await page.page.locator('.bar-text').allTextContents(), [
    'None: 1 (33 %)',
    'A few: 0 (0 %)',
    'All: 2 (67 %)',
  ]);
  assert.equal(
    await page.page.locator('#tally .share-note').textContent(),
    '3 codes are counted. 1 is mistyped and does not count: NO-SCENE-A-2222',
  );
  await page.close();
});

test('where the browser reads QR codes, the camera counts them, and says so where not', async () => {
  const without = await teach();
  assert.equal(await without.page.evaluate("'BarcodeDetector' in window"), false);
  assert.equal(await without.page.getByText('This browser cannot read QR codes').count(), 1);
  await without.close();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    // A camera, and a reader that sees two codes in its first picture, and one of them again.
    const codes = ['PICTURE-A-2222', 'picture-b-3333', 'http://elsewhere'];
    const seen = [codes, codes];
    Object.assign(window, {
      BarcodeDetector: class {
        detect = async () => (seen.shift() ?? []).map((rawValue) => ({ rawValue }));
      },
      seen,
    });
    const canvas = document.createElement('canvas');
    canvas.getContext('2d');
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(30);
    HTMLVideoElement.prototype.play = async () => {};
  });
  await page.goto(`${site.url}check.html?lang=en`);
  await page.getByRole('button', { name: 'Read QR codes with the camera' }).click();
  while ((await page.evaluate('seen.length')) > 0) await page.waitForTimeout(30);
  await page.getByRole('button', { name: 'Stop the camera' }).click();
  assert.equal(await page.locator('#codes').inputValue(), 'PICTURE-A-2222\npicture-b-3333');
  assert.equal(await page.locator('.bar-text').count(), 2, 'what is in lower case counts, too');
  await page.locator('video').waitFor({ state: 'hidden' });
  // A camera that is switched off while the browser asks whether it may be on.
  await page.evaluate(`(() => {
    window.asked = [];
    window.streams = [];
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia;
    mediaDevices.getUserMedia = () => new Promise((allow) => {
      asked.push(async () => {
        streams.push(await open());
        allow(streams.at(-1));
      });
    });
  })()`);
  const live =
    "streams.map((stream) => stream.getTracks().some(({ readyState }) => readyState === 'live')).join()";
  for (const name of ['Read QR codes with the camera', 'Stop the camera'])
    await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Read QR codes with the camera' }).click();
  assert.equal(await page.evaluate('asked.length'), 2);
  await page.evaluate('Promise.all(asked.map((allow) => allow()))');
  await until(page, `${live} === 'false,true'`);
  await page.locator('video').waitFor();
  await page.evaluate("dispatchEvent(new Event('pagehide'))");
  await until(page, `${live} === 'false,false'`);
  await context.close();
});

test('the page for teachers has no axe violations, and fits 320 px, in both languages', async () => {
  for (const [lang, colorScheme, forcedColors, licences] of /** @type {const} */ ([
    ['en', 'light', 'none', 'Licences'],
    ['de', 'dark', 'active', 'Lizenzen'],
  ])) {
    const page = await teach(`${site.url}check.html?lang=${lang}`, {
      ...{ viewport: { width: 320, height: 640 }, colorScheme, forcedColors, bypassCSP: true },
    });
    await page.page.locator('#links').fill('Ada,#scene=two-by-two&step=3&claim=3,2,1,x');
    await page.page.locator('#check .is-accent').click();
    await page.page.locator('tr[data-verdict=false]').waitFor();
    await page.page.locator('#codes').fill('PICTURE-A-2222');
    assert.equal(await page.page.locator('#licences').textContent(), licences);
    assert.deepEqual(await objections(page.page), []);
    const width = await page.page.evaluate('document.documentElement.scrollWidth');
    assert.ok(Number(width) <= 320, `${lang}: ${width} px`);
    await page.close();
  }
});
