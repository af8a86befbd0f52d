/* The recipes of docs/recipes, run small: what they say of locks holds whatever is learned. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readGolden } from '../golden/golden.js';

const folder = new URL('../../docs/recipes/', import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs') && file !== 'support.mjs')
  .map((file) => file.slice(0, -4));

/** @param {string} name @param {object} options @returns {Promise<any>} */
const run = async (name, options) => {
  const { run: recipe } = await import(new URL(`${name}.mjs`, folder).href);
  const found = await recipe(options);
  assert.ok(found.lines.length >= 2 && found.lines.every((/** @type {string} */ line) => line));
  assert.match(found.svg, /^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/);
  assert.doesNotMatch(found.svg, /NaN|undefined/);
  return found;
};

/**
 * lmfit takes differences for its Jacobian, so its standard errors have about 6 digits. Its minimum
 * is off by less than a thousandth of a standard error.
 */
const PEER = 1e-4;
const PLACE = 1e-3;

/** A recipe of a fit finds what lmfit finds. @param {string} name */
const runFit = async (name) => {
  const found = await run(name, {});
  const { fit } = found;
  assert.ok(fit.converged, fit.message);
  const rows = readGolden('fit-recipes.json').recipes;
  const peer = rows.find((/** @type {any} */ row) => row.recipe === name);
  const names = Object.keys(peer.values);
  assert.deepEqual(Object.keys(fit.values).sort(), [...names].sort());
  for (const parameter of names) {
    const { value, error } = fit.parameters[parameter];
    const known = peer.errors[parameter];
    assert.equal(error === undefined, known === undefined, `${parameter} has an error`);
    const off = Math.abs(value - peer.values[parameter]);
    assert.ok(
      off <= PLACE * (known ?? 0),
      `${parameter} is ${value}, not ${peer.values[parameter]}`,
    );
    if (known !== undefined)
      assert.ok(Math.abs(error / known - 1) < PEER, `${parameter}: ${error}`);
  }
  assert.ok(Math.abs(fit.chiSquare / peer.chiSquare - 1) < PEER);
  return found;
};

/** @param {any} fit @param {string} name @returns {number} */
const errorOf = ({ parameters }, name) => parameters[name].error;

/** @type {Record<string, () => Promise<void>>} */
const CLAIMS = {
  'fit-known-widths': async () => {
    const { fit, freed } = await runFit('fit-known-widths');
    for (const name of ['height1', 'centre1', 'height2', 'centre2']) {
      assert.ok(errorOf(fit, name) < errorOf(freed, name), name);
    }
    assert.ok(fit.prices.width1.pValue > 0.05, 'the certified width is right');
  },
  'fit-michaelis-menten': async () => {
    const { fit, freed } = await runFit('fit-michaelis-menten');
    assert.ok(fit.prices.half.pValue > 0.05);
    assert.ok(errorOf(fit, 'speed') < errorOf(freed, 'speed'));
  },
  'fit-known-half-life': async () => {
    const { fit, wrong } = await runFit('fit-known-half-life');
    assert.ok(fit.prices.halfLife.pValue > 0.05);
    assert.ok(wrong.prices.halfLife.pValue < 1e-6);
    assert.equal(fit.isScaled, false);
  },
  'fit-shared-width': async () => {
    const { fit, freed } = await runFit('fit-shared-width');
    assert.equal(fit.freeCount, 21);
    assert.equal(freed.freeCount, 30);
    assert.ok(errorOf(fit, 'width1') < 0.5 * errorOf(freed, 'width1'));
  },
  'fit-calibration': async () => {
    const { fit, unweighted } = await runFit('fit-calibration');
    assert.ok(errorOf(fit, 'level') < 0.8 * errorOf(unweighted, 'level'));
    assert.ok(fit.pValue > 0.05);
  },
  transfer: async () => {
    const { before, after, newer, moved, cached } = await run('transfer', { count: 60, epochs: 2 });
    assert.equal(moved, 0);
    assert.equal(after, before);
    assert.ok(newer > 0.5, `it learns: ${newer}`);
    assert.deepEqual(cached.layers, ['features']);
  },
  'frozen-batch-normalization': async () => {
    const small = { count: 6, epochs: 3, peer: 32 };
    const { moved, most, leaks, cached, audit } = await run('frozen-batch-normalization', small);
    assert.equal(moved, 0);
    assert.equal(most, 0);
    assert.equal(audit.changed, 0);
    assert.ok(cached.layers.includes('pooled'));
    assert.equal(leaks.moved, 28, 'means and variances of 14 frozen layers move in TensorFlow.js');
  },
  'grow-a-class': async () => {
    const { isSame, audit, free } = await run('grow-a-class', { count: 40, epochs: 2 });
    assert.ok(isSame);
    assert.equal(audit.changed, 0);
    assert.equal(free, 33);
  },
  'sparse-fine-tuning': async () => {
    const { isExact, free, sizes, table } = await run('sparse-fine-tuning', {
      count: 30,
      epochs: 4,
    });
    assert.ok(isExact);
    assert.ok(free <= 0.01 && free > 0.005, `${free} are free`);
    for (const size of sizes) assert.ok(size < 0.02, `a delta of ${size} of the weights`);
    assert.ok(table[1][1] > table[0][1] + 0.1, 'a delta is for its task');
  },
  surgery: async () => {
    const { curves, moved } = await run('surgery', { count: 30, epochs: 1 });
    assert.equal(moved, 0);
    assert.ok(curves['most important kept'][1] > curves['least important kept'][1]);
  },
  'lift-a-lock': async () => {
    const { outcomes, moved } = await run('lift-a-lock', { count: 60, epochs: 12, seeds: [1] });
    assert.equal(moved, 0);
    assert.equal(outcomes.length, 4);
    for (const { task, locked, pressed, gradual, correlations } of outcomes) {
      assert.ok(
        correlations.every((/** @type {number} */ rho) => Math.abs(rho) <= 1.0001),
        task,
      );
      if (/turned|swapped/.test(task))
        assert.ok(gradual > locked, `${task}: ${locked}, ${gradual}`);
      if (task === 'turned') assert.ok(pressed > locked, `${task}: ${locked}, then ${pressed}`);
    }
  },
};

test('every recipe is on the page of recipes, and has claims here', () => {
  const page = readFileSync(new URL('README.md', folder), 'utf8');
  // Sentences needs weights that `make pretrained` fetches, and has its claims there.
  assert.deepEqual([...Object.keys(CLAIMS), 'sentences'].sort(), [...names].sort());
  for (const name of names) assert.ok(page.includes(`(${name}.mjs)`), name);
});

for (const [name, claim] of Object.entries(CLAIMS)) {
  test(`${name}: what it says of locks and learning holds`, claim);
}
