/** Peaks as a fit: its band and report, bounds that are held and let go, and a person's own points. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { fitting } from 'gradlock/fit';
import { fitOf } from '../../web/engine/fit.js';
import { Session } from '../../web/engine/session.js';
import { peaks } from '../../web/scenes/peaks.js';
import { packMask } from '../../web/state/codec.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { isPoints, readPoints } from '../../web/state/points.js';
import { firstState, openingState, setupOf, validate } from '../../web/state/state.js';
import { demoTest } from './harness.js';
import { textOf } from './page.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const PEAKS = '#scene=peaks';

/** Two peaks, far from the scene's own units. */
const CSV = [
  'wavelength;counts;error',
  ...Array.from({ length: 60 }, (_, i) => {
    const x = 500 + i;
    const y = 1200 * Math.exp(-(((x - 520) / 6) ** 2)) + 700 * Math.exp(-(((x - 541) / 4) ** 2));
    return `${x};${(y + 10 * Math.sin(7 * i)).toFixed(2).replace('.', ',')};14`;
  }),
].join('\n');

/** @param {string} text */
function ownOf(text) {
  const read = readPoints(text);
  assert.ok('own' in read, JSON.stringify(read));
  return read.own;
}

/** Opens a run of the scene without a page. @param {Record<string, unknown>} [patch] */
async function open(patch = {}) {
  const g = await init();
  const state = { ...openingState(peaks), ...patch };
  const { optimizer, locks, events, beside, rival } = state;
  const recipe = { optimizer, locks, events, look: { beside, rival } };
  const session = new Session(g, peaks, setupOf(state), recipe);
  session.replay(0);
  return { g, session, fit: () => fitOf(fitting(g), g, session.problem, session.main) };
}

/** @param {DemoPage} demo @param {string} text */
async function bring(demo, text) {
  const fold = demo.page.locator('#points details');
  if (!(await fold.getAttribute('open').then((open) => open !== null))) {
    await demo.page.getByText('Your own points').click();
  }
  await demo.page.getByLabel(/^Columns x, y/).fill(text);
  await demo.button('Use these points').click();
  await demo.settled();
}

/** The shown value of a parameter. @param {DemoPage} demo @param {string} name */
const found = async (demo, name) =>
  (await demo.page
    .getByRole('row', { name: new RegExp(`^${name} `) })
    .locator('td')
    .first()
    .textContent()) ?? '';

test('points are of the columns that are called x, y and sigma, else of the first two of numbers', () => {
  const rows = '1;2;3;9\n2;3;3;9\n3;4;3;8\n4;5;3;7';
  const [both, third, fourth] = [
    [1, 2, 2, 3, 3, 4, 4, 5],
    [1, 2, 3, 2, 3, 3, 3, 4, 3, 4, 5, 3],
    [1, 2, 9, 2, 3, 9, 3, 4, 8, 4, 5, 7],
  ];
  for (const [
    text,
    values,
    taken,
    choice,
  ] of /** @type {[string, number[], number[], import('../../web/state/points.js').PointsChoice?][]} */ ([
    ['x,y\n3,1\n1,2\n2,0\n4,5', [1, 2, 2, 0, 3, 1, 4, 5], [0, 1]],
    ['y,x\n1,3\n2,1\n0,2\n5,4', [1, 2, 2, 0, 3, 1, 4, 5], [1, 0]],
    [rows, both, [0, 1]],
    [`time;temp;s;light\n${rows}`, both, [0, 1]],
    ...['sigma', 'σ', 'y_err', 'Std. dev', 'SE', '± (mV)', 'Error, V'].map((name) => [
      `t;n;${name};x0\n${rows}`,
      third,
      [0, 1, 2],
    ]),
    [`t;n;shift;x0\n${rows}`, fourth, [0, 1, 3], { sigma: 3 }],
    [`t;n;sigma;x0\n${rows}`, both, [0, 1], { sigma: -1 }],
    [`no;time;temp;run\n${rows}`, [2, 3, 3, 3, 4, 3, 5, 3], [1, 2]],
    [`no;time;temp;run\n${rows}`, both, [0, 1], { x: 0, y: 1 }],
    ['1,5;2\n2;3\n3;4\n4;5', [1.5, 2, 2, 3, 3, 4, 4, 5], [0, 1]],
  ])) {
    const read = readPoints(text, choice);
    assert.ok('own' in read, `${text}: ${JSON.stringify(read)}`);
    assert.deepEqual([...read.own.values], values, text);
    assert.deepEqual(read.reading.taken, taken, text);
    assert.ok(isPoints(read.own));
  }
});

