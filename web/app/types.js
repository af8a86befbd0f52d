/** What the app and those around it say to each other. Types only. */

/** @typedef {import('../state/state.js').State} State */
/** @typedef {import('../view/problems.js').Trouble} Trouble */

/**
 * @typedef {object} Views
 * @property {() => void} open     another scene, size, choice or neighbour
 * @property {(state: State) => void} show what a person has chosen
 * @property {() => void} draw     another frame, or other locks
 * @property {(trace: Float64Array) => void} trace
 * @property {(step: number) => void} mark locks have changed
 * @property {(marks: number[]) => void} restart  the run was replayed, or starts again
 * @property {(problem: Trouble | null) => void} trouble
 * @property {() => void} changed          what a link would hold has
 * @property {(left: LeftRun | null, now: State) => void} opened  another run is open, in the place of one that was left
 */

/**
 * A run that was left: all it takes to get there again, its number, which it has again then, and where the engine has
 * put it, if it still has it.
 * @typedef {{ state: State, run: number, place?: number }} LeftRun
 */

/**
 * An earlier step that is looked at.
 * @typedef {Pick<import('../engine/snapshots.js').Kept, 'step' | 'loss' | 'values' | 'mask'>} Peeked
 */

/**
 * How a run is opened.
 * @typedef {object} How
 * @property {number} [run]    its number, if it had one before
 * @property {number} [place]  where the engine has it
 * @property {import('../engine/session.js').Checkpoint | null} [checkpoint]
 * @property {boolean} [isUndoing]  it is no edit
 * @property {boolean} [isHistory]  the address has it already
 */

export {};
