/**
 * What the page and the engine say to each other, as plain data. Types only.
 *
 * Every command has an id and gets exactly one reply. `frame` is a command too: the page asks for a frame whenever it
 * is ready to draw one, and the engine trains only when asked. So training keeps the screen's pace, nothing queues
 * up, and a hidden page, which draws nothing, stands still.
 */

/** @typedef {import('../scenes/scene.js').Setup} Setup */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('../state/history.js').Event} Event */
/** @typedef {import('./pair.js').Look} Look */

/**
 * @typedef {{ run?: number } & (Order | Question)} Command
 * `run` is a number that the page gives each run, and gives it again when it is opened again. Any other command with a
 * number is meant for that run: if another is live by then, the engine does nothing and says that it came late. So it
 * says of an `open` if there was another while the scene was being loaded.
 */

/**
 * @typedef {{ type: 'open', scene: string, setup: Setup, optimizer: OptimizerSettings, locks: Uint8Array | null,
 *     zeros: Uint8Array | null, events: Event[], step: number, look: Look, place?: number,
 *     checkpoint?: import('./session.js').Checkpoint | null }
 *   | { type: 'do', act: import('../state/history.js').Act }
 *   | { type: 'look', look: Look }
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
 *   | { type: 'study', isOn: boolean }
 *   | { type: 'frame', values?: Float32Array, beside?: Float32Array, known?: Known }} Order
 * `open` starts a scene and replays what was done to it, or takes the run that was left at a place if it still is there,
 * or goes on from a checkpoint if it fits; everything else acts on the live run. What takes long is replayed while
 * frames come, and everything but `frame`, `cancel` and another `open` waits for its end; `cancel` makes an end of it.
 * `do` does what the run's history, links and files hold in the same form; its reply to a `hold` is the values that
 * were taken, and that to a `step` is the step. `reset` keeps locks and settings. `peek` looks at the moment kept last before a step, or first after it;
 * `rewind` goes back to one. `pruneAnew` starts again with what a pruning leaves. `study` begins the scene's study anew,
 * or ends it. A `frame` may give back the rows of a frame before, to be filled again, and says what the page knows of
 * the study.
 */

/**
 * A run that was left, and where it is, to be opened again at once.
 * @typedef {{ place: number, recipe: Recipe }} Left
 */

/**
 * Commands that only ask. `saved` gives the recipe and the exact state of one moment.
 * @typedef {{ type: 'recipe' | 'saved' | 'code' | 'memory' | 'snapshot' }} Question
 */

/**
 * @typedef {object} Opened  the run as it is now: the reply to `open`, `reset`, `rewind`, `look`, `cancel`
 *   and to another optimizer
 * @property {Uint8Array} locks
 * @property {OptimizerSettings} optimizer
 * @property {number[]} marks       steps at which locks changed
 * @property {Float32Array | null} target
 * @property {unknown} figure       what the scene's figures show that does not change
 * @property {boolean} isReplayed   whether the trace begins anew
 * @property {boolean} isReplaying  whether it is still on its way to the step that was asked for
 * @property {Left | null} left     the run that this one has taken the place of, if that was worth keeping
 */

/**
 * A run of a study: what it begins with, and how long it is trained.
 * @typedef {object} StudyRecipe
 * @property {string} key    which of the figure's curves it belongs to
 * @property {number} at     its place along that
 * @property {OptimizerSettings} optimizer
 * @property {Uint8Array} locks
 * @property {Uint8Array | null} zeros  cells that begin at 0
 * @property {'lock' | 'mask'} rule     how its cells are held
 * @property {number} steps  from the start on, with those that the scene takes before locks hold
 * @property {number} every  it is read at the start and each so many steps; 0: at the end only
 */

/**
 * What a study has found out: another run has begun, or a step of the last one, with the digest if it is its end.
 * @typedef {{ recipe: StudyRecipe }
 *   | { step: number, readings: Record<string, Float32Array>, digest: string | null }} StudyEntry
 */

/** What the page knows of a study: which it is, and how many entries. @typedef {{ id: number, count: number }} Known */

/**
 * @typedef {object} StudyNews
 * @property {number} id
 * @property {StudyEntry[]} log  what the page does not know yet; all, where it knew another
 * @property {boolean} isRunning
 * @property {number} step       up to which the last run has come
 * @property {OptimizerSettings} optimizer  as it was set when the study began
 * @property {Refusal | null} refusal  why it broke off, if it did
 */

/**
 * @typedef {object} Recipe  what it takes to get here again
 * @property {OptimizerSettings} optimizer  at the start
 * @property {Uint8Array | null} locks      at the start; null: as the scene opens
 * @property {Uint8Array | null} zeros      cells that begin at 0, since they were pruned before
 * @property {Event[]} events
 * @property {number} step
 */

/**
 * @typedef {object} CellReport  what is known about the selected cell
 * @property {number} index
 * @property {number} value
 * @property {number} gradient   of the loss at the present values; a locked cell feels one too
 * @property {{ name: string, value: number }[]} slots  the optimizer's memory of this cell
 * @property {number} clock      steps that this cell has taken with the present optimizer
 * @property {number[]} path     step, value, step, value, …: where it has been, as far as it was kept
 */

/**
 * What has become of locked cells: how many have other bits than they were locked with, how far the farthest went, and
 * how many the library's own audit finds changed.
 * @typedef {{ moved: number, farthest: number, audited: number }} Drift
 */

/**
 * @typedef {object} Frame
 * @property {number} run
 * @property {number} step
 * @property {number} loss         at the present values
 * @property {Float32Array} values of all cells
 * @property {{ values: Float32Array, reach: number } | null} beside  a map and the reach of its colours, or the rival's
 *   values and 0
 * @property {Float64Array} trace  step, loss, the rival's loss, its drift, again and again; NaN where there is none
 * @property {Uint8Array | null} locks  null if as in the frame before
 * @property {CellReport | null} cell   null if not looked up for this frame
 * @property {Drift} drift         a proof: always 0
 * @property {(Drift & { loss: number }) | null} rival
 * @property {Record<string, Float32Array> | null} readings  for the figure
 * @property {Record<string, Float32Array> | null} rivalReadings
 * @property {boolean} isSettled   playing no longer moves any cell to speak of
 * @property {boolean} isFinite    whether the loss and all values are finite
 * @property {boolean} isTooLarge  whether a value that a person set is why the loss is not
 * @property {boolean} isPlaying
 * @property {{ from: number, to: number, refusal: Refusal | null } | null} replay  of one that is under way, or that
 *   the library has refused to go on with
 * @property {StudyNews | null} [study]  of the scene, if it has one
 * @property {number} engineTime   what the engine took for it, in ms
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
 */

/**
 * @typedef {object} Refusal  an error as data
 * @property {string} name     the library's class, such as LockedElementError
 * @property {string} message  the library's words
 * @property {number[]} [index]
 */

/**
 * @typedef {{ id: number, result: any } | { id: number, refusal: Refusal } | { id: number, isLate: true }} Reply
 */

export {};
