/* Two overlapping Gaussian peaks on a baseline that decays: 250 readings, at 1, 2, ... 250, in
 * tests/golden/gauss2.txt. The data set Gauss2 of the National Institute of Standards and
 * Technology (B. Rust, 1996), whose solution is certified to 11 digits:
 * https://www.itl.nist.gov/div898/strd/nls/data/gauss2.shtml. */
import { readFileSync } from 'node:fs';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const text = readFileSync(new URL('../golden/gauss2.txt', import.meta.url), 'ascii');
export const READINGS = text.trim().split(/\s+/).map(Number);

/**
 * Certified: height, centre and width of each peak; height of the baseline, and how fast it decays
 * in 100 readings.
 */
export const CERTIFIED = {
  peaks: [
    [101.88022528, 107.03095519, 23.578584029],
    [72.045589471, 153.27010194, 19.525972636],
  ],
  baseline: [99.018328406, 1.0994945399],
  squares: 1247.5282092,
};

/**
 * The spectrum as it is fitted, from the second start of the data set, but with the widths known.
 * @param {Gradlock} g
 */
export const makeSpectrum = (g) => {
  const peaks = g.variable(
    [
      [103, 106, CERTIFIED.peaks[0][2]],
      [72, 151, CERTIFIED.peaks[1][2]],
    ],
    { name: 'peaks' },
  );
  const baseline = g.variable([96, 0.9], { name: 'baseline' });
  const at = g.tensor(READINGS.map((_, i) => [i + 1]));
  const seen = g.tensor(READINGS);

  const model = () => {
    const [height, centre, width] = g.split(g.transpose(peaks), 3);
    const bells = g.exp(g.neg(g.square(g.div(g.sub(at, centre), width))));
    const [level, decay] = g.unstack(baseline);
    const ground = g.mul(level, g.exp(g.mul(g.div(at, -100), decay)));
    return g.add(g.sum(g.mul(height, bells), 1), g.flatten(ground));
  };
  const residuals = () => g.sub(model(), seen);
  const loss = () => g.mean(g.square(residuals()));
  return { peaks, baseline, model, residuals, loss };
};
