/** What a visitor meets: a page that fits, stands still, speaks their language, and shows first what is needed first. */

import assert from 'node:assert/strict';
import { scenes } from '../../web/scenes/index.js';
import { de } from '../../web/strings/de.js';
import { browser, demoTest, site } from './harness.js';
import { PATIENCE } from './lease.js';
import { until } from './until.js';

/** A page as a first visit sees it. @param {import('playwright-core').BrowserContextOptions} options @param {string} [address] */
async function visit(options, address = '') {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = /** @type {any} */ (entry);
        if (!hadRecentInput) seen.shift += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(site.url + address);
  await page.locator('.cell, .cursor').first().waitFor();
  return page;
}

demoTest('at 1920 × 1080 the grid is half as large again', async () => {
  const page = await visit({ viewport: { width: 1366, height: 660 } });
  const width = () => page.locator('.grid-host').evaluate((host) => host.clientWidth);
  const small = await width();
  await page.setViewportSize({ width: 1920, height: 1080 });
  assert.ok((await width()) > 1.5 * small, `${await width()} px, from ${small} px`);
  await page.context().close();
});

demoTest('no scene moves under the reader: layout shift stays below 0.1', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  for (const options of [{ viewport: { width: 1366, height: 660 } }, phone]) {
    for (const { id } of scenes) {
      const page = await visit(options, `#scene=${id}`);
      await page.evaluate('gradlockDemo.step(40)');
      await page.waitForTimeout(150);
      const shift = Number(await page.evaluate('shift'));
      assert.ok(shift < 0.1, `${id}: ${shift.toFixed(3)} at ${options.viewport.width} px`);
      await page.context().close();
    }
  }
});

demoTest('the first view is simple; all else is one click away, and remembered', async () => {
  const page = await visit({ viewport: { width: 1280, height: 800 } });
  const isSeen = (/** @type {string} */ label) =>
    page.getByLabel(label, { exact: true }).isVisible();
  for (const label of ['Optimizer', 'Learning rate', 'Speed'])
    assert.ok(await isSeen(label), label);
  for (const label of ['Seed', 'Also show']) assert.equal(await isSeen(label), false, label);
  const more = page.getByRole('button', { name: 'All controls' });
  assert.equal(await more.getAttribute('aria-expanded'), 'false');
  await more.click();
  for (const label of ['Seed', 'Also show']) assert.ok(await isSeen(label), label);
  await page.reload();
  await page.getByLabel('Seed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Fewer controls' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'All controls' }).waitFor();
  assert.equal(await isSeen('Seed'), false);
  await page.context().close();
});

demoTest('a tour shows what it speaks of, and goes there', async () => {
  const page = await visit({ viewport: { width: 900, height: 500 } }, '?lesson=own');
  const next = page.getByRole('button', { name: 'Next', exact: true });
  for (let step = 0; step < 4; step++) {
    const ring = page.locator('.is-pointed-at');
    await ring.waitFor();
    await until(
      page,
      `(({ top, bottom }) => bottom > 0 && top < innerHeight)(
      document.querySelector('.is-pointed-at').getBoundingClientRect())`,
    );
    await next.press('Enter'); // While the page scrolls, a mouse may lose it.
  }
  assert.equal(await page.locator('.is-pointed-at').getAttribute('id'), 'share');
  assert.ok(await page.locator('#share').isVisible(), 'although the first view is without it');
  await page.context().close();
});

for (const [locale, language] of /** @type {const} */ ([
  ['de-AT', 'de'],
  ['en-GB', 'en'],
  ['fr-FR', 'en'],
])) {
  demoTest(`a browser that speaks ${locale} gets ${language}`, async () => {
    const page = await visit({ locale });
    assert.equal(await page.evaluate('document.documentElement.lang'), language);
    assert.match(page.url(), new RegExp(`[?&]lang=${language}`), 'and its links say so');
    await page.context().close();
  });
}

demoTest('the language is switched in sight, and the run goes on', async (demo) => {
  await demo.openScene('Peaks');
  await demo.steps(30);
  const { digest } = await demo.snapshot();
  await demo.button('Deutsch').click();
  await demo.page.getByRole('button', { name: de.run.play, exact: true }).waitFor();
  await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${digest}')`);
  await demo.button('English').click();
  await demo.button('Play').waitFor();
  await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${digest}')`);
});

