/* Engines: all, because each starts, ends and freezes workers in its own way. gradlock/worker, under
 * a strict policy: jobs end on the bits of Node.js, are shown and locked by a grid, and, when their worker or their page is ended or frozen,
 * go on to the same bits. KILLS=100 tries more. tests/js/worker.test.js has all that needs no
 * browser. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { init } from 'gradlock';
import { loadModel, saveModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { makeTasks } from '../js/worker-tasks.js';
import { inEachEngine, inEngine } from '../browser/browsers.js';
import { launchTabs } from '../browser/chromium.js';
import { serveFolder } from '../browser/site.js';

/** @typedef {any} Page What the drivers of all browsers have. */

const SEED = 31;
const KILLS = Number(process.env.KILLS ?? 3);
const STEPS = 3000;
const g = await init();

/** The last state of a training here, as numbers. @param {any} data */
const stateHere = async (data) => {
  const task = /** @type {any} */ (
    await makeTasks({ init, layers, saveModel, loadModel })(data, { found: null })
  );
  if (task.model) {
    await task.model.fit(task.x, task.y, { ...task.fit, callbacks: {} });
    return [...saveModel(task.model)];
  }
  const { loss, optimizer, steps } = task;
  optimizer.minimize(loss, { steps });
  return [...optimizer.toBytes({ also: [loss] })];
};

const NOISY = { kind: 'noisy', steps: STEPS };
const NET = {
  kind: 'net',
  x: Array.from({ length: 160 }, (_, i) => Math.sin(i)),
  y: Array.from({ length: 40 }, (_, i) => i % 3),
  fit: { epochs: 5, batchSize: 8 },
};
const [noisyHere, netHere] = [await stateHere(NOISY), await stateHere(NET)];

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(new URL('../../', import.meta.url));
});
after(() => served.close());

/** What pages run first. @param {string} url */
const kit = (url) => `(async () => {
  const { init } = await import('${url}build/npm/index.js');
  const { start } = await import('${url}build/npm/worker.js');
  await import('${url}build/npm/grid.js');
  const newWorker = (file = 'worker-tasks.js', type = 'module') =>
    new Worker('${url}tests/engines/' + file, { type });
  const stepsOf = async (job, steps) => {
    for await (const { step } of job.progress) if (step >= steps) return;
  };
  /** Starts a kept job, and says when it has come to a step. */
  const begin = async (name, data, until) => {
    const job = await start(newWorker(), data, { keep: name, every: 50 });
    await Promise.race([stepsOf(job, until), job.result]);
    return job;
  };
  const finish = async (name, data) => {
    const job = await start(newWorker(), data, { keep: { name, wait: true }, every: 50 });
    const { state } = await job.result;
    job.terminate();
    return { found: job.kept.found, state: [...state] };
  };
  window.kit = { init, start, newWorker, stepsOf, begin, finish };
})()`;

/** @param {Page} page */
const arrive = async (page) => {
  await page.goto(`${served.url}tests/browser/blank.html`);
  await page.evaluate(kit(served.url));
  return page;
};

/** @param {string} claim @param {(page: Page, browser: { newPage: () => Promise<Page> }) => Promise<void>} use */
const inPage = (claim, use) =>
  inEachEngine(claim, async (page, browser) => use(await arrive(page), browser));

inPage('jobs in a module worker end on the states of Node.js, to the bit', async (page) => {
  for (const [data, expected] of /** @type {const} */ ([
    [NOISY, noisyHere],
    [NET, netHere],
  ])) {
    const state = await page.evaluate(`(async () => {
          const job = await kit.start(kit.newWorker(), ${JSON.stringify(data)});
          const { state } = await job.result;
          job.terminate();
          return [...state];
        })()`);
    assert.deepEqual(state, expected);
  }
});

inPage('a classic worker trains, too', async (page) => {
  const values = await page.evaluate(`(async () => {
        const job = await kit.start(kit.newWorker('worker-classic.js', 'classic'), { target: [1, 2] });
        await job.result;
        const { values } = await job.read('w');
        job.terminate();
        return [...values];
      })()`);
  assert.deepEqual(values, [0, 2]);
});

inPage(
  'a grid shows a job live, and a click locks in the worker between two steps',
  async (page) => {
    const found = await page.evaluate(`(async () => {
        const job = await kit.start(kit.newWorker(), { kind: 'endless' });
        const grid = document.createElement('gradlock-grid');
        document.body.append(grid);
        grid.source = job.source('w');
        await kit.stepsOf(job, 20);
        const cells = () => [...grid.shadowRoot.querySelectorAll('.cell')];
        cells()[0].click();
        const locked = await job.read('w');
        const { step } = await new Promise((resolve) => {
          job.addEventListener('progress', ({ detail }) => resolve(detail), { once: true });
        });
        await kit.stepsOf(job, step + 100);
        await job.pause();
        const later = await job.read('w');
        const frame = () => new Promise(requestAnimationFrame);
        for (let i = 0; i < 3; i++) await frame();
        const told = [
          [...locked.locks.keys()].filter((at) => locked.locks[at]),
          later.values[0] === locked.values[0], later.values[1] === locked.values[1],
          cells().map((cell) => cell.ariaPressed ?? cell.getAttribute('aria-pressed'))
            .flatMap((pressed, at) => (pressed === 'true' ? at : [])),
          cells()[1].textContent.includes(later.values[1].toFixed(2).slice(-2)),
        ];
        job.terminate();
        grid.remove();
        return told;
      })()`);
    assert.deepEqual(found, [[0, 4, 5, 6, 7], true, false, [0, 4, 5, 6, 7], true]);
  },
);

