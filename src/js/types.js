// The types that both entry points export, in one place. No code.

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
/** @typedef {import('./ops/losses.js').CrossentropyOptions} CrossentropyOptions */
/** @typedef {import('./ops/losses.js').LossOptions} LossOptions */
/** @typedef {import('./ops/losses.js').Losses} Losses */
/** @typedef {import('./optim/minimize.js').MinimizeOptions} MinimizeOptions */
/** @typedef {import('./optim/minimize.js').StepEvent} StepEvent */
/** @typedef {import('./optim/optimizer.js').Optimizer} Optimizer */
/** @typedef {import('./optim/optimizers.js').AdadeltaOptimizer} AdadeltaOptimizer */
/** @typedef {import('./optim/optimizers.js').AdadeltaOptions} AdadeltaOptions */
/** @typedef {import('./optim/optimizers.js').AdagradOptimizer} AdagradOptimizer */
/** @typedef {import('./optim/optimizers.js').AdagradOptions} AdagradOptions */
/** @typedef {import('./optim/optimizers.js').AdamOptimizer} AdamOptimizer */
/** @typedef {import('./optim/optimizers.js').AdamOptions} AdamOptions */
/** @typedef {import('./optim/optimizers.js').AdamaxOptimizer} AdamaxOptimizer */
/** @typedef {import('./optim/optimizers.js').AdamaxOptions} AdamaxOptions */
/** @typedef {import('./optim/optimizers.js').FtrlOptimizer} FtrlOptimizer */
/** @typedef {import('./optim/optimizers.js').FtrlOptions} FtrlOptions */
/** @typedef {import('./optim/optimizers.js').LionOptimizer} LionOptimizer */
/** @typedef {import('./optim/optimizers.js').LionOptions} LionOptions */
/** @typedef {import('./optim/optimizers.js').NadamOptimizer} NadamOptimizer */
/** @typedef {import('./optim/optimizers.js').NadamOptions} NadamOptions */
/** @typedef {import('./optim/optimizers.js').RmspropOptimizer} RmspropOptimizer */
/** @typedef {import('./optim/optimizers.js').RmspropOptions} RmspropOptions */
/** @typedef {import('./optim/optimizers.js').RuleName} RuleName */
/** @typedef {import('./optim/optimizers.js').SgdOptimizer} SgdOptimizer */
/** @typedef {import('./optim/optimizers.js').SgdOptions} SgdOptions */
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
/** @typedef {import('./locks/variable.js').Variable} Variable */
/** @typedef {import('./locks/variable.js').VariableOptions} VariableOptions */

export {};
/** @typedef {import('./locks/selection-choice.js').Choice} Choice */
