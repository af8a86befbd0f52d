// Classes of the second-order methods. Their options are live properties, made from C's table.
import { Resource } from '../tensors/resource.js';
import { Solver } from './solver.js';

/**
 * @typedef {object} LbfgsOptions
 * @property {number} [learningRate] First trial along a direction; above 0. Default: 1.
 * @property {number} [historySize] Steps remembered, from 1 to 1,024. Default: 100. Each takes 16
 *   bytes a free element.
 * @property {number} [maxEvaluations] Most evaluations in a step, from 1 on. Default: 25.
 * @property {number} [toleranceGradient] Stop where no free element's gradient is larger.
 *   Default: 1e-7; 1e-14 in `gradlock/double`.
 * @property {number} [toleranceChange] Stop when a step changes no element by more, or the loss by
 *   less, or when no step lowers the loss and the estimate predicts no more. Default: 1e-9; 1e-18
 *   in `gradlock/double`.
 */
/**
 * @typedef {object} LevenbergMarquardtOptions
 * @property {number} [initialDamping] Relative to the diagonal of JᵀJ; above 0. In
 *   `gradlock/double` the first step has more where it would be longer than the parameters, and
 *   none where an undamped step is more than 4 times as long and leads lower. Default: 1e-3.
 * @property {number} [maxEvaluations] Most damped trials of a step, 1 or above; where none is
 *   lower, one without damping follows. Default: 25.
 * @property {number} [toleranceGradient] Stop where no element of Jᵀr is larger. Default: 1e-8;
 *   0 in `gradlock/double`.
 * @property {number} [toleranceChange] Stop when the undamped step would change every element, or
 *   the loss, by less than this part of itself. Default: 1e-8; 1e-22 in `gradlock/double`.
 */

/** @typedef {Lbfgs & Required<LbfgsOptions>} LbfgsOptimizer */
/**
 * @typedef {LevenbergMarquardt & Required<LevenbergMarquardtOptions>} LevenbergMarquardtOptimizer
 */

/**
 * L-BFGS with a strong Wolfe line search, for smooth losses. Sources: Liu & Nocedal 1989; Nocedal &
 * Wright 2006, Algorithms 3.5, 3.6 and 7.4; defaults of PyTorch's
 * LBFGS(line_search_fn='strong_wolfe').
 */
export class Lbfgs extends Solver {
  /** Steps remembered by the last step; the next one forgets them if locks have changed. */
  get history() {
    const { bridge } = Resource.instanceOf(this);
    return bridge.readField(this.info(), 'glk_solver_info.history');
  }
}

/**
 * Levenberg-Marquardt, for residuals of shape [n]: it minimises half the sum of their squares, and
 * refuses a scalar loss. For small problems, up to 2,048 free elements; a step computes the program
 * once per residual. Sources: Marquardt 1963; Moré 1978; Nielsen 1999.
 */
export class LevenbergMarquardt extends Solver {
  /** Damping now. */
  get damping() {
    const { bridge } = Resource.instanceOf(this);
    return Number(bridge.f64[(this.info() + bridge.constant('glk_solver_info.damping')) >>> 3]);
  }
}
