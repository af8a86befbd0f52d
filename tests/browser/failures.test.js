/** What goes wrong round a run and must cost it nothing: drawing that fails, another run, no room, a network that goes. */

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { scenes } from '../../web/scenes/index.js';
import { demoTest, site } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** @param {DemoPage} demo @param {string} hash */
async function visit({ page, ...demo }, hash) {
  await page.goto('about:blank');
  await page.goto(`${site.url}#${hash}`);
  return demo;
}

/** The page draws whatever step the run is at. @param {DemoPage} demo */
async function drawsOn(demo) {
  const { step } = await demo.snapshot();
  await demo.page.evaluate('void gradlockDemo.step(1)');
  await demo.until(`gradlockDemo.frame().step === ${step + 1}`);
  await demo.until(
    `document.querySelector('.step-count').textContent.replace(/\\D/g, '') === '${step + 1}'`,
  );
}

/** @param {DemoPage} demo */
const told = async (demo) => (await demo.message().textContent()) ?? '';

demoTest('a figure that throws is told of once, and the page draws on', async (demo) => {
  await visit(demo, 'scene=network');
  await demo.ready();
  await demo.page.evaluate(
    "CanvasRenderingContext2D.prototype.bezierCurveTo = () => { throw new Error('no ink') }",
  );
  for (let i = 0; i < 5; i++) await drawsOn(demo);
  const caption = demo.page.locator('.figure.is-net .figure-score');
  assert.match((await caption.textContent()) ?? '', /could not be drawn. The run continues/);
  assert.deepEqual(demo.complaints.splice(0), ['Error: no ink']);
});

demoTest(
  'whatever throws while a frame is drawn is told of once, and frames come on',
  async (demo) => {
    let message = '';
    await demo.page.evaluate(`
    window.thrown = 0;
    const add = DOMTokenList.prototype.toggle;
    DOMTokenList.prototype.toggle = function (name, ...rest) {
      if (name === 'is-peeking') throw new Error('no class ' + thrown++ * 0);
      return add.call(this, name, ...rest);
    };`);
    for (let i = 1; i <= 5; i++) {
      await demo.page.evaluate('void gradlockDemo.step(1)');
      await demo.until(`gradlockDemo.frame().step === ${i} && thrown >= ${i}`);
      if (i === 1) message = await told(demo);
    }
    assert.match(message, /could not be drawn. The run continues.*no class 0/);
    assert.deepEqual(demo.complaints.splice(0), ['Error: no class 0']);
    await demo.page.evaluate('delete DOMTokenList.prototype.toggle');
  },
);

for (const { id, study } of scenes) {
  demoTest(
    `${id}: figures are drawn in no room, in a dot of it, and when they are shown again`,
    async (demo) => {
      await visit(demo, `scene=${id}`);
      await demo.ready();
      const pictures = () =>
        demo.page.evaluate(() =>
          [...document.querySelectorAll('.figure canvas')].map((canvas) => {
            const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
            return {
              size: [width, height],
              url: /** @type {HTMLCanvasElement} */ (canvas).toDataURL(),
            };
          }),
        );
      const before = await pictures();
      const style = (/** @type {Record<string, string>} */ css) =>
        demo.page.evaluate((css) => {
          const page = /** @type {HTMLElement} */ (document.querySelector('#page'));
          page.removeAttribute('style');
          for (const [name, value] of Object.entries(css)) page.style.setProperty(name, value);
        }, css);
      for (const css of /** @type {Record<string, string>[]} */ ([
        { display: 'none' },
        { width: '1px' },
        { width: '0px' },
        { width: '40px' },
      ])) {
        await style(css);
        // In no room nothing is drawn; frames come all the same.
        await demo.page.evaluate('void gradlockDemo.change({ selected: 1 })');
        await demo.settled();
      }
      await demo.page.evaluate('void gradlockDemo.change({ selected: 0 })');
      await style({ display: 'none' });
      await demo.settled();
      await style({});
      await demo.settled();
      const after = await pictures();
      assert.deepEqual(
        after.map(({ size }) => size),
        before.map(({ size }) => size),
      );
      // What a study finds out goes on being drawn.
      if (!study) assert.ok(isDeepStrictEqual(after, before), 'what stands still looks as it did');
      await drawsOn(demo);
    },
  );
}

demoTest(
  'an edit that meets another run does it no harm, and locks are counted of their own',
  async (demo) => {
    const { page } = demo;
    await visit(demo, 'scene=membrane&size=512x512');
    await demo.ready();
    await demo.steps(20);
    const { digest } = await demo.snapshot();
    await page.locator('.scene-tab', { hasText: 'Two by two' }).click();
    await page.keyboard.press('Control+z');
    // While one run goes and the other comes, whatever cell is in sight is clicked again and again.
    await page.evaluate(`(async () => {
    for (let i = 0; i < 30; i++) {
      const grid = document.querySelector('gradlock-grid');
      const { left, top, width, height } = grid.getBoundingClientRect();
      const where = { clientX: left + width / 4, clientY: top + height / 4, bubbles: true, composed: true };
      const target = grid.shadowRoot.elementFromPoint(where.clientX, where.clientY) ?? grid;
      if (document.querySelector('.lock-count').textContent.includes('of 4 '))
        for (const type of ['pointerdown', 'pointerup'])
          target.dispatchEvent(new PointerEvent(type, { pointerId: 1, isPrimary: true, button: 0, ...where }));
      await new Promise(requestAnimationFrame);
    }
  })()`);
    await demo.until(
      `gradlockDemo.snapshot().then(({ scene, digest }) => scene === 'membrane' && digest === '${digest}')`,
    );
    await demo.settled();
    assert.equal(await demo.message().count(), 0);
    const { locks } = await demo.snapshot();
    const count = locks.filter((bit) => bit === 1).length.toLocaleString('en');
    assert.match(
      (await page.locator('.lock-count').textContent()) ?? '',
      new RegExp(`^${count} of 262,144 cells`),
    );
    await drawsOn(demo);
  },
);

