/* L-BFGS beside torch.optim.LBFGS(line_search_fn='strong_wolfe') in f64 (tests/golden/pytorch.py):
 * its first iterations, one by one, and where it ends.
 *
 * gradlock's loss and gradient are f32, all else is f64; u = 2^-24.
 * - An iteration takes x by about -H^-1 g, H the curvature, so an error of a few u of g comes to x
 *   divided by the smallest curvature, while g is at most the largest one times the distance d from
 *   the bottom: to first order 16 u K d, with K the ratio of the two at the bottom. Where a line
 *   search takes another decision, paths part for good; that both search equally often says that
 *   they do not, and the path is compared while that can be expected: in the first iterations.
 * - In the end both stand where the loss cannot tell places apart. With F for the rounding of the
 *   loss, a sum of fewer than 64 terms that are not negative, that is within sqrt(2 F / smallest
 *   curvature), F = 64 u loss, of the bottom. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { Draws, floats, printTable, readGolden, UNIT } from '../golden/golden.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const golden = readGolden('pytorch.json');

/** The losses of pytorch.py. @param {Gradlock} g */
const problems = (g) => {
  const draws = new Draws(golden.lbfgsSeed);
  const target = g.tensor(draws.array([12]));
  const features = g.tensor(draws.array([24, 6]), [24, 6]);
  const signs = g.tensor(draws.array([24]).map(Math.sign));
  const weights = g.tensor(Float32Array.from({ length: 12 }, (_, i) => i + 1));
  return /** @type {Record<string, (x: Tensor) => Tensor>} */ ({
    quadratic: (x) => g.div(g.sum(g.mul(weights, g.square(g.sub(x, target)))), 2),
    valley: (x) => {
      const a = g.slice(x, [0], [x.size - 1]);
      const b = g.slice(x, [1], [x.size - 1]);
      const bends = g.square(g.mul(10, g.sub(b, g.square(a))));
      return g.add(g.sum(bends), g.sum(g.square(g.sub(1, a))));
    },
    logistic: (x) => {
      const scores = g.reshape(g.matMul(features, g.reshape(x, [6, 1])), [24]);
      const decay = g.div(g.sum(g.square(x)), 20);
      return g.add(g.sum(g.softplus(g.mul(signs, scores))), decay);
    },
  });
};

/** @type {string[][]} */
const table = [];

for (const { problem, start, options, path, evaluations, end, loss, curvatures } of golden.lbfgs) {
  test(`lbfgs on the ${problem} ${JSON.stringify(options)} from ${start} goes PyTorch's way`, async () => {
    const g = await init();
    const x = g.variable(start);
    const optimizer = g.optimizers.lbfgs({ ...options, toleranceChange: 0, toleranceGradient: 0 });
    const program = g.compile(() => problems(g)[problem](x));
    const bottom = floats(end);
    /** @param {Float32Array} a @param {Float32Array} b */
    const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
    const far = distance(Float32Array.from(start), bottom) + Math.hypot(...bottom);
    const tolerance = (16 * UNIT * far * curvatures[1]) / curvatures[0];
    let worst = 0;
    for (const [i, place] of path.entries()) {
      optimizer.minimize(program, { steps: 1 });
      // Each call computes the loss once more where it starts.
      assert.equal(
        optimizer.evaluations - i,
        evaluations[i],
        `evaluations until iteration ${i + 1}`,
      );
      const off = distance(x.data(), floats(place));
      assert.ok(off <= tolerance, `iteration ${i + 1}: off by ${off}, expected ${tolerance}`);
      worst = Math.max(worst, off);
    }
    optimizer.minimize(program, { steps: 200 });
    const off = distance(x.data(), bottom);
    const allowed = Math.sqrt((128 * UNIT * loss) / curvatures[0]) + 2 * UNIT * far;
    assert.ok(off <= allowed, `the end is off by ${off}, expected ${allowed}`);
    const digits = [worst, tolerance, off, allowed].map((value) => value.toExponential(1));
    table.push([`${problem} ${JSON.stringify(options)}`, ...digits]);
  });
}

after(() => {
  printTable(
    'L-BFGS beside PyTorch: the farthest of the first iterations, and the end',
    ['problem', 'path', 'allowed', 'end', 'allowed'],
    table,
  );
});
