/**
 * What the page asks of its engine, and what that replies. Types only.
 *
 * Each command is a call of gradlock/worker. `frame` is one too: the page asks for a frame when it
 * is ready to draw one, and the engine trains only when asked. So training follows the screen, no
 * messages pile up, and a hidden page, which draws nothing, pauses its run.
 */

/** @typedef {import('../scenes/scene.js').Setup} Setup */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('../state/history.js').Event} Event */
/** @typedef {import('./comparison.js').View} View */

/**
 * @typedef {{ run?: number } & (Order | Question)} Command
 * `run` is the number that the page gives a run, and gives it again when it opens it again. Any
 * other command with a number is for that run: if another is live, the engine does nothing and
 * throws a LateError. An `open` is late if another came while its scene was loading.
 */

/**
 * @typedef {{ type: 'open', scene: string, setup: Setup, optimizer: OptimizerSettings, locks: Uint8Array | null,
 *     zeros: Uint8Array | null, events: Event[], step: number, view: View, key?: number,
 *     checkpoint?: import('./session.js').Checkpoint | null }
 *   | { type: 'do', act: import('../state/history.js').Act }
 *   | { type: 'view', view: View }
 *   | { type: 'pruneAnew', fraction: number }
 *   | { type: 'select', index: number }
 *   | { type: 'tell', name: string, values: Float32Array }
 *   | { type: 'play', speed: number }
 *   | { type: 'pause' }
 *   | { type: 'step', steps: number }
 *   | { type: 'reset' }
 *   | { type: 'peek', step: number, isNext?: boolean }
 *   | { type: 'rewind', step: number }
 *   | { type: 'cancel' }
 *   | { type: 'frame', values?: Float32Array, beside?: Float32Array}} Order
 * `open` starts a scene and replays its events, takes a left run from the run cache if it is
 * still there, or continues from a checkpoint if that fits; all others apply to the live run. A
 * long replay runs while frames come; all commands but `frame`, `cancel` and `open` wait for its
 * end, and `cancel` ends it. `do` applies an edit in the form of histories, links and files. It
 * replies to `hold` with the values before, to `step` with the step. `reset` keeps locks and
 * settings. `peek` returns the last snapshot at or before a step, or the first one after it;
 * `rewind` goes back to one. `pruneAnew` restarts with the cells that a pruning leaves. A `frame`
 * may return arrays of an earlier frame, to be filled again.
 */

/**
 * A run that was left, and its key in the run cache, from which it opens at once.
 * @typedef {{ key: number, recipe: Recipe }} Left
 */

/**
 * Commands that change nothing. `saved` returns the recipe and the exact state at one step; `proof`
 * the recipe and the run's results; `orders` the number of orders that were done, and has a
 * new frame made if the page has seen fewer.
 * @typedef {{ type: 'recipe' | 'saved' | 'code' | 'memory' | 'snapshot' | 'proof' } | { type: 'orders', seen: number }} Question
 */

/**
 * @typedef {object} Opened  the run as it is now: the reply to `open`, `reset`, `rewind`, `view`, `cancel`
 *   and to a change of the optimizer
 * @property {Uint8Array} locks
 * @property {OptimizerSettings} optimizer
 * @property {number[]} marks       steps at which locks changed
 * @property {Float32Array | null} target
 * @property {unknown} figure       the constant data of the scene's figures
 * @property {boolean} isReplayed   true if the trace starts again
 * @property {boolean} isReplaying  true while it is on its way to the step that was asked for
 * @property {Left | null} left     the run that this one has replaced, if it was worth keeping
 */

/**
 * @typedef {object} Recipe  all that is needed to replay a run
 * @property {OptimizerSettings} optimizer  at the start
 * @property {Uint8Array | null} locks      at the start; null: as the scene opens
 * @property {Uint8Array | null} zeros      cells that start at 0, because they were pruned
 * @property {Event[]} events
 * @property {number} step
 */

/**
 * @typedef {object} CellReport  the inspector's data of the selected cell
 * @property {number} index
 * @property {number} value
 * @property {number} gradient   of the loss at the current values; locked cells have one too
 * @property {{ name: string, value: number }[]} slots  the optimizer's slots of this cell
 * @property {number} clock      this cell's steps with the current optimizer
 * @property {number[]} path     step, value, step, value, …: its kept values
 * @property {NextStep | null} next  null if no mask holds it
 */

/**
 * The step that the optimizer would take next on a cell that a mask holds, and its parts.
 * @typedef {{ step: number, memory: number, decay: number }} NextStep
 */