demoTest('a value that was being typed when another run came goes to neither', async (demo) => {
  await demo.openScene('Membrane');
  await demo.page.locator('.cell, .cursor').first().focus();
  await demo.page.keyboard.type('0.7');
  await demo.page.evaluate("gradlockDemo.change({ scene: 'two-by-two' })");
  await demo.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'two-by-two')");
  await demo.settled();
  assert.ok(!(await demo.snapshot()).values.includes(Math.fround(0.7)));
  assert.equal(await demo.message().count(), 0);
});

demoTest(
  'cells take what a 32-bit number holds, and say plainly what they cannot',
  async (demo) => {
    const type = async (/** @type {string} */ text) => {
      await demo.page.locator('gradlock-grid .cell').nth(1).focus();
      await demo.page.keyboard.type(text);
      await demo.page.keyboard.press('Enter');
      await demo.settled();
    };
    await demo.page.locator('gradlock-grid .cell').nth(1).focus();
    await demo.button('Free all').click();
    const before = await demo.snapshot();
    for (const [text, says] of /** @type {[string, RegExp][]} */ ([
      ['1e400', /too large for a 32-bit number.*keeps.*up to 3\.4e38/],
      ['4e38', /too large for a 32-bit number/],
      ['1,000', /one number or a thousand times as much.*without a comma/],
      ['3x', /is not a number/],
    ])) {
      await type(text);
      assert.match(await told(demo), says);
      assert.equal((await demo.snapshot()).digest, before.digest, text);
    }
    for (const [text, value] of /** @type {[string, number][]} */ ([
      ['0,5', 0.5],
      ['-0', -0],
    ])) {
      await type(text);
      assert.equal(await demo.message().count(), 0);
      assert.equal((await demo.snapshot()).values[1] + 0, value + 0, text);
    }
    const { bits } = await demo.snapshot();
    assert.equal(bits[1], 0x80000000, 'minus zero');
    await demo.steps(3);
    const { digest } = await demo.snapshot();
    await demo.page.reload();
    await demo.ready();
    assert.equal((await demo.snapshot()).digest, digest, 'after a reload, too');
    const code = await demo.page.evaluate('gradlockDemo.code()');
    assert.match(String(code), /=== 1 \? -0 : value/);
  },
);

demoTest('a value too large for the loss is told of as such, after a reload too', async (demo) => {
  await demo.button('Free all').click();
  await demo.page.locator('gradlock-grid .cell').nth(1).focus();
  await demo.page.keyboard.type('1e38');
  await demo.page.keyboard.press('Enter');
  await demo.message().waitFor();
  assert.match(await told(demo), /so large that the loss does not fit into a 32-bit number/);
  await demo.steps(2);
  assert.doesNotMatch(await told(demo), /learning rate/);
  await demo.written();
  await demo.page.reload();
  await demo.ready();
  await demo.message().waitFor();
  assert.match(await told(demo), /so large that the loss/);
  // A rate that is too large is still blamed.
  await visit(demo, 'scene=leak-lab&optimizer=sgd,9000,0.9,0.004');
  await demo.ready();
  await demo.steps(60);
  assert.match(await told(demo), /the learning rate is too large/);
});

demoTest('what runs is called running, also where nothing moves any more', async (demo) => {
  await visit(demo, 'scene=two-by-two&beside=mask&optimizer=sgd,0,0.9,0.004');
  await demo.ready();
  await demo.page.locator('.play').click();
  await demo.until('gradlockDemo.frame().isSettled && gradlockDemo.frame().isPlaying');
  await demo.settled();
  assert.equal(await demo.page.locator('.status').textContent(), 'Training');
  assert.match((await demo.page.locator('.play').textContent()) ?? '', /Pause/);
  await demo.page.locator('.play').click();
  await demo.page.locator('.status', { hasText: 'Settled' }).waitFor();
});

demoTest('beside a mask that leaks, the count says which of the two holds', async (demo) => {
  await demo.openScene('Leak lab');
  await demo.steps(60);
  const { moved } = await demo.page.evaluate('gradlockDemo.frame().rival');
  assert.ok(moved > 0);
  assert.match(
    (await demo.page.locator('.lock-count').textContent()) ?? '',
    new RegExp(
      `under the true lock none has moved by a single bit, under the mask ${moved} have moved$`,
    ),
  );
});

demoTest(
  'a network that is gone is told of plainly, and once it is back the scene opens',
  async (demo) => {
    const { page } = demo;
    await demo.steps(5);
    const { digest } = await demo.snapshot();
    await page.context().setOffline(true);
    await page.locator('.scene-tab', { hasText: 'Digits' }).click();
    await demo.message().waitFor();
    assert.match(
      await told(demo),
      /not loaded yet, and the server cannot be reached. Nothing has changed/,
    );
    assert.equal((await demo.snapshot()).digest, digest);
    await drawsOn(demo);
    await page.context().setOffline(false);
    // What the browser says of the failed request is its own.
    demo.complaints.splice(0);
    await page.reload();
    await demo.ready();
    await demo.openScene('Digits');
    assert.equal(await demo.message().count(), 0);
  },
);
