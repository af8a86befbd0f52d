/** Nothing is ever lost: looking back cuts nothing, whatever was left can be had again to the bit, long runs open at once. */

import assert from 'node:assert/strict';
import { strings } from '../../web/strings/index.js';
import { demoTest, site } from './harness.js';
import { textOf } from './page.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** @param {DemoPage} demo */
const digest = async (demo) => (await demo.snapshot()).digest;

/** @param {DemoPage} demo */
const scrubber = (demo) => demo.page.getByLabel('Step shown', { exact: true });

/** The step that the page shows. @param {DemoPage} demo */
async function shown(demo) {
  await demo.settled();
  return Number((await demo.page.locator('.step-count').textContent())?.replace(/\D/g, ''));
}

/** @param {DemoPage} demo @param {string} key */
async function press(demo, key) {
  await demo.page.keyboard.press(key);
  await demo.settled();
}

/** Wait until a run is there, and what led to it. @param {DemoPage} demo @param {string} wanted its digest */
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

for (const scene of ['Two by two', 'Leak lab', 'Picture']) {
  demoTest(`${scene}: the scrubber looks, by pointer and keys, and cuts nothing`, async (demo) => {
    if (scene !== 'Two by two') await demo.openScene(scene);
    await demo.steps(60);
    const end = await demo.snapshot();
    const box = await scrubber(demo).boundingBox();
    assert.ok(box);
    await demo.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const middle = await shown(demo);
    assert.ok(middle > 5 && middle < end.step - 5, `it shows step ${middle}`);
    assert.equal(await digest(demo), end.digest, 'and the run is what it was');
    await scrubber(demo).focus();
    await press(demo, 'ArrowLeft');
    assert.equal(await shown(demo), middle - 1);
    await press(demo, 'ArrowRight');
    await press(demo, 'ArrowRight');
    assert.equal(await shown(demo), middle + 1);
    await press(demo, 'Home');
    assert.equal(await shown(demo), end.step - 60);
    assert.equal(await digest(demo), end.digest);
    await press(demo, 'End');
    assert.equal(await shown(demo), end.step);
    assert.equal(await digest(demo), end.digest);
  });

  demoTest(
    `${scene}: Step goes on from where one looks, and Undo brings the future back`,
    async (demo) => {
      if (scene !== 'Two by two') await demo.openScene(scene);
      await demo.steps(20);
      const then = await demo.snapshot();
      await demo.steps(30);
      const end = await demo.snapshot();
      await scrubber(demo).focus();
      for (let back = 0; back < 30; back++) await demo.page.keyboard.press('ArrowLeft');
      await demo.page.locator('.step-count', { hasText: new RegExp(`^${then.step}$`) }).waitFor();
      await demo.button('Step').click();
      await demo.settled();
      const cut = await demo.snapshot();
      assert.equal(cut.step, then.step + 1);
      await demo.steps(29);
      assert.equal(await digest(demo), end.digest, 'the same way again, to the same bits');
      assert.equal((await demo.snapshot()).rivalDigest, end.rivalDigest);

      await demo.button('Free all').click();
      await demo.steps(10);
      const other = await demo.snapshot();
      await press(demo, 'Control+z');
      await press(demo, 'Control+z');
      await arrived(demo, end.digest);
      const back = await demo.snapshot();
      assert.equal(back.step, end.step);
      assert.deepEqual(back.locks, end.locks);
      assert.equal(back.rivalDigest, end.rivalDigest);
      await press(demo, 'Control+y');
      const again = await demo.snapshot();
      assert.equal(again.step, other.step);
    },
  );
}

demoTest('what is seen is what is edited, and Undo gives both back', async (demo) => {
  await demo.steps(20);
  await demo.button('Invert').click();
  await demo.steps(20);
  const end = await demo.snapshot();
  await scrubber(demo).focus();
  await press(demo, 'Home');
  await demo.cell(1, 1).click();
  await demo.settled();
  const edited = await demo.snapshot();
  assert.equal(edited.step, 0);
  assert.deepEqual(edited.locks, [1, 1, 1, 0]);
  await press(demo, 'Control+z');
  assert.deepEqual((await demo.snapshot()).locks, [0, 1, 1, 0]);
  await press(demo, 'Control+z');
  await arrived(demo, end.digest);
  assert.equal((await demo.snapshot()).step, 40);
});

