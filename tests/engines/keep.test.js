/* Engines: all, because each stores and forbids in its own way. gradlock/keep in IndexedDB: pages are closed, left in the middle of a save, crash, or lose their
 * browser; what goes on ends on the digest that Node.js gives for the run that nobody disturbed.
 * Tabs agree on who writes; storage that is full or forbidden is told. KILLS=100 tries more. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { init } from 'gradlock';
import { EVERY, STEPS, train, UNKEPT } from '../js/keep-training.js';
import { inEachEngine, inEngine } from '../browser/browsers.js';
import { launchChromium } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { whereKilled } from '../browser/killable.js';
import { serveFolder } from '../browser/site.js';
import { until } from '../browser/until.js';

/** @typedef {any} Page What the drivers of all browsers have. */

const SEED = 62;
const KILLS = Number(process.env.KILLS ?? 6);
const root = new URL('../../', import.meta.url);

const g = await init();
const { digest: expected } = await train(g, UNKEPT);

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
/** The same folder, whose pages have no origin, and so no storage. @type {typeof served} */
let forbidden;
before(async () => {
  served = await serveFolder(root);
  const policy = "sandbox allow-scripts; script-src * 'wasm-unsafe-eval' 'unsafe-eval'";
  forbidden = await serveFolder(root, policy, '', { 'access-control-allow-origin': '*' });
});
after(() => {
  for (const { close } of [served, forbidden]) close();
});

/** What pages run first. @param {string} url */
const kit = (url) => `(async () => {
  const { init } = await import('${url}build/npm/index.js');
  const keeping = await import('${url}build/npm/keep.js');
  const { train, UNKEPT } = await import('${url}tests/js/keep-training.js');
  const g = await init();
  const problems = [];
  const onError = ({ reason }) => problems.push(reason);
  const open = (name, wait = false) => keeping.keep(name, { wait, onError });
  /** Trains until a step, or until the save of a step, which it does not wait for. */
  const begin = async (name, kind, at) => {
    const run = await open(name);
    const { save } = run;
    run.save = (state, note) => {
      const saved = save.call(run, state, note);
      if (kind === 'save' && note.step >= at) location.replace('about:blank');
      return saved;
    };
    await train(g, run, {
      stepped(step) {
        if (kind !== 'step' || step < at) return;
        window.isThere = true;
        return new Promise(() => {});
      },
      saved: (step) => localStorage.setItem(name, step),
    });
  };
  const finish = async (name) => {
    const run = await open(name, true);
    const ended = await train(g, run);
    await run.close();
    return { ...ended, saved: Number(localStorage.getItem(name)), problems: problems.splice(0) };
  };
  const all = { ...keeping, g, train, UNKEPT, open, begin, finish, problems };
  Object.assign(window, { kit: all });
})()`;

/** @param {Page} page @param {string} [url] */
const arrive = async (page, url = served.url) => {
  await page.goto(`${url}tests/browser/blank.html`);
  await page.evaluate(kit(url));
  return page;
};

/** Steps and saves at which a run is ended, from a seed of their own for each engine. @param {number} seed @param {number} count */
const momentsOf = (seed, count) => {
  const draws = g.random(seed);
  return Array.from({ length: count }, (_, i) => ({
    kind: i % 2 ? 'save' : 'step',
    at: 1 + Math.floor(draws.uniform([]).item() * (STEPS - EVERY)),
  }));
};

/** @param {any} ended @param {string} what @param {number} [saved] */
const assertWhole = (ended, what, saved = ended.saved) => {
  assert.deepEqual([ended.digest, ended.problems], [expected, []], what);
  assert.ok(ended.from >= saved, `${what}: it began with step ${ended.from}, ${saved} was saved`);
};

inEachEngine(
  'closed or left in mid-training, a page goes on to the same digest',
  async (first, browser) => {
    const next = await arrive(first);
    for (const [k, { kind, at }] of momentsOf(SEED, KILLS).entries()) {
      const [name, what] = [`run ${k}`, `seed ${SEED}, ${kind} ${at}`];
      const page = await arrive(await browser.newPage());
      await page.evaluate(`void kit.begin('${name}', '${kind}', ${at})`);
      await until(page, kind === 'step' ? 'window.isThere' : "location.href === 'about:blank'");
      await page.close();
      const ended = await next.evaluate(`kit.finish('${name}')`);
      if (kind === 'step') assert.equal(ended.from, EVERY * Math.floor((at - 1) / EVERY), what);
      assertWhole(ended, what);
    }
    assert.equal(await next.evaluate('kit.list().then(({ length }) => length)'), KILLS);
    await next.evaluate("kit.remove('run 0')");
    const rest = await next.evaluate('kit.list()');
    assert.equal(rest.length, KILLS - 1);
    assert.ok(!rest.includes('run 0'));
  },
);

inEachEngine(
  'of two tabs one writes, and the other has its turn, and its state, afterwards',
  async (first, browser) => {
    const [one, other] = [await arrive(first), await arrive(await browser.newPage())];
    const save = (/** @type {number} */ value) => `run.save(Uint8Array.of(${value}), ${value})`;
    assert.equal(
      await one.evaluate(`kit.open('tabs').then((opened) => ((window.run = opened), ${save(1)}))`),
      true,
    );
    const second = await other.evaluate(`kit.open('tabs').then(async (opened) => {
        window.run = opened;
        const saved = await ${save(9)};
        return [opened.isWriter, opened.found.note, saved, opened.error.reason, kit.problems];
      })`);
    assert.deepEqual(second, [false, 1, false, 'busy', ['busy', 'busy']]);
    await other.evaluate(
      "void kit.open('tabs', true).then((opened) => { window.later = opened; })",
    );
    assert.equal(await one.evaluate(save(2)), true);
    assert.equal(await other.evaluate('window.later === undefined'), true);
    await one.close();
    await until(other, 'window.later !== undefined');
    assert.deepEqual(
      await other.evaluate('[later.isWriter, later.found.note, later.problems.length]'),
      [true, 2, 0],
    );
  },
);

