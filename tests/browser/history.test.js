/* Tier: all. */
/**
 * The history of a run: looking back cuts nothing, and whatever was left comes back to the bit.
 */

import assert from 'node:assert/strict';
import { strings } from '../../web/strings/index.js';
import { demoTest } from './harness.js';
import { textOf } from './page.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** @param {DemoPage} demo */
const digest = async (demo) => (await demo.snapshot()).digest;

/** @param {DemoPage} demo */
const scrubber = (demo) => demo.page.getByLabel('Step shown', { exact: true });

/** @param {DemoPage} demo @param {string} key */
async function press(demo, key) {
  await demo.page.keyboard.press(key);
  await demo.settled();
}

/** Waits until a run is there, and what led to it. @param {DemoPage} demo @param {string} wanted its digest */
const arrived = (demo, wanted) =>
  demo.until(`gradlockDemo.snapshot().then(({ digest }) => digest === '${wanted}')`);

demoTest(
  'a link that is asked for while a scene is opened and left again is there',
  async (demo) => {
    const link = await demo.page.evaluate(`(() => {
      gradlockDemo.change({ scene: 'peaks' });
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }),
      );
      return gradlockDemo.link();
    })()`);
    assert.match(String(link), /scene=two-by-two/);
  },
);

demoTest(
  'Step goes on from the step that is shown, and Undo brings the later steps back',
  async (demo) => {
    await demo.steps(20);
    const then = await demo.snapshot();
    await demo.steps(30);
    const end = await demo.snapshot();
    await scrubber(demo).focus();
    for (let back = 0; back < 30; back++) await demo.page.keyboard.press('ArrowLeft');
    await demo.page.locator('.step-count', { hasText: new RegExp(`^${then.step}$`) }).waitFor();
    await demo.button('Step').click();
    await demo.settled();
    assert.equal((await demo.snapshot()).step, then.step + 1);
    await demo.steps(29);
    const same = await demo.snapshot();
    assert.deepEqual([same.digest, same.rivalDigest], [end.digest, end.rivalDigest]);
    await demo.button('Free all').click();
    await demo.steps(10);
    const other = await demo.snapshot();
    await press(demo, 'Control+z');
    await press(demo, 'Control+z');
    await arrived(demo, end.digest);
    const back = await demo.snapshot();
    assert.deepEqual(
      [back.step, back.locks, back.rivalDigest],
      [end.step, end.locks, end.rivalDigest],
    );
    await press(demo, 'Control+y');
    assert.equal((await demo.snapshot()).step, other.step);
  },
  undefined,
  '#scene=leak-lab',
);

demoTest('the step that is shown is edited, and Undo gives both back', async (demo) => {
  await demo.steps(20);
  await demo.button('Invert').click();
  await demo.steps(20);
  const end = await demo.snapshot();
  await scrubber(demo).focus();
  await press(demo, 'Home');
  await demo.cell(1, 1).click();
  await demo.settled();
  const edited = await demo.snapshot();
  assert.deepEqual([edited.step, edited.locks], [0, [1, 1, 1, 0]]);
  await press(demo, 'Control+z');
  assert.deepEqual((await demo.snapshot()).locks, [0, 1, 1, 0]);
  await press(demo, 'Control+z');
  await arrived(demo, end.digest);
  assert.equal((await demo.snapshot()).step, 40);
});

demoTest(
  'Prune and Reset are undone, as is another size, seed, data set or scene',
  async (demo) => {
    await demo.page.locator('.cell').nth(5).click();
    await demo.steps(25);
    const end = await demo.snapshot();
    for (const [name, change] of /** @type {[string, () => Promise<void>][]} */ ([
      ['Prune', () => demo.button('Prune').click()],
      ['Reset', () => demo.button('Reset').click()],
      ['size', () => demo.change({ rows: 4, cols: 4 })],
      ['seed', () => demo.change({ seed: 7 })],
      ['data', () => demo.change({ choices: { data: 'xor' } })],
      ['scene', () => demo.openScene('Membrane')],
    ])) {
      await change();
      await demo.settled();
      assert.notEqual(await digest(demo), end.digest, name);
      await press(demo, 'Control+z');
      await arrived(demo, end.digest);
      const back = await demo.snapshot();
      assert.deepEqual([back.step, back.locks], [end.step, end.locks], name);
    }
  },
  undefined,
  '#scene=network',
);