demoTest('at 320 px the page opens with the switch, Play and most of the grid', async () => {
  for (const [lang, height, least] of /** @type {const} */ ([
    ['en', 568, 0.55],
    ['en', 640, 0.75],
    ['de', 568, 0.4],
    ['de', 640, 0.6],
  ])) {
    const size = { width: 320, height };
    const page = await visit({ viewport: size, hasTouch: true, isMobile: true }, `?lang=${lang}`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    const edge = await page.locator('#guess').boundingBox();
    assert.ok(edge, 'the question is asked');
    /** The share of an element that is in sight, above an edge. @param {string} selector @param {number} [end] */
    const shareOf = async (selector, end = height) => {
      const box = await page.locator(selector).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 320, selector);
      return (Math.min(end, box.y + box.height) - box.y) / box.height;
    };
    assert.equal(await shareOf('.play'), 1);
    assert.equal(await shareOf('.hold-switch', edge.y), 1);
    const share = await shareOf('gradlock-grid', edge.y);
    assert.ok(share > least, `${lang}, ${height} px: ${share.toFixed(2)} of the grid`);
    // The question unfolds, with its answers above Play.
    await page.locator('.guess-more').click();
    const answers = await page.locator('#guess .tools').boundingBox();
    const play = await page.locator('.play').boundingBox();
    assert.ok(answers && play && answers.y > 0 && answers.y + answers.height <= play.y);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await page.locator('.guess-more').isVisible(), false, 'where there is room');
    await page.context().close();
  }
});

demoTest('at 320 px nothing sticks out in German, simple or full', async () => {
  for (const view of ['simple', 'full']) {
    const page = await visit(
      { viewport: { width: 320, height: 640 }, locale: 'de', hasTouch: true, isMobile: true },
      `?view=${view}`,
    );
    for (const { id } of scenes) {
      await page.evaluate(`gradlockDemo.change({ scene: '${id}' })`);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.equal(width, 320, `${id}, ${view}`);
    }
    await page.context().close();
  }
});

demoTest(
  'of twenty embedded pages those in sight train, and the others wait until they are',
  async (demo) => {
    const { page } = demo;
    await page.evaluate((url) => {
      document.body.replaceChildren(
        ...Array.from({ length: 20 }, () => {
          const frame = document.createElement('iframe');
          frame.src = url;
          frame.style.cssText = 'display:block;width:700px;height:600px;border:0';
          return frame;
        }),
      );
    }, `${site.url}?embed=1#scene=membrane`);
    const frames = page.locator('iframe');
    const stepOf = (/** @type {number} */ i) =>
      frames.nth(i).evaluate((frame) => {
        const { contentWindow } = /** @type {HTMLIFrameElement} */ (frame);
        return /** @type {any} */ (contentWindow).gradlockDemo?.frame()?.step ?? -1;
      });
    const wait = async (/** @type {() => Promise<boolean>} */ is) => {
      const end = performance.now() + PATIENCE;
      while (!(await is())) {
        assert.ok(performance.now() < end, 'in time');
        await page.waitForTimeout(50);
      }
    };
    await wait(async () => (await stepOf(0)) === 0);
    await page.frameLocator('iframe').first().getByRole('button', { name: 'Play' }).click();
    await wait(async () => (await stepOf(0)) > 20);
    // The page inside has an observer of its own, which is older and hears of it first.
    await frames.first().evaluate((frame) => {
      const { contentWindow } = /** @type {any} */ (frame);
      contentWindow.isInSight = true;
      new contentWindow.IntersectionObserver(
        (/** @type {IntersectionObserverEntry[]} */ entries) => {
          contentWindow.isInSight = entries.at(-1)?.isIntersecting;
        },
      ).observe(contentWindow.document.body);
    });
    await frames.nth(19).scrollIntoViewIfNeeded();
    await wait(async () => (await stepOf(19)) === 0);
    await wait(() =>
      page.evaluate("document.querySelector('iframe').contentWindow.isInSight === false"),
    );
    const out = await stepOf(0);
    await page.waitForTimeout(500);
    assert.equal(await stepOf(0), out, 'out of sight it stands still');
    await frames.first().scrollIntoViewIfNeeded();
    await wait(async () => (await stepOf(0)) > out + 10);
  },
);