inEachEngine(
  'a damaged record gives way to the one before, and storage that is forbidden is told',
  async (page) => {
    await arrive(page);
    const found = await page.evaluate(`(async () => {
        const run = await kit.open('x');
        for (const epoch of [1, 2]) await run.save(new Uint8Array(1000).fill(epoch), { epoch });
        await run.close();
        const database = await new Promise((done) => {
          indexedDB.open('gradlock-keep').onsuccess = ({ target }) => done(target.result);
        });
        const records = () => database.transaction('records', 'readwrite').objectStore('records');
        const bytes = await new Promise((done) => {
          records().get('x.1.gradlock').onsuccess = ({ target }) => done(target.result);
        });
        const found = [];
        for (const damaged of [bytes.with(500, 7), bytes.subarray(0, 900), 'of somebody else']) {
          await new Promise((done) => {
            records().put(damaged, 'x.1.gradlock').onsuccess = done;
          });
          const again = await kit.open('x', true);
          found.push([again.found.note.epoch, again.found.state[999], kit.problems.splice(0)]);
          await again.close();
        }
        database.close();
        return found;
      })()`);
    assert.deepEqual(found, [
      [1, 1, ['damaged']],
      [1, 1, ['damaged']],
      [1, 1, ['foreign']],
    ]);
    await arrive(page, forbidden.url);
    const blocked = await page.evaluate(`kit.open('x').then(async (run) => {
        const { digest } = await kit.train(kit.g, run);
        const refused = await kit.list().catch(({ name, reason }) => [name, reason]);
        return { isWriter: run.isWriter, found: run.found, digest, refused, reasons: kit.problems };
      })`);
    assert.deepEqual(blocked, {
      isWriter: false,
      found: null,
      digest: expected,
      refused: ['KeepError', 'blocked'],
      reasons: Array(1 + STEPS / EVERY).fill('blocked'),
    });
  },
);

inEngine('Firefox', 'in a private window a run goes on, too', async () => {
  const browser = await launchFirefox({ 'browser.privatebrowsing.autostart': true });
  try {
    const page = await arrive(await browser.newPage());
    await page.evaluate("void kit.begin('private', 'step', 7)");
    await until(page, 'window.isThere');
    await page.close();
    const next = await arrive(await browser.newPage());
    assertWhole(await next.evaluate("kit.finish('private')"), 'private window');
    // Private windows of Firefox have no OPFS.
    const directory = 'navigator.storage.getDirectory().catch(({ name }) => name)';
    assert.equal(await next.evaluate(directory), 'SecurityError', 'the window is private');
  } finally {
    await browser.close();
  }
});

inEngine(
  'Chromium',
  'a full quota is told, costs no record, and training goes on until there is room',
  async () => {
    const browser = await launchChromium();
    try {
      const context = await browser.newContext();
      const page = await arrive(await context.newPage());
      const session = await context.newCDPSession(page);
      const { origin } = new URL(served.url);
      // Before the first save: Chromium keeps in mind for a while how much room there was.
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1_000_000 });
      const save = 'run.save(new Uint8Array(4e6), 2)';
      assert.equal(
        await page.evaluate(
          "kit.open('full').then((opened) => ((window.run = opened), opened.save(new Uint8Array(10), 1)))",
        ),
        true,
      );
      assert.deepEqual(
        await page.evaluate(
          `${save}.then((saved) => [saved, run.error.reason, run.error.cause.name, kit.problems])`,
        ),
        [false, 'full', 'QuotaExceededError', ['full']],
      );
      assert.equal(
        await page.evaluate('kit.train(kit.g, kit.UNKEPT).then(({ digest }) => digest)'),
        expected,
      );
      await session.send('Storage.overrideQuotaForOrigin', { origin });
      assert.equal(await page.evaluate(save), true);
      const again = await page.evaluate(
        "run.close().then(() => kit.open('full')).then(({ found }) => [found.note, found.state.length])",
      );
      assert.deepEqual(again, [2, 4e6]);
    } finally {
      await browser.close();
    }
  },
);

inEngine(
  'Chromium',
  'killed whole in mid-training, the next browser goes on to the same digest',
  async () => {
    await whereKilled(async (first, restart) => {
      let page = await arrive(first);
      for (const [k, { at }] of momentsOf(SEED + 9, Math.ceil(KILLS / 2)).entries()) {
        const [name, what] = [`run ${k}`, `seed ${SEED + 9}, step ${at}`];
        await page.evaluate(`void kit.begin('${name}', 'step', ${at})`);
        await until(page, 'window.isThere');
        page = await arrive(await restart());
        // Chromium writes localStorage when it likes; all saves before this step had returned.
        const saved = EVERY * Math.floor((at - 1) / EVERY);
        assertWhole(await page.evaluate(`kit.finish('${name}')`), what, saved);
      }
    });
  },
);