inPage('errors come over, a missing script and an ended worker are told', async (page) => {
  const told = await page.evaluate(`(async () => {
        const events = [];
        const hear = ({ name, reason, index }) => events.push([name, reason ?? index ?? null]);
        await kit.start(kit.newWorker('no-such-file.js')).catch(hear);
        const job = await kit.start(kit.newWorker(), { kind: 'calls' });
        await job.call('fail').catch(hear);
        await job.call('native').catch(hear);
        await job.call('unsendable').catch(hear);
        job.terminate();
        await job.call('double', 1).catch(hear);
        const endless = await kit.start(kit.newWorker(), { kind: 'endless' });
        endless.terminate();
        await endless.result.catch(hear);
        return events;
      })()`);
  assert.deepEqual(told, [
    ['WorkerError', 'load'],
    ['LockedElementError', [1]],
    ['TypeError', null],
    ['DataCloneError', null],
    ['WorkerError', 'ended'],
    ['WorkerError', 'ended'],
  ]);
});

inPage(
  'ended in mid-training by its worker, its page or a link, a kept job goes on to the same bits',
  async (next, browser) => {
    const draws = g.random(SEED);
    for (let k = 0; k < KILLS; k++) {
      const [isNet, end] = [k % 5 === 2, k % 3];
      const data = JSON.stringify(isNet ? NET : NOISY);
      const until = Math.floor(draws.uniform([]).item() * (isNet ? 20 : STEPS));
      const [name, what] = [`run ${k}`, `seed ${SEED}, run ${k}, ended after step ${until}`];
      const page = await arrive(await browser.newPage());
      await page.evaluate(`kit.begin('${name}', ${data}, ${until}).then((job) => {
          if (${end === 1}) job.terminate();
        })`);
      // A browser may keep the page of a link that was followed, asleep, to come back to it.
      if (end === 2) await page.goto(`${served.url}tests/browser/blank.html?next`);
      else await page.close();
      const { state, found } = await next.evaluate(`kit.finish('${name}', ${data})`);
      if (end === 2) await page.close();
      assert.deepEqual(state, isNet ? netHere : noisyHere, what);
      if (!isNet) assert.ok((found?.step ?? 0) > until - 51, `${what}, found ${found?.step}`);
    }
  },
);

inEngine(
  'Chromium',
  'a job in a frozen tab stands still, and goes on to the same bits when it thaws or the tab is discarded',
  async () => {
    const [data, browser] = [{ ...NOISY, steps: 8 * STEPS }, await launchTabs()];
    try {
      const [expected, draws] = [await stateHere(data), g.random(SEED + 3)];
      const next = await arrive(await browser.newPage());
      for (let k = 0; k < KILLS; k++) {
        const isDiscarded = k % 2 === 1;
        const until = Math.floor(draws.uniform([]).item() * STEPS);
        const [name, what] = [
          `frozen ${k}`,
          `seed ${SEED + 3}, run ${k}, frozen after step ${until}`,
        ];
        const page = await arrive(await browser.newPage());
        await page.evaluate(`kit.begin('${name}', ${JSON.stringify(data)}, ${until}).then((job) => {
        Object.assign(window, { job, at: 0 });
        job.addEventListener('progress', ({ detail }) => (window.at = detail.step));
      })`);
        const session = await page.createCDPSession();
        await session.send('Page.setWebLifecycleState', { state: 'frozen' });
        const frozenAt = await page.evaluate('at');
        assert.ok(frozenAt < data.steps, `${what}: it was in mid-training at ${frozenAt}`);
        // Kept, it would wait if the first was frozen in a transaction, which browsers do not do.
        const other = `kit.start(kit.newWorker(), ${JSON.stringify(NOISY)})
          .then((job) => job.result).then(({ state }) => [...state])`;
        assert.deepEqual(await next.evaluate(other), noisyHere, 'another tab trains on');
        assert.equal(await page.evaluate('at'), frozenAt, `${what}: it stands still`);
        if (isDiscarded) {
          await page.close();
          const { state, found } = await next.evaluate(
            `kit.finish('${name}', ${JSON.stringify(data)})`,
          );
          assert.deepEqual(state, expected, what);
          assert.ok(found.step > until - 51 && found.step < data.steps, `${what}, ${found.step}`);
        } else {
          await session.send('Page.setWebLifecycleState', { state: 'active' });
          const state = await page.evaluate('job.result.then(({ state }) => [...state])');
          assert.deepEqual(state, expected, what);
          await page.close();
        }
      }
    } finally {
      await browser.close();
    }
  },
);