test('what is no table of points is an error that names the line and the column', () => {
  for (const [text, problem] of /** @type {[string, Record<string, unknown>][]} */ ([
    ['', { problem: 'empty' }],
    ['x\n1\n2\n3\n4', { problem: 'oneColumn' }],
    ['x,y\n1,2\n2,3\n3,4', { problem: 'fewPoints', count: 3 }],
    ['x,y\n1,2\n2,a\n3,4\n4,5', { problem: 'notANumber', line: 3, column: 2, given: 'a' }],
    ['x,y\n1,2\n2,\n3,4\n4,5', { problem: 'noCell', line: 3, column: 2, given: '' }],
    ['x,y\n1,2\n2,1e99\n3,4\n4,5', { problem: 'notANumber', line: 3, column: 2, given: '1e99' }],
    ['x,y\n1,2\n2\n3,4\n4,5', { problem: 'ragged', line: 3, count: 1, wanted: 2 }],
    ['x,y,sd\n1,1,1\n2,1,1\n3,1,0\n4,1,1', { problem: 'sigma', line: 4, column: 3, given: '0' }],
    ['5,1\n5,2\n5,3\n5,4', { problem: 'oneX' }],
    [Array(2001).fill('1,2').join('\n'), { problem: 'manyPoints', count: 2001 }],
    ['PK\0', { problem: 'binary' }],
  ])) {
    assert.deepEqual(readPoints(text), problem, text.slice(0, 40));
  }
});

test('points and bounds are in the link of a run, and links without them open as before', () => {
  const own = ownOf(CSV);
  const events = [
    { do: 'bound', index: 0, min: null, max: 0.7, step: 0 },
    { do: 'bound', index: 1, min: -0.5, max: null, step: 8 },
  ];
  const given = validate({ scene: 'peaks', own, rows: 2, events, step: 9 }, firstState());
  assert.deepEqual(given.problems, []);
  const read = validate(fromLink(toLink(given.state)) ?? {}, firstState());
  assert.deepEqual(read.problems, []);
  assert.deepEqual(read.state, given.state);
  const old = validate(fromLink('v=1&scene=peaks&size=4x3&noise=noisy&step=3') ?? {}, firstState());
  assert.deepEqual(old.problems, []);
  assert.equal(old.state.own, null);
});

test('a link keeps out points that are none, ranges that cross, and bounds of other scenes', () => {
  const bound = { do: 'bound', index: 0, min: 0, max: 1, step: 0 };
  for (const [patch, field] of /** @type {[Record<string, unknown>, string][]} */ ([
    [{ scene: 'peaks', own: { rows: 4, cols: 2, values: new Float32Array(8) } }, 'own'],
    [{ scene: 'peaks', own: { rows: 4, cols: 2, values: Float32Array.of(1, 2) } }, 'own'],
    [{ scene: 'peaks', events: [{ ...bound, min: 2 }] }, 'events'],
    [{ scene: 'peaks', events: [{ ...bound, index: 12 }] }, 'events'],
    [{ scene: 'peaks', events: [{ ...bound, max: Number.NaN }] }, 'events'],
    [{ scene: 'two-by-two', events: [bound] }, 'events'],
  ])) {
    const { problems } = validate(patch, firstState());
    assert.deepEqual(
      problems.map((problem) => problem.field),
      [field],
    );
  }
});

