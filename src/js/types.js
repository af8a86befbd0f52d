// The types that both entry points export, in one place. No code.

/** @typedef {import('./constraints.js').Constraint} Constraint */
/** @typedef {import('./create.js').InitOptions} InitOptions */
/** @typedef {import('./gradlock.js').Gradlock} Gradlock */
/** @typedef {import('./gradlock.js').MemoryInfo} MemoryInfo */
/** @typedef {import('./initializers.js').Initializer} Initializer */
/** @typedef {import('./holders.js').LockHolder} LockHolder */
/** @typedef {import('./lock-policy.js').LockPolicy} LockPolicy */
/** @typedef {import('./locks.js').Audit} Audit */
/** @typedef {import('./locks.js').LockSet} LockSet */
/** @typedef {import('./locks.js').Selection} Selection */
/** @typedef {import('./losses.js').CrossentropyOptions} CrossentropyOptions */
/** @typedef {import('./losses.js').LossOptions} LossOptions */
/** @typedef {import('./losses.js').Losses} Losses */
/** @typedef {import('./minimize.js').MinimizeOptions} MinimizeOptions */
/** @typedef {import('./minimize.js').StepEvent} StepEvent */
/** @typedef {import('./optimizer.js').Optimizer} Optimizer */
/** @typedef {import('./optimizers.js').AdadeltaOptimizer} AdadeltaOptimizer */
/** @typedef {import('./optimizers.js').AdadeltaOptions} AdadeltaOptions */
/** @typedef {import('./optimizers.js').AdagradOptimizer} AdagradOptimizer */
/** @typedef {import('./optimizers.js').AdagradOptions} AdagradOptions */
/** @typedef {import('./optimizers.js').AdamOptimizer} AdamOptimizer */
/** @typedef {import('./optimizers.js').AdamOptions} AdamOptions */
/** @typedef {import('./optimizers.js').AdamaxOptimizer} AdamaxOptimizer */
/** @typedef {import('./optimizers.js').AdamaxOptions} AdamaxOptions */
/** @typedef {import('./optimizers.js').FtrlOptimizer} FtrlOptimizer */
/** @typedef {import('./optimizers.js').FtrlOptions} FtrlOptions */
/** @typedef {import('./optimizers.js').LionOptimizer} LionOptimizer */
/** @typedef {import('./optimizers.js').LionOptions} LionOptions */
/** @typedef {import('./optimizers.js').NadamOptimizer} NadamOptimizer */
/** @typedef {import('./optimizers.js').NadamOptions} NadamOptions */
/** @typedef {import('./optimizers.js').RmspropOptimizer} RmspropOptimizer */
/** @typedef {import('./optimizers.js').RmspropOptions} RmspropOptions */
/** @typedef {import('./optimizers.js').RuleName} RuleName */
/** @typedef {import('./optimizers.js').SgdOptimizer} SgdOptimizer */
/** @typedef {import('./optimizers.js').SgdOptions} SgdOptions */
/** @template {Tensor | Tensor[]} [T=Tensor] @typedef {import('./program.js').Program<T>} Program */
/** @typedef {import('./random.js').Generator} Generator */
/** @typedef {import('./random.js').Seed} Seed */
/** @template [T=unknown] @typedef {import('./tape.js').Tape<T>} Tape */
/** @typedef {import('./rates.js').VariableTarget} VariableTarget */
/** @typedef {import('./schedules.js').OwnSchedule} OwnSchedule */
/** @typedef {import('./schedules.js').Schedule} Schedule */
/** @typedef {import('./solve.js').SolveEvent} SolveEvent */
/** @typedef {import('./solve.js').SolveOptions} SolveOptions */
/** @typedef {import('./solver.js').StopReason} StopReason */
/** @typedef {import('./solvers.js').LbfgsOptimizer} LbfgsOptimizer */
/** @typedef {import('./solvers.js').LbfgsOptions} LbfgsOptions */
/** @typedef {import('./solvers.js').LevenbergMarquardtOptimizer} LevenbergMarquardtOptimizer */
/** @typedef {import('./solvers.js').LevenbergMarquardtOptions} LevenbergMarquardtOptions */
/** @typedef {import('./state.js').SetStateOptions} SetStateOptions */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('./state.js').StateOptions} StateOptions */
/** @typedef {import('./tensor.js').Tensor} Tensor */
/** @typedef {import('./tensor.js').TensorLike} TensorLike */
/** @typedef {import('./variable.js').Variable} Variable */
/** @typedef {import('./variable.js').VariableOptions} VariableOptions */

export {};
/** @typedef {import('./selection-chosen.js').Chosen} Chosen */
