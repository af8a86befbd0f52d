/**
 * What the page and the engine say to each other, as plain data. Types only.
 *
 * Every command has an id and gets exactly one reply. `frame` is a command too: the page asks for a frame whenever it
 * is ready to draw one, and the engine trains only when asked. So training keeps the screen's pace, nothing queues
 * up, and a hidden page, which draws nothing, stands still.
 */

/** @typedef {import('../scenes/scene.js').Setup} Setup */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */

/**
 * @typedef {{ type: 'open', scene: string, setup: Setup, optimizer: OptimizerSettings, locks: Uint8Array | null }
 *   | { type: 'optimizer', settings: OptimizerSettings }
 *   | { type: 'locks', mask: Uint8Array }
 *   | { type: 'assign', index: number, value: number }
 *   | { type: 'select', index: number }
 *   | { type: 'play', speed: number }
 *   | { type: 'pause' }
 *   | { type: 'step', steps: number }
 *   | { type: 'reset' }
 *   | { type: 'frame', values?: Float32Array }
 *   | { type: 'snapshot' }} Command
 * `open` starts a scene; everything else acts on the live run and never starts it anew, except `reset`, which keeps
 * the locks. A `frame` may give back the values of the frame before, to be filled again.
 */

/**
 * @typedef {object} Opened
 * @property {Uint8Array} locks
 * @property {Float32Array | null} target
 */

/**
 * @typedef {object} CellReport  what is known about the selected cell
 * @property {number} index
 * @property {number} value
 * @property {number} gradient   of the loss at the present values; a locked cell feels one too
 * @property {{ name: string, value: number }[]} slots  the optimizer's memory of this cell
 * @property {number} clock      steps that this cell has taken with the present optimizer
 */

/**
 * @typedef {object} Frame
 * @property {number} step
 * @property {number} loss         at the present values
 * @property {Float32Array} values row by row
 * @property {Float64Array} trace  step, loss, step, loss, … since the frame before
 * @property {Uint8Array | null} locks  null if as in the frame before
 * @property {CellReport | null} cell   null if not looked up for this frame
 * @property {number} lockedMoved  locked cells whose bits differ from those they were locked with: a proof, always 0
 * @property {boolean} isSettled   playing no longer moves any cell to speak of
 * @property {boolean} isFinite    whether the loss and all values are finite
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
 */

/**
 * @typedef {object} Refusal  an error as data
 * @property {string} name     the library's class, such as LockedElementError
 * @property {string} message  the library's words
 * @property {number[]} [index]
 */

/**
 * @typedef {{ id: number, result: any } | { id: number, refusal: Refusal }} Reply
 */

export {};