test('the fit stands where a long training ends, and leaves the run its bits', async () => {
  const { session, fit } = await open();
  // From the start, the fit of a peak that is too far away ends elsewhere.
  session.advance(60);
  const before = session.main.digest();
  const first = fit();
  assert.equal(session.main.digest(), before);
  assert.equal(first.converged, true);
  session.advance(600);
  session.main.values().forEach((value, i) => {
    assert.ok(Math.abs(value - first.cells[i]) < 2e-3, `cell ${i}: ${value}, ${first.cells[i]}`);
  });
  assert.deepEqual(
    first.rows.map(({ status }) => status === 'locked'),
    [...session.main.mask].map(Boolean),
  );
  session.dispose();
});

test('the truth is within three errors of the fit, and a freed width makes the band wider', async () => {
  const { session, fit } = await open();
  session.advance(60);
  const truth = [0.8, -0.62, 1, 0.45, -0.18, 0.7, 0.95, 0.2, 1.3, 0.6, 0.66, 0.8];
  const locked = fit();
  locked.rows.forEach(({ value, error, name }, i) => {
    assert.ok(
      Math.abs(value - truth[i]) <= 3 * (error ?? 0) + 1e-6,
      `${name}: ${value} ± ${error}`,
    );
  });
  const width = (/** @type {typeof locked} */ { band }) =>
    band?.upper.reduce((sum, high, i) => sum + high - band.lower[i], 0) ?? 0;
  session.do({ do: 'locks', mask: packMask(new Uint8Array(12)) });
  assert.ok(width(fit()) > 1.1 * width(locked));
  session.dispose();
});

test('what the data cannot tell apart is named, and where nothing can be fitted it is said', async () => {
  const { session, fit } = await open();
  // Two peaks at one place with one width: their heights do the same.
  for (const [index, value] of [
    [4, -0.62],
    [1, -0.62],
  ])
    session.do({ do: 'assign', index, value });
  const free = Uint8Array.from({ length: 12 }, (_, i) => (i === 0 || i === 3 ? 0 : 1));
  const { setLocks } = {
    setLocks: (/** @type {Uint8Array} */ mask) => session.main.setLocks(mask),
  };
  session.main.setLocks(new Uint8Array(12));
  session.do({ do: 'assign', index: 5, value: 1 });
  setLocks(free);
  assert.deepEqual(fit().undetermined, [[0, 3]]);
  setLocks(new Uint8Array(12).fill(1));
  assert.equal(fit().stopReason, 'locked');
  session.dispose();
  const few = await open({ own: ownOf('0,0\n1,2\n2,1\n3,0'), rows: 4 });
  assert.match(few.fit().refusal?.message ?? '', /too few points \(4\) for 12 free/);
  few.session.dispose();
});

test('a bound is held by the holder bound while the cell presses on it, and let go after', async () => {
  const { session, fit } = await open();
  session.do({ do: 'bound', index: 0, min: null, max: 0.7 });
  session.do({ do: 'bound', index: 3, min: 0.6, max: null });
  session.advance(200);
  const { main } = session;
  assert.equal(main.values()[0], Math.fround(0.7));
  assert.equal(main.sides()?.[0], 1);
  assert.equal(main.values()[3], Math.fround(0.6));
  assert.equal(main.sides()?.[3], -1);
  assert.equal(fit().rows[3].status, 'min');
  assert.deepEqual(
    [...main.locks()],
    [...peaks.locks(session.problem.setup)],
    'no lock of a person',
  );
  assert.equal(fit().rows[0].status, 'max');
  assert.equal(fit().cells[0], Math.fround(0.7));
  session.do({ do: 'bound', index: 0, min: null, max: 2 });
  session.do({ do: 'bound', index: 3, min: null, max: null });
  session.advance(200);
  assert.ok(Math.abs(main.values()[0] - fit().cells[0]) < 5e-3);
  assert.equal(main.sides()?.[0], 0);
  session.dispose();
});

