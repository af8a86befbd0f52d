// Robust losses as SciPy's least_squares defines them: ρ(z) of z = (r / C)², and residuals whose
// squares are C² ρ(z), by ops that are smooth at 0. So Levenberg-Marquardt minimises the same cost.
// Source: Triggs et al. 2000, "Bundle Adjustment", for the scaled Jacobian of the covariance.

/** @import { Gradlock } from '../gradlock.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @typedef {'linear' | 'huber' | 'softL1' | 'cauchy' | 'arctan'} RobustLoss */
/**
 * @typedef {object} Loss
 * @property {(z: number) => readonly [rho: number, first: number, second: number]} rho With its
 *   derivatives, in doubles.
 * @property {(g: Gradlock, r: Tensor, scale: number) => Tensor} transform
 */

/** Far above what the smallest squares of f32 are, far below what changes ρ(z) / z. */
const LEAST = 1e-20;

/** r √(ρ(z) / z). @param {(g: Gradlock, z: Tensor) => Tensor} ratio @returns {Loss['transform']} */
const by = (ratio) => (g, r, scale) => {
  const z = g.maximum(g.square(g.div(r, scale)), LEAST);
  return g.mul(r, g.sqrt(ratio(g, z)));
};

/** @type {Record<RobustLoss, Loss>} */
export const LOSSES = {
  linear: { rho: (z) => [z, 1, 0], transform: (_, r) => r },
  huber: {
    rho: (z) => (z <= 1 ? [z, 1, 0] : [2 * Math.sqrt(z) - 1, z ** -0.5, -0.5 * z ** -1.5]),
    transform: (g, r, scale) => {
      const size = g.div(g.abs(r), scale);
      const root = g.sqrt(g.sub(g.mul(g.maximum(size, 1), 2), 1));
      return g.where(g.lessEqual(size, 1), r, g.mul(g.sign(r), g.mul(root, scale)));
    },
  },
  softL1: {
    rho: (z) => [2 * (z / (Math.sqrt(1 + z) + 1)), (1 + z) ** -0.5, -0.5 * (1 + z) ** -1.5],
    transform: by((g, z) => g.div(2, g.add(1, g.sqrt(g.add(1, z))))),
  },
  cauchy: {
    rho: (z) => [Math.log1p(z), 1 / (1 + z), -1 / (1 + z) ** 2],
    transform: by((g, z) => g.div(g.log1p(z), z)),
  },
  arctan: {
    rho: (z) => [Math.atan(z), 1 / (1 + z * z), (-2 * z) / (1 + z * z) ** 2],
    transform: by((g, z) => g.div(g.atan(z), z)),
  },
};