/**
 * The state of locked cells: the number whose bits differ from when they were locked, the largest
 * distance, and the number that the library's own audit finds changed.
 * @typedef {{ moved: number, farthest: number, audited: number }} Drift
 */

/**
 * A parameter of a fit; numbers are in the data's units, ±Infinity where there is no bound.
 * @typedef {import('../scenes/scene.js').FitParameter & { value: number, error: number | null, min: number, max: number,
 *   status: 'free' | 'locked' | 'tied' | 'min' | 'max' }} FitRow
 */

/**
 * A curve fit from where the run is, with its locks and bounds; `refusal` if there is none.
 * @typedef {object} FitNews
 * @property {Refusal | null} refusal
 * @property {FitRow[]} rows           of the cells, in their order; before the fit, if it was refused
 * @property {number[]} cells          what the fit found for each cell
 * @property {string} stopReason
 * @property {boolean} converged
 * @property {number} chiSquare
 * @property {number} reducedChiSquare
 * @property {number} degreesOfFreedom
 * @property {boolean} isScaled        true if errors come from the residuals, not from sigma
 * @property {number[][]} undetermined  cells that the data cannot tell apart
 * @property {{ lower: Float32Array, upper: Float32Array } | null} band  of 95 %
 * @property {string} text             the library's report
 */

/**
 * @typedef {object} Frame
 * @property {number} run
 * @property {number} step
 * @property {number} loss         at the current values
 * @property {Float32Array} values of all cells
 * @property {{ values: Float32Array, reach: number } | null} beside  a map and the range of its colours, or
 *   the rival's values and 0
 * @property {Float64Array} trace  repeated: step, loss, the rival's loss, its drift; NaN if there is none
 * @property {Uint8Array | null} locks  null if they are the last frame's
 * @property {CellReport | null} cell   null if not looked up for this frame
 * @property {Drift} drift         under locks a proof: always 0
 * @property {Omit<Drift, 'audited'>} drifted  since the cells were first held, by locks or a mask
 * @property {boolean} isMasked    true if the run holds its cells only by a mask
 * @property {Int8Array | null} sides  the cells held at a bound: −1 at their min, 1 at their max, else 0; null if
 *   there are no bounds
 * @property {ReturnType<import('./bounds.js').Bounds['list']> | null} ranges  the bounds; null if there are none
 * @property {Float32Array | null} next  the step that the optimizer would take next on each cell
 *   that the run's or the rival's mask holds, else 0; null without a mask, and on large grids
 * @property {(Drift & { loss: number }) | null} rival
 * @property {Record<string, Float32Array> | null} readings  for the figure
 * @property {Record<string, Float32Array> | null} rivalReadings
 * @property {boolean} isSettled   true if playing hardly moves any cell
 * @property {boolean} isFinite    true if the loss and all values are finite
 * @property {boolean} isTooLarge  true if a value that a person set made the loss infinite or NaN
 * @property {boolean} isPlaying
 * @property {{ from: number, to: number, refusal: Refusal | null } | null} replay  the current one, or one
 *   that the library has refused to continue
 * @property {FitNews | null} [fit]     of the scene's data; null if the page has it
 * @property {number} orders       the number of orders that were done before it
 * @property {number} engineTime   the engine's time for it, in ms
 */

/**
 * @typedef {object} Snapshot  the run as it is, for tests and consoles
 * @property {string} scene
 * @property {number} rows
 * @property {number} cols
 * @property {number} step
 * @property {number} loss
 * @property {OptimizerSettings} optimizer
 * @property {boolean} isPlaying
 * @property {number[]} values
 * @property {number[]} bits   the values' 32-bit patterns
 * @property {number[]} locks  1 = locked
 * @property {string} digest   of all values, by the library
 * @property {string | null} rivalDigest
 * @property {boolean} isMasked  true if the run holds its cells only by a mask
 */

/**
 * @typedef {object} Proof  the results of a run, for hand-ins and challenges
 * @property {number} step
 * @property {number} cells
 * @property {number} locked   the number of locked cells
 * @property {number} zeros    the number of locked cells that are 0
 * @property {number} loss
 * @property {string} digest   of all values, by the library
 * @property {Drift} drift     of locked cells
 * @property {boolean} isMasked  true if the run holds its cells only by a mask
 * @property {Record<string, number>} readings  those that are single numbers, such as a score
 */

/**
 * @typedef {object} Refusal  an error of a replay, as data in frames
 * @property {string} name     the library's class, such as LockedElementError
 * @property {string} message  the library's words
 * @property {number[]} [index]
 */

export {};