test('a lock beats a bound, a value outside is refused, and reset keeps the bounds', async () => {
  const { session } = await open();
  const { main } = session;
  const before = main.digest();
  assert.throws(() => session.do({ do: 'bound', index: 2, min: null, max: 0.5 }), /locked at 1/);
  assert.equal(main.digest(), before);
  assert.equal(main.ranges(), null);
  session.do({ do: 'bound', index: 0, min: 0.5, max: 0.6 });
  assert.equal(main.values()[0], 0.5, 'it starts at its end');
  assert.throws(() => session.do({ do: 'assign', index: 0, value: 0.7 }), { name: 'BoundError' });
  session.advance(50);
  const once = main.digest();
  session.reset();
  assert.deepEqual(main.ranges(), [[0, 0.5, Math.fround(0.6)]]);
  session.advance(50);
  assert.equal(main.digest(), once);
  session.dispose();
});

test('a run with bounds goes on from its checkpoint, and from its events, with the same bits', async () => {
  const { session } = await open();
  session.advance(20);
  session.do({ do: 'bound', index: 3, min: 0.6, max: null });
  session.advance(30);
  const [checkpoint, { events }] = [session.checkpoint(), session.recipe()];
  session.advance(30);
  for (const saved of [checkpoint, null]) {
    const again = await open({ events });
    for (const _ of again.session.opening(50, saved));
    again.session.advance(30);
    assert.equal(again.session.main.digest(), session.main.digest());
    assert.deepEqual(again.session.main.ranges(), session.main.ranges());
    again.session.dispose();
  }
  session.dispose();
});

test('peaks of own points are found in their number, and fitted in their units', async () => {
  const own = ownOf(CSV);
  assert.equal(peaks.rowsFor?.(own), 2);
  const { session, fit } = await open({ own, rows: 2 });
  const wanted = [1200, 520, 6, 700, 541, 4];
  const { rows, isScaled, cells } = fit();
  rows.forEach(({ value, error, name }, i) => {
    assert.ok(Math.abs(value - wanted[i]) < 3 * Number(error), `${name}: ${value} ± ${error}`);
  });
  assert.equal(isScaled, false, 'sigma is known');
  session.advance(1500);
  session.main.values().forEach((value, i) => {
    assert.ok(Math.abs(value - cells[i]) < 5e-3, `cell ${i}: ${value}, ${cells[i]}`);
  });
  // By way of their units, many ends would be rounded.
  for (const end of Array.from({ length: 9 }, (_, i) => 0.3 + i / 37)) {
    session.do({ do: 'bound', index: 0, min: null, max: end });
    session.do({ do: 'bound', index: 3, min: end + 0.1, max: null });
    const [{ rows, cells }, high, low] = [fit(), ...[end, end + 0.1].map(Math.fround)];
    if (rows[0].status === 'max') assert.equal(cells[0], high);
    if (rows[3].status === 'min') assert.equal(cells[3], low);
    assert.ok(rows[0].status === 'max' || rows[3].status === 'min');
  }
  session.dispose();
});

