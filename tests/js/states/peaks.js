/* A fit of a peak on a slope, one element of it locked, for fixtures of solvers' states. */

/** @param {import('gradlock').Gradlock} g */
export const peaks = (g) => {
  const b = g.variable([1, 0.5, 3, 4, 1], { name: 'b' }).lock([1]);
  const at = g.tensor(Array.from({ length: 12 }, (_, i) => i / 2));
  const seen = g.tensor([1, 1.2, 1.6, 2.4, 3.4, 4.3, 4.5, 4, 3.1, 2.4, 2.1, 2]);
  const program = g.compile(() => {
    const [base, slope, height, centre, width] = g.split(b, 5);
    const bell = g.exp(g.neg(g.square(g.div(g.sub(at, centre), width))));
    return g.sub(g.add(g.add(base, g.mul(slope, at)), g.mul(height, bell)), seen);
  });
  const fit = g.optimizers.levenbergMarquardt();
  const digest = () => [...new Uint32Array(b.data().buffer)].join(' ');
  return { b, fit, program, digest };
};