demoTest('Reset is undone, as is another size, seed, picture or scene', async (demo) => {
  await demo.openScene('Picture');
  await demo.button('Invert').click();
  await demo.steps(25);
  const end = await demo.snapshot();
  const changes = /** @type {[string, () => Promise<void>][]} */ ([
    ['Reset', () => demo.button('Reset').click()],
    ['size', () => demo.change({ rows: 8, cols: 8 })],
    ['seed', () => demo.change({ seed: 7 })],
    ['picture', () => demo.change({ choices: { picture: 'heart' } })],
    ['scene', () => demo.openScene('Membrane')],
  ]);
  for (const [name, change] of changes) {
    await change();
    await demo.settled();
    assert.notEqual(await digest(demo), end.digest, name);
    await press(demo, 'Control+z');
    await arrived(demo, end.digest);
    const back = await demo.snapshot();
    assert.equal(back.step, end.step, name);
    assert.deepEqual(back.locks, end.locks, name);
  }
  assert.equal(await shown(demo), end.step);
});

demoTest('after a reload Back still leads to the drawing and the run', async (demo) => {
  await demo.openScene('Picture');
  await demo.change({ rows: 16, cols: 16 });
  await demo.button('Invert').click();
  await demo.steps(9);
  const end = await demo.snapshot();
  await demo.openScene('Membrane');
  await demo.steps(3);
  await demo.written();
  await demo.page.reload();
  await demo.ready();
  await demo.page.goBack();
  await arrived(demo, end.digest);
  assert.deepEqual((await demo.snapshot()).locks, end.locks);
});

for (const beside of ['none', 'mask']) {
  demoTest(
    `pruning is one edit, with ${beside} beside: Undo gives values and locks back`,
    async (demo) => {
      await demo.openScene('Weights');
      await demo.change({ beside });
      await demo.steps(20);
      const before = await demo.snapshot();
      await demo.page.getByLabel('Prune the smallest', { exact: true }).selectOption('80 %');
      await demo.button('Prune').click();
      await demo.settled();
      const pruned = await demo.snapshot();
      const zeros = pruned.locks.flatMap((bit, i) => (bit ? [i] : []));
      assert.ok(zeros.length > 50 && zeros.every((i) => pruned.values[i] === 0));
      await press(demo, 'Control+z');
      const back = await demo.snapshot();
      assert.equal(back.digest, before.digest);
      assert.equal(back.rivalDigest, before.rivalDigest);
      assert.deepEqual(back.locks, before.locks);
      await press(demo, 'Control+y');
      assert.equal(await digest(demo), pruned.digest);

      await demo.steps(15);
      await demo.button('Reset').click();
      await demo.settled();
      const reset = await demo.snapshot();
      assert.ok(
        zeros.every((i) => reset.values[i] === 0),
        'after Reset zeros are zero',
      );
      assert.ok(reset.values.some((value) => value !== 0));
      await demo.steps(15);
      const end = await demo.snapshot();
      const link = /** @type {string} */ (await demo.page.evaluate('gradlockDemo.link()'));
      await demo.page.goto('about:blank');
      await demo.page.goto(link);
      await demo.ready();
      assert.equal(await digest(demo), end.digest, 'and so they are behind a link');
    },
  );
}

demoTest(
  'a long link shows its scene at once, replays behind a bar, and ends on the same bits',
  async (demo) => {
    await demo.page.goto(`${site.url}#scene=leak-lab&beside=mask`);
    await demo.ready();
    const link = `${site.url}#scene=leak-lab&step=600008&beside=mask`;
    await demo.steps(600_000);
    const end = await demo.snapshot();
    await demo.page.goto('about:blank');
    await demo.page.goto(link);
    const bar = demo.page.getByRole('progressbar');
    await bar.waitFor();
    assert.ok(await demo.page.locator('.cell').first().isVisible(), 'the scene is there');
    assert.match(
      (await demo.page.locator('.progress').textContent()) ?? '',
      /step .* of 600\D?008/,
    );
    await demo.until('!document.querySelector("#progress").checkVisibility()');
    const there = await demo.snapshot();
    assert.equal(there.step, end.step);
    assert.equal(there.digest, end.digest);
    assert.equal(there.rivalDigest, end.rivalDigest);
  },
);

for (const [name, leave] of /** @type {[string, (demo: DemoPage) => Promise<unknown>][]} */ ([
  ['Cancel', (demo) => demo.button('Cancel').click()],
  [
    'Undo',
    async (demo) => {
      await demo.button('Cancel').waitFor();
      await demo.page.keyboard.press('Control+z');
    },
  ],
])) {
  demoTest(
    `${name} of a run that takes the place of another, while it is replayed, brings that one back`,
    async (demo) => {
      await demo.steps(33);
      const before = await demo.snapshot();
      await demo.written();
      await demo.page.evaluate("location.hash = '#scene=leak-lab&step=3000008&beside=mask'");
      await leave(demo);
      await arrived(demo, before.digest);
      assert.equal((await demo.snapshot()).scene, 'two-by-two');
      await demo.page.keyboard.press('Control+y');
      await demo.until('gradlockDemo.frame()?.replay?.to === 3000008');
    },
  );
}

