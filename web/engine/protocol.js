/**
 * What the page asks of its engine, and what that replies. Types only.
 *
 * Each command is a call of gradlock/worker. `frame` is one too: the page asks for a frame when it
 * is ready to draw one, and the engine trains only when asked. So training follows the screen, no
 * messages pile up, and a hidden page, which draws nothing, pauses its run.
 */

/**
 * @typedef {{ run?: number } & (Order | Question)} Command
 * `run` is the number that the page gives a run, and gives it again when it opens it again. Any
 * other command with a number is for that run: if another is live, the engine does nothing and
 * throws a LateError. An `open` is late if another came while its scene was loading.
 */

/**
 * @typedef {{ type: 'open', state: import('../state/state.js').State, key?: number,
 *     checkpoint?: import('./session.js').Checkpoint | null }
 *   | { type: 'do', act: import('../state/history.js').Act }
 *   | { type: 'view', view: import('./session.js').View }
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

/** A run that was left, and its key in the run cache, from which it opens at once. @typedef {{ key: number, recipe: Recipe }} Left */

/**
 * Commands that change nothing. `saved` returns the recipe and the exact state at one step; `proof`
 * the recipe and the run's results; `orders` the number of orders that were done, and has a
 * new frame made if the page has seen fewer.
 * @typedef {{ type: 'recipe' | 'saved' | 'code' | 'memory' | 'snapshot' | 'proof' } | { type: 'orders', seen: number }} Question
 */

/** The reply to `open`, `reset`, `rewind`, `view`, `cancel` and to a change of the optimizer. @typedef {ReturnType<typeof import('./worker.js').opened>} Opened */

/** All that is needed to replay a run. @typedef {ReturnType<import('./session.js').Session['recipe']>} Recipe */

/** The inspector's data of the selected cell. @typedef {NonNullable<ReturnType<import('./loop.js').Loop['frame']>['cell']>} CellReport */

/** The drift of locked cells. @typedef {ReturnType<import('./run.js').Run['drift']>} Drift */

/**
 * A parameter of a fit; numbers are in the data's units, ±Infinity where there is no bound.
 * @typedef {import('../scenes/scene.js').FitParameter & { value: number, error: number | null, min: number, max: number,
 *   status: 'free' | 'locked' | 'tied' | 'min' | 'max' }} FitRow
 */

/** A curve fit from where the run is, with its locks and bounds. @typedef {ReturnType<typeof import('./fit.js').fitOf>} FitNews */

/**
 * What the engine has to show: the fit is null if the page has it, or the scene has no data.
 * @typedef {ReturnType<import('./loop.js').Loop['frame']> & { run: number, orders: number, fit?: FitNews | null }} Frame
 * `orders` is the number of orders that were done before it.
 */

/**
 * A long replay, or one that the library has refused to continue, with its error's name and message.
 * @typedef {{ from: number, to: number, refusal: { name: string, message: string } | null }} Replay
 */

/** The run as it is, for tests and consoles. @typedef {ReturnType<typeof import('./proof.js').snapshotOf>} Snapshot */

/** The results of a run, for hand-ins and challenges. @typedef {ReturnType<typeof import('./proof.js').proofOf>} Proof */

export {};