demoTest(
  'the report gives errors, takes a bound, and moves the cells to the fit; undo leads back',
  async (demo) => {
    const { page } = demo;
    assert.equal(
      await page.locator('.fit-table').isVisible(),
      false,
      'the first view has no table',
    );
    await demo.steps(100);
    await demo.until(
      "document.querySelector('.is-curves figcaption').textContent.includes('band')",
    );
    await page.getByText('Report of the fit').click();
    assert.match(await found(demo, 'height A'), /^0\.8\d+ ± 0\.01\d$/);
    assert.equal(await found(demo, 'width A'), '1 (locked: exact)');
    assert.match(
      (await page.locator('.fit-told').first().textContent()) ?? '',
      /has converged.*χ² = 1\.\d+/,
    );
    const before = await demo.snapshot();
    await page.getByLabel('height A: Max').fill('0.7');
    await page.getByLabel('height A: Max').press('Enter');
    await demo.until("document.querySelector('.bound-mark.is-max') !== null");
    await demo.until(
      "document.querySelector('.fit-found').textContent.includes('held at its max')",
    );
    await demo.button('Move the cells to this fit').click();
    await demo.settled();
    const moved = await demo.snapshot();
    assert.equal(moved.values[0], Math.fround(0.7));
    assert.deepEqual(
      [2, 5, 8, 11].map((i) => moved.bits[i]),
      [2, 5, 8, 11].map((i) => before.bits[i]),
      'locked cells keep their bits',
    );
    for (const name of ['height A: Min', 'height A: Max']) {
      const kept = await page.getByLabel(name).inputValue();
      await page.getByLabel(name).fill(name.endsWith('Min') ? '3' : 'high');
      await page.getByLabel(name).press('Enter');
      await demo.message().filter({ hasText: 'no bounds for height A' }).waitFor();
      assert.equal(await page.getByLabel(name).inputValue(), kept);
    }
    await demo.button('Undo').click();
    await demo.button('Undo').click();
    await demo.until(`gradlockDemo.snapshot().then(({ digest }) => digest === '${before.digest}')`);
    await demo.until("document.querySelector('.bound-mark') === null");
  },
  undefined,
  PEAKS,
);

demoTest(
  'own points open as a fit, errors change nothing, and a link brings all of it back',
  async (demo) => {
    const { page } = demo;
    await bring(demo, CSV);
    await demo.until('gradlockDemo.snapshot().then(({ rows }) => rows === 2)');
    assert.match(
      (await page.locator('.own-note').textContent()) ?? '',
      /^60 points\. x, y and sigma come from the columns wavelength, counts, error\./,
    );
    await page.getByText('Report of the fit').click();
    await demo.until(
      "/^12\\d\\d\\.\\d ± |^119\\d\\.\\d ± /.test(document.querySelector('.fit-found').textContent)",
    );
    const { digest } = await demo.snapshot();
    await bring(demo, CSV.replace('505;', 'five;'));
    await demo.message().filter({ hasText: 'Line 7, cell 1: “five” is not a number' }).waitFor();
    assert.equal((await demo.snapshot()).digest, digest);
    await demo.button('Move the cells to this fit').click();
    await demo.steps(5);
    await demo.written();
    const end = await demo.snapshot();
    await page.goto('about:blank');
    await page.goBack();
    await demo.ready();
    await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${end.digest}')`);
    await page.getByText('Your own points').click();
    await demo.button('Back to the example').click();
    await demo.until('gradlockDemo.snapshot().then(({ rows }) => rows === 4)');
  },
  undefined,
  PEAKS,
);

demoTest(
  'code and file of a run with bounds give the same bits',
  async (demo) => {
    const { page } = demo;
    await page.getByText('Report of the fit').click();
    await page.getByLabel('height C: Max').fill('0.8');
    await page.getByLabel('height C: Max').press('Enter');
    await demo.until("document.querySelectorAll('.bound-mark').length === 0");
    await demo.steps(120);
    const { digest, values } = await demo.snapshot();
    assert.equal(values[6], Math.fround(0.8));
    const code = await page.evaluate('gradlockDemo.code()');
    const run = String(code).replace(/import .*gradlock.*\n/g, '');
    const g = await init();
    /** @type {string[]} */
    const told = [];
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    await new AsyncFunction('init', 'console', run)(async () => g, {
      log: (/** @type {string} */ text) => told.push(text),
    });
    assert.deepEqual(told, [digest]);
    await page.getByText('Share and export').click();
    const waiting = page.waitForEvent('download');
    await demo.button('Run (JSON)').click();
    const text = await textOf(await waiting);
    await demo.button('Reset').click();
    await page
      .locator('input[type=file][accept*=json]')
      .last()
      .setInputFiles({
        ...{ name: 'run.json', mimeType: 'application/json' },
        buffer: Buffer.from(text),
      });
    await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${digest}')`);
  },
  undefined,
  PEAKS,
);