demoTest(
  'a file of a long run opens at once, from the state it holds; a damaged one by replay',
  async (demo) => {
    await demo.page.goto(`${site.url}#scene=leak-lab&beside=mask`);
    await demo.ready();
    await demo.steps(600_000);
    await demo.button('Free all').click();
    await demo.steps(12);
    const end = await demo.snapshot();
    await demo.page.getByText('Share and export').click();
    const waiting = demo.page.waitForEvent('download');
    await demo.button('Run (JSON)').click();
    const text = await textOf(await waiting);
    const file = demo.page.getByLabel('Open a run (JSON)').first();
    await demo.page.evaluate(() => {
      const found = Object.assign(window, { wasReplayed: false });
      new MutationObserver(() => {
        found.wasReplayed = true;
      }).observe(/** @type {Node} */ (document.getElementById('progress')), { attributes: true });
    });
    const damaged = JSON.parse(text);
    damaged.checkpoint.main.bytes = damaged.checkpoint.main.bytes.replace(/^.{40}/, 'A'.repeat(40));
    for (const [name, held, isReplayed] of /** @type {const} */ ([
      ['whole', text, false],
      ['damaged', JSON.stringify(damaged), true],
    ])) {
      await demo.openScene('Two by two');
      await file.setInputFiles({ name: 'x.json', mimeType: '', buffer: Buffer.from(held) });
      await arrived(demo, end.digest);
      const there = await demo.snapshot();
      assert.equal(there.rivalDigest, end.rivalDigest, name);
      assert.deepEqual(there.locks, end.locks, name);
      assert.equal(await demo.page.evaluate('wasReplayed'), isReplayed, name);
      await demo.steps(10);
      const goesOn = await digest(demo);
      await press(demo, 'Control+z');
      assert.notEqual(await digest(demo), goesOn);
    }
  },
);

demoTest(
  'what is copied is the run as it is then, and nothing where it fits no link',
  async (demo) => {
    const { page } = demo;
    await page.evaluate(`window.copied = [];
    navigator.clipboard.write = async ([item]) =>
      void copied.push(await (await item.getType('text/plain')).text());`);
    await page.locator('#share summary').click();
    await demo.button('Play').click();
    await demo.until('gradlockDemo.frame().step > 20');
    for (const label of ['Copy link', 'Copy for embedding']) {
      const step = Number(await page.evaluate('gradlockDemo.frame().step'));
      await demo.button(label).click();
      await demo.until('copied.length > 0');
      const text = String(await page.evaluate('copied.pop()'));
      assert.ok(
        Number(text.match(/step=(\d+)/)?.[1]) >= step,
        `${label}: ${text}, at step ${step}`,
      );
    }
    // Refused by the newer way, the older is taken; refused by both, people can do it by hand.
    const note = page.locator('.share-note');
    await page.evaluate(`navigator.clipboard.write = async () => { throw new Error('no') };
    navigator.clipboard.writeText = async (text) => void copied.push(text);`);
    await demo.button('Copy link').click();
    await demo.until('copied.length > 0');
    assert.match(String(await page.evaluate('copied.pop()')), /#v=1&scene=two-by-two/);
    await page.evaluate('navigator.clipboard.writeText = navigator.clipboard.write');
    await demo.button('Copy for embedding').click();
    await note.filter({ hasText: strings.share.notCopied }).waitFor();
    assert.match(await page.locator('#share-link').inputValue(), /^<iframe src=.*<\/script>$/);
    const selected = `(({ selectionStart, selectionEnd, value }) =>
      selectionEnd - selectionStart === value.length)(document.querySelector('#share-link'))`;
    assert.ok(await page.evaluate(selected));
    await demo.openScene('Your own');
    await page.evaluate(`gradlockDemo.change({
    own: { rows: 128, cols: 128, values: Float32Array.from({ length: 16384 }, (_, i) => Math.sin(i)) },
  })`);
    await demo.steps(1);
    for (const label of ['Copy link', 'Copy for embedding', 'Copy link to hand in']) {
      await page.evaluate("document.querySelector('.share-note').textContent = ''");
      await demo.button(label).click();
      await page.locator('.share-note', { hasText: strings.share.tooLong }).waitFor();
      await demo.settled();
    }
    assert.equal(await page.evaluate('copied.length'), 0);
  },
);
