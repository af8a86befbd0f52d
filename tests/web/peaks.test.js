/** Peaks as a fit: its report and band, and bounds that are held and released. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitting } from 'gradlock/fit';
import { fitOf } from '../../web/engine/fit.js';
import { curves } from '../../web/scenes/peaks/figure.js';
import { scene as peaks } from '../../web/scenes/peaks/scene.js';
import { packMask } from '../../web/state/codec.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { readPoints } from '../../web/state/points.js';
import { firstState, validate } from '../../web/state/state.js';
import { g, openRun } from './runs.js';

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

/** @param {Record<string, unknown>} [patch] */
async function open(patch = {}) {
  const session = await openRun('peaks', { locks: null, ...patch });
  return { session, fit: () => fitOf(fitting(g), g, session.problem, session.main) };
}

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

test('the fit equals the end of a long training, and does not change the run', async () => {
  const { session, fit } = await open();
  // From the start, the fit of a peak that is too far away ends elsewhere.
  session.advance(60);
  const before = session.main.digest();
  const first = fit();
  assert.equal(session.main.digest(), before);
  assert.equal(first.converged, true);
  session.advance(240);
  session.main.values().forEach((value, i) => {
    assert.ok(Math.abs(value - first.cells[i]) < 2e-3, `cell ${i}: ${value}, ${first.cells[i]}`);
  });
  assert.deepEqual(
    first.rows.map(({ status }) => status === 'locked'),
    [...session.main.mask].map(Boolean),
  );
  // The caption counts for itself.
  const { main, problem } = session;
  const words = {
    measured: '',
    lines: (/** @type {boolean} */ hasBand) => (hasBand ? 'band: ' : ''),
    chi: (/** @type {unknown[]} */ ...all) => `${all}`,
  };
  const seen = { shown: peaks.shown?.(problem.setup), readings: main.readings() };
  const told = (/** @type {any} */ fit) =>
    curves.describe(words, /** @type {any} */ ({ ...seen, fit, locks: { x: main.mask } }));
  const caption = `${first.reducedChiSquare?.toFixed(2)},${first.degreesOfFreedom}`;
  assert.equal(told(first), `band: ${caption}`);
  assert.equal(told({ ...first, reducedChiSquare: 2 }), caption, 'no band of a fit that misses');
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
});

test('what the data cannot tell apart is named, and where nothing can be fitted there is a message', async () => {
  const { session, fit } = await open();
  // Two peaks at one position with one width: their heights do the same.
  for (const [index, value] of [
    [4, -0.62],
    [1, -0.62],
  ])
    session.do({ do: 'assign', index, value });
  const free = Uint8Array.from({ length: 12 }, (_, i) => (i === 0 || i === 3 ? 0 : 1));
  session.main.setLocks(new Uint8Array(12));
  session.do({ do: 'assign', index: 5, value: 1 });
  session.main.setLocks(free);
  assert.deepEqual(fit().undetermined, [[0, 3]]);
  session.main.setLocks(new Uint8Array(12).fill(1));
  assert.equal(fit().stopReason, 'locked');
  const few = await open({ own: ownOf('0,0\n1,2\n2,1\n3,0'), rows: 4 });
  assert.match(few.fit().refusal?.message ?? '', /too few points \(4\) for 12 free/);
});

test('a cell at its bound is held while descent would move it out, and released after', async () => {
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
});

test('a lock beats a bound, a value outside is refused, and reset keeps the bounds', async () => {
  const { session } = await open();
  const { main } = session;
  const before = main.digest();
  assert.throws(() => session.do({ do: 'bound', index: 2, min: null, max: 0.5 }), /locked at 1/);
  assert.equal(main.digest(), before);
  assert.equal(main.bounds.list(), null);
  session.do({ do: 'bound', index: 0, min: 0.5, max: 0.6 });
  assert.equal(main.values()[0], 0.5, 'it starts at its end');
  assert.throws(() => session.do({ do: 'assign', index: 0, value: 0.7 }), { name: 'BoundError' });
  session.do({ do: 'bound', index: 3, min: null, max: 0.75 });
  session.advance(50);
  const once = main.digest();
  session.reset();
  const bounds = [
    [0, 0.5, Math.fround(0.6)],
    [3, null, 0.75],
  ];
  assert.deepEqual(main.bounds.list(), bounds);
  session.advance(50);
  assert.equal(main.digest(), once);
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
  const { band } = fit();
  session.main.readings()?.all.forEach((value, i) => {
    assert.ok(band && band.lower[i] < value && value < band.upper[i], `${value} at ${i}`);
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
});

test('a cell that was held at its bound can be set as soon as the bound is gone', async () => {
  const run = await openRun('peaks');
  run.advance(100);
  run.do({ do: 'bound', index: 0, min: null, max: 0.7 });
  run.main.sides();
  run.do({ do: 'bound', index: 0, min: null, max: null });
  run.do({ do: 'assign', index: 0, value: 0.8 });
  assert.equal(run.main.values()[0], Math.fround(0.8));
});
