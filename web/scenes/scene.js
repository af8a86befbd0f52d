/**
 * What a scene is: data and a loss. This file holds only its types; copy `two-by-two.js` to write one (docs/scenes.md).
 *
 * A scene knows neither the page nor the optimizer. Its variables are 2D, and lie one after the other in one flat row
 * of cells: `start`, `locks` and `target` are such rows. The engine gives the loss the library, the variables and the
 * targets by name; the loss is recorded once and replayed for every step. Sums rather than means keep a learning rate
 * good for every grid size: with a mean, SGD's rate would have to grow with the number of cells.
 */

/** @typedef {Awaited<ReturnType<typeof import('gradlock').init>>} Gradlock */
/** @typedef {ReturnType<Gradlock['variable']>} Variable */
/** @typedef {ReturnType<Gradlock['tensor']>} Tensor */

/**
 * How a scene is set up; the same setup always gives the same start.
 * @typedef {object} Setup
 * @property {number} rows
 * @property {number} cols
 * @property {Record<string, string>} choices  one of each of the scene's `choices`
 * @property {number} seed    of whatever the scene draws at random, 0 ≤ seed < 2³²
 * @property {import('../state/own.js').Own | null} own  what a person brought along, if they did
 */

/**
 * What is shown beside the cells, as data; `readings` bring it to life.
 * @typedef {{ kind: 'plane', side: number, points: [x: number, y: number, label: number][] }
 *   | { kind: 'images', rows: number, cols: number, images: Float32Array[], labels: number[] }
 *   | { kind: 'curves', measured: number[], names: string[] }
 *   | { kind: 'words', words: string[], isNew: boolean[], meant: [x: number, y: number][] }} Figure
 * plane: points of the square −1..1, labelled −1 or 1, and a `map` of side × side values, top row first.
 * images: what each shows, and `guesses`. curves: what was measured, `all` that should fit it, and `each` part of it. words: where they should be, and a `map` of x, y per word.
 */

/**
 * @typedef {object} Scene
 * @property {string} id                     its words are in strings/ under `scenes[id]`
 * @property {[rows: number, cols: number][]} sizes  offered; the first is the one it opens with
 * @property {Record<string, string[]>} choices  variants by name, such as pictures; it opens with the first of each
 * @property {number | ((setup: Setup) => number)} reach  the colour scale goes from −reach to reach
 * @property {import('../state/rules.js').OptimizerSettings} optimizer  a good one to start with
 * @property {number} speed                  steps per second to start with
 * @property {import('../state/state.js').Beside} [beside]  what is shown beside the cells at first; default: nothing
 * @property {number} [warm]                 steps before the locks take hold; default: none
 * @property {() => Promise<void>} [load]      fetches what the scene's data needs; the page never calls what needs it
 * @property {boolean} [takesOwn]            whether a person may bring numbers or an image
 * @property {boolean} [isPrunable]          whether to offer pruning: smallest weights to 0, and locked there
 * @property {(setup: Setup) => Record<string, [rows: number, cols: number]>} [shapes]  of its variables, in the order
 *   of the cells; default: x, of the grid's rows and cols
 * @property {(setup: Setup) => string[]} [rowNames]  of the first variable's rows
 * @property {(setup: Setup) => Float32Array} start   values of all cells, row by row
 * @property {(setup: Setup) => Uint8Array} locks     1 = locked when the scene opens
 * @property {(setup: Setup) => Float32Array} [target]  where each cell would go, if there is such a thing
 * @property {(g: Gradlock, variables: Record<string, Variable>, targets: Record<string, Tensor>, setup: Setup) => Tensor} loss
 *   a scalar; a scene without a target gets no targets
 * @property {(g: Gradlock, variables: Record<string, Variable>, setup: Setup) => Record<string, Tensor>} [readings]
 *   what the figure shows, computed for every frame; `score`, if there is one, is the share that is right
 * @property {(setup: Setup) => Figure} [figure]
 * @property {(setup: Setup) => string} code  the loss as code to take away; it may use g, the variables by name and,
 *   for `x`, `xTarget`
 */

export {};
