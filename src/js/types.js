// The types that the entry points of the library export. No code.

/** @typedef {import('./optim/bounds.js').Bounds} Bounds */
/** @typedef {import('./optim/constraints.js').Constraint} Constraint */
/** @typedef {import('./create.js').InitOptions} InitOptions */
/** @typedef {import('./gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./gradlock.js').MemoryInfo} MemoryInfo */
/** @typedef {import('./ops/initializers.js').Initializer} Initializer */
/** @typedef {import('./locks/holders.js').LockHolder} LockHolder */
/** @typedef {import('./locks/policy.js').LockPolicy} LockPolicy */
/** @typedef {import('./locks/audit.js').Audit} Audit */
/** @typedef {import('./locks/locks.js').LockSet} LockSet */
/** @typedef {import('./locks/locks.js').Selection} Selection */
/** @typedef {import('./ops/loss.js').CrossentropyOptions} CrossentropyOptions */
/** @typedef {import('./ops/loss.js').LossOptions} LossOptions */
/** @typedef {import('./ops/loss.js').Losses} Losses */
/** @typedef {import('./optim/minimize.js').MinimizeOptions} MinimizeOptions */
/** @typedef {import('./optim/minimize.js').StepEvent} StepEvent */
/** @typedef {import('./optim/optimizer.js').Optimizer} Optimizer */
/**
 * @template {Tensor | Tensor[]} [T=Tensor] @typedef {import('./graph/program.js').Program<T>}
 *   Program
 */
/** @typedef {import('./tensors/random.js').Generator} Generator */
/** @typedef {import('./tensors/random.js').Seed} Seed */
/** @template [T=unknown] @typedef {import('./graph/tape.js').Tape<T>} Tape */
/** @typedef {import('./optim/rates.js').VariableTarget} VariableTarget */
/** @typedef {import('./optim/schedules.js').OwnSchedule} OwnSchedule */
/** @typedef {import('./optim/schedules.js').Schedule} Schedule */
/** @typedef {import('./optim/solve.js').SolveEvent} SolveEvent */
/** @typedef {import('./optim/solve.js').SolveOptions} SolveOptions */
/** @typedef {import('./optim/solver.js').StopReason} StopReason */
/** @typedef {import('./optim/solvers.js').LbfgsOptimizer} LbfgsOptimizer */
/** @typedef {import('./optim/solvers.js').LbfgsOptions} LbfgsOptions */
/**
 * @typedef {import('./optim/solvers.js').LevenbergMarquardtOptimizer} LevenbergMarquardtOptimizer
 */
/** @typedef {import('./optim/solvers.js').LevenbergMarquardtOptions} LevenbergMarquardtOptions */
/** @typedef {import('./optim/state.js').SetStateOptions} SetStateOptions */
/** @typedef {import('./optim/state.js').State} State */
/** @typedef {import('./optim/state.js').StateOptions} StateOptions */
/** @typedef {import('./tensors/tensor.js').Tensor} Tensor */
/** @typedef {import('./tensors/tensor.js').TensorLike} TensorLike */
/** @template A @typedef {import('./tensors/tensor.js').TensorOf<A>} TensorOf */
/** @template A @typedef {import('./locks/variable.js').VariableOf<A>} VariableOf */
/** @typedef {import('./locks/variable.js').Variable} Variable */
/** @typedef {import('./locks/variable.js').VariableOptions} VariableOptions */

// Those of the update rules.
export * from './optim/optimizers.js';
/** @typedef {import('./locks/selection-choice.js').Choice} Choice */