demoTest(
  'a long link shows its scene at once, replays behind a bar, and Undo of Cancel ends on the same bits',
  async (demo) => {
    await demo.steps(600_000);
    const end = await demo.snapshot();
    const link = demo.page.url().replace(/#.*/, `#scene=leak-lab&step=${end.step}&beside=mask`);
    await demo.page.goto('about:blank');
    await demo.page.goto(link);
    await demo.page.getByRole('progressbar').waitFor();
    assert.ok(await demo.page.locator('.cell').first().isVisible(), 'the scene is there');
    const told = (await demo.page.locator('.progress').textContent()) ?? '';
    assert.match(told, /step .* of 600\D?008/);
    // In the page, which is nearer to its replay than a driver.
    await demo.page.evaluate("document.querySelector('#progress button').click()");
    await demo.until('!document.querySelector("#progress").checkVisibility()');
    const { step } = await demo.snapshot();
    assert.ok(step < end.step, `cancelled at ${step}`);
    await demo.steps(10);
    assert.equal((await demo.snapshot()).step, step + 10);
    await press(demo, 'Control+z');
    await arrived(demo, end.digest);
    assert.equal((await demo.snapshot()).rivalDigest, end.rivalDigest);
  },
  undefined,
  '#scene=leak-lab&beside=mask',
);

demoTest(
  'Cancel and Undo of a run that replaces another, while it is replayed, bring that one back',
  async (demo) => {
    await demo.steps(33);
    const before = await demo.snapshot();
    await demo.written();
    for (const leave of [
      () => demo.button('Cancel').click(),
      async () => {
        await demo.button('Cancel').waitFor();
        await demo.page.keyboard.press('Control+z');
      },
    ]) {
      await demo.page.evaluate("location.hash = '#scene=leak-lab&step=3000008&beside=mask'");
      await leave();
      await arrived(demo, before.digest);
      assert.equal((await demo.snapshot()).scene, 'two-by-two');
      await demo.written();
    }
    await demo.page.keyboard.press('Control+y');
    await demo.until('gradlockDemo.frame()?.replay?.to === 3000008');
  },
);

demoTest(
  'a file of a long run opens at once, from the state in it; what is no run is refused',
  async (demo) => {
    await demo.steps(100_000);
    await demo.button('Free all').click();
    await demo.steps(12);
    const end = await demo.snapshot();
    await demo.page.getByText('Share and export').click();
    const waiting = demo.page.waitForEvent('download');
    await demo.button('Run (JSON)').click();
    const text = await textOf(await waiting);
    const file = demo.page.getByLabel('Open a run (JSON)').first();
    await demo.page.evaluate(`window.wasReplayed = false;
      new MutationObserver(() => { wasReplayed = true; })
        .observe(document.getElementById('progress'), { attributes: true });`);
    await demo.openScene('Two by two');
    await file.setInputFiles({ name: 'x.json', mimeType: '', buffer: Buffer.from('[1, {') });
    await demo.message().filter({ hasText: 'contains no run' }).waitFor();
    assert.equal((await demo.snapshot()).scene, 'two-by-two');
    await file.setInputFiles({ name: 'x.json', mimeType: '', buffer: Buffer.from(text) });
    await arrived(demo, end.digest);
    const there = await demo.snapshot();
    assert.deepEqual([there.rivalDigest, there.locks], [end.rivalDigest, end.locks]);
    assert.equal(await demo.page.evaluate('wasReplayed'), false);
  },
  undefined,
  '#scene=leak-lab&beside=mask',
);

demoTest(
  'the copied link is of the run at that time; a run too long for a link is reported',
  async (demo) => {
    const { page } = demo;
    await page.evaluate(`window.copied = [];
    navigator.clipboard.write = async ([item]) =>
      void copied.push(await (await item.getType('text/plain')).text());`);
    await page.locator('#share summary').click();
    await demo.button('Play').click();
    await demo.until('gradlockDemo.frame().step > 20');
    const step = Number(await page.evaluate('gradlockDemo.frame().step'));
    await demo.button('Copy link').click();
    await demo.until('copied.length > 0');
    const text = String(await page.evaluate('copied.pop()'));
    assert.ok(Number(text.match(/step=(\d+)/)?.[1]) >= step, `${text}, at step ${step}`);
    // Refused by the newer way, the older is used; refused by both, people can do it by hand.
    await page.evaluate(`navigator.clipboard.write = async () => { throw new Error('no') };
    navigator.clipboard.writeText = async (text) => void copied.push(text);`);
    await demo.button('Copy link').click();
    await demo.until('copied.length > 0');
    assert.match(String(await page.evaluate('copied.pop()')), /#v=1&scene=two-by-two/);
    await page.evaluate('navigator.clipboard.writeText = navigator.clipboard.write');
    await demo.button('Copy for embedding').click();
    await page.locator('.share-note').filter({ hasText: strings.share.notCopied }).waitFor();
    assert.match(await page.locator('#share-link').inputValue(), /^<iframe src=.*<\/script>$/);
    const selected = `(({ selectionStart, selectionEnd, value }) =>
      selectionEnd - selectionStart === value.length)(document.querySelector('#share-link'))`;
    assert.ok(await page.evaluate(selected));
    await demo.openScene('Your own');
    await page.evaluate(`gradlockDemo.change({
      own: { rows: 128, cols: 128, values: Float32Array.from({ length: 16384 }, (_, i) => Math.sin(i)) },
    })`);
    await demo.steps(1);
    await demo.button('Copy link').click();
    await page.locator('.share-note', { hasText: strings.share.tooLong }).waitFor();
    assert.equal(await page.evaluate('copied.length'), 0);
  },
);