demoTest(
  'on a phone a finger scrolls the page, a tap locks, and drawing is switched on in sight',
  async (demo) => {
    await demo.openScene('Picture');
    const { page } = demo;
    const wire = await page.context().newCDPSession(page);
    const swipe = async (
      /** @type {number} */ x,
      /** @type {number} */ from,
      /** @type {number} */ to,
    ) => {
      const touch = (
        /** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type,
        /** @type {number} */ y,
      ) =>
        wire.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
        });
      await touch('touchStart', from);
      for (let part = 1; part <= 10; part++)
        await touch('touchMove', from + ((to - from) * part) / 10);
      await touch('touchEnd', to);
    };
    const middle = async () => {
      const box = await page.locator('.grid').boundingBox();
      assert.ok(box);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const centre = async () => {
      await page.locator('.grid').evaluate((grid) => grid.scrollIntoView({ block: 'center' }));
      await demo.settled();
    };
    const before = await demo.snapshot();
    const changed = `gradlockDemo.snapshot().then(({ locks }) =>
      locks.filter((bit, i) => bit !== ${JSON.stringify(before.locks)}[i]).length)`;
    await page.evaluate(`document.addEventListener('scrollend', () => {
      document.body.dataset.rest = 'true';
    })`);
    const at = await middle();
    await swipe(at.x, at.y, at.y - 150);
    // Until then a tap would only stop it.
    await demo.until('document.body.dataset.rest && scrollY > 50');
    assert.equal(await page.evaluate(changed), 0, 'no lock has changed');
    // A fast finger throws the page as far as it will, and the grid out of sight.
    await centre();
    const there = await middle();
    await page.touchscreen.tap(there.x, there.y);
    // The browser says that it took a finger before the page hears of it.
    await demo.until(`${changed}.then((count) => count > 0)`);
    assert.equal(await page.evaluate(changed), 1, 'a tap locks one cell');
    await demo.button('Draw').click();
    // Whether a finger scrolls is decided by what the screen showed last.
    await centre();
    const scrolled = await page.evaluate('scrollY');
    const now = await middle();
    await swipe(now.x, now.y - 60, now.y + 60);
    await demo.until(`${changed}.then((count) => count > 5)`);
    assert.equal(await page.evaluate('scrollY'), scrolled);
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

demoTest(
  'on a phone a tour stays in sight, above what it speaks of',
  async (demo) => {
    const { page } = demo;
    await demo.openScene('Leak lab');
    await page.locator('#tour').click();
    for (let step = 0; step < 5; step++) {
      if (step > 0)
        await page.evaluate(`[...document.querySelectorAll('.lesson button')]
          .find(({ textContent }) => textContent.trim() === 'Next').click()`);
      await demo.settled();
      const [lesson, ringed] = /** @type {number[][]} */ (
        await page.evaluate(`['.lesson', '.is-pointed-at'].map((part) => {
          const { top, bottom } = document.querySelector(part).getBoundingClientRect();
          return [top, bottom];
        })`)
      );
      assert.ok(lesson[0] >= 0 && lesson[1] < 350, `step ${step}: lesson at ${lesson}`);
      const seen = Math.min(ringed[1], 700) - Math.max(ringed[0], lesson[1]);
      assert.ok(seen > 100, `step ${step}: of ${ringed} ${seen} px are seen`);
    }
  },
  {
    ...{ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
    reducedMotion: 'reduce',
  },
);

demoTest(
  'in forced colours play, the scene, what is pressed and the scale can be told',
  async (demo) => {
    const style = (
      /** @type {string} */ selector,
      /** @type {string} */ property,
      /** @type {string} */ part = '',
    ) =>
      demo.page
        .locator(selector)
        .first()
        .evaluate(
          (element, [name, of]) => getComputedStyle(element, of || null).getPropertyValue(name),
          [property, part],
        );
    assert.equal(await style('.play', 'border-top-width'), '2px');
    const line = await style('.scene-tab[aria-current=true]', 'background-color', '::after');
    assert.notEqual(line, await style('body', 'background-color'));
    assert.match(await style('.legend-bar', 'background-image'), /gradient/);
    await demo.openScene('Leak lab');
    const pressed = await style('.segments [aria-pressed=true]', 'background-color');
    assert.notEqual(pressed, await style('.segments [aria-pressed=false]', 'background-color'));
  },
  { forcedColors: 'active' },
);

demoTest(
  'on a phone, too, Digits begins with the pad to draw on',
  async (demo) => {
    await demo.openScene('Digits');
    const pad = await demo.page.locator('.pad-sheet').boundingBox();
    const grids = await demo.page.locator('.grids').boundingBox();
    assert.ok(pad && grids && pad.y + pad.height < Math.min(844, grids.y));
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

demoTest('the head of the page is seen before any of its scripts has come', async () => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    // They never come.
    await page.route('**/assets/*.js', () => {});
    await page.goto(site.url, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The page is parsed before its style has come.
    const paper = colorScheme === 'dark' ? 'rgb(22, 24, 27)' : 'rgb(253, 252, 250)';
    await until(page, `getComputedStyle(document.body).backgroundColor === '${paper}'`);
    await page.locator('main').waitFor({ state: 'attached' });
    await page.locator('main').waitFor({ state: 'hidden' });
    await context.close();
  }
});

demoTest(
  'in forced colours what is chosen stands out, and can be read',
  async (demo) => {
    for (const [scene, chosen] of [
      ['two-by-two', '.lock-toggle[aria-pressed=true]'],
      ['picture', '.hold-switch label:has(:checked)'],
      ['leak-lab', '.segments .button[aria-pressed=true]'],
      ['own', '.asks label:has(:checked)'],
      ['two-by-two', '.draw-switch[aria-pressed=true]'],
    ]) {
      await demo.change({ scene, selected: 1 });
      await demo.settled();
      if (chosen.startsWith('.draw')) await demo.button('Draw').click();
      const [is, wanted] = await demo.page.evaluate((selector) => {
        const probe = document.createElement('span');
        Object.assign(probe.style, { background: 'Highlight', color: 'HighlightText' });
        probe.style.forcedColorAdjust = 'none';
        document.body.append(probe);
        const colours = (/** @type {Element} */ element) => {
          const { backgroundColor, color } = getComputedStyle(element);
          return [backgroundColor, color];
        };
        const both = [document.querySelector(selector) ?? probe.ownerDocument.body, probe].map(
          colours,
        );
        probe.remove();
        return both;
      }, chosen);
      assert.deepEqual(is, wanted, chosen);
    }
  },
  { forcedColors: 'active', hasTouch: true },
);
