/* A spectrum of two Gaussian peaks whose widths are known, as from the instrument's resolution:
 * they are locked, and heights, centres and the baseline are fitted. Fitting programs call such
 * parameters fixed, and rebuild the problem without them; here it is a lock, under every method,
 * which may be released between two calls.
 *
 * L-BFGS, Levenberg-Marquardt and Adam find what is certified. A method that compares f32 losses,
 * of relative error 1e-6, tells points apart from where the loss rises by as much: sqrt(1e-6 * 242
 * degrees of freedom) = 0.016 standard deviations, of which the certified ones are up to 1.2 % of a
 * parameter. So 2e-4 of a parameter is allowed.
 *
 * `make pictures` draws the fit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { CERTIFIED, makeSpectrum, READINGS } from './spectrum.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {ReturnType<typeof makeSpectrum>} Spectrum */

const TOLERANCE = 2e-4;

/** @type {Record<string, (g: Gradlock, spectrum: Spectrum) => number>} */
const METHODS = {
  'Levenberg-Marquardt': (g, { residuals }) => {
    const squares = 2 * g.optimizers.levenbergMarquardt().minimize(residuals, { steps: 50 });
    return squares / READINGS.length;
  },
  'L-BFGS': (g, { loss }) => g.optimizers.lbfgs().minimize(loss, { steps: 200 }),
  Adam: (g, { loss }) => {
    const learningRate = g.schedules.cosineDecay({ initialLearningRate: 0.5, decaySteps: 4000 });
    return g.optimizers.adam({ learningRate }).minimize(g.compile(loss), { steps: 4000 });
  },
};

/** @param {ArrayLike<number>} got @param {readonly number[]} want @param {string} what */
const assertCertified = (got, want, what) => {
  for (const [i, value] of want.entries()) {
    const far = Math.abs(got[i] / value - 1);
    assert.ok(far < TOLERANCE, `${what}[${i}] is ${got[i]}, certified ${value}: off by ${far}`);
  }
};

for (const [name, fit] of Object.entries(METHODS)) {
  test(`${name} finds the certified peaks, with their widths locked to the bit`, async (t) => {
    const g = await init();
    const spectrum = makeSpectrum(g);
    const { peaks, baseline } = spectrum;

    // The recipe.
    peaks.lock({ cols: [2] });
    const before = new Uint32Array(peaks.data().buffer);
    const squares = READINGS.length * fit(g, spectrum);

    assertCertified(peaks.data(), CERTIFIED.peaks.flat(), 'peaks');
    assertCertified(baseline.data(), CERTIFIED.baseline, 'baseline');
    assert.ok(Math.abs(squares / CERTIFIED.squares - 1) < 1e-4, `the sum of squares is ${squares}`);
    const after = new Uint32Array(peaks.data().buffer);
    for (const i of [2, 5]) assert.equal(after[i], before[i], 'a width kept its bits');
    t.diagnostic(`${name}: ${[...peaks.data(), ...baseline.data()].join(' ')}; ${squares}`);
  });
}

test('with the widths released the same fit goes on, and finds them too', async () => {
  const g = await init();
  const { peaks, residuals } = makeSpectrum(g);
  peaks.lock({ cols: [2] });
  peaks.fix([0, 2], 20);
  const program = g.compile(residuals);
  const fit = g.optimizers.levenbergMarquardt();
  const wrong = 2 * fit.minimize(program, { steps: 50 });
  assert.ok(wrong > 2 * CERTIFIED.squares, `with a wrong width the sum of squares is ${wrong}`);

  peaks.unlock('all');
  fit.minimize(program, { steps: 50 });
  assertCertified(peaks.data(), CERTIFIED.peaks.flat(), 'peaks');
});
