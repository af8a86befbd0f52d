// Types of either precision, for entries that work with both. No code. `#double/` has the types of
// gradlock/double; in the sources they are the same as those of gradlock.

/**
 * A generator of `gradlock` or of `gradlock/double`.
 * @typedef {import('./types.js').Generator | import('#double/types.js').Generator} AnyGenerator
 */
/**
 * An instance of `gradlock` or of `gradlock/double`.
 * @typedef {import('./types.js').Gradlock | import('#double/types.js').Gradlock} AnyGradlock
 */
/**
 * A model of `gradlock` or of `gradlock/double`.
 * @typedef {import('./layers.js').Model | import('#double/layers.js').Model} AnyModel
 */
/**
 * An optimizer of `gradlock` or of `gradlock/double`.
 * @typedef {import('./types.js').Optimizer | import('#double/types.js').Optimizer} AnyOptimizer
 */
/**
 * A program of `gradlock` or of `gradlock/double`.
 * @typedef {import('./types.js').Program | import('#double/types.js').Program} AnyProgram
 */
/**
 * A solver of `gradlock` or of `gradlock/double`.
 * @typedef {import('./optim/solver.js').Solver | import('#double/types.js').LbfgsOptimizer |
 *   import('#double/types.js').LevenbergMarquardtOptimizer} AnySolver
 */
/**
 * A tensor of `gradlock` or of `gradlock/double`.
 * @typedef {import('./types.js').Tensor | import('#double/types.js').Tensor} AnyTensor
 */
/**
 * A variable of `gradlock` or of `gradlock/double`.
 * @typedef {import('./types.js').Variable | import('#double/types.js').Variable} AnyVariable
 */
