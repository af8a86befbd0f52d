/**
 * What a scene is: data and a loss. This file holds only its types; copy `two-by-two.js` to write one (docs/scenes.md).
 *
 * A scene knows neither the page nor the optimizer. Its grids are 2D, each a variable or a view of a network's weight,
 * and lie one after the other in one flat row of cells: `start`, `locks` and `target` are such rows. The engine gives
 * the loss the library, the variables by name and its data; the loss is recorded once and replayed for every step. Its
 * own text is the code that people take away, so it uses nothing but what it is given. Sums rather than means keep a
 * learning rate good for every grid size: with a mean, SGD's rate would have to grow with the number of cells.
 */

/** @typedef {Awaited<ReturnType<typeof import('gradlock').init>>} Gradlock */
/** @typedef {ReturnType<Gradlock['variable']>} Variable */
/** @typedef {ReturnType<Gradlock['tensor']>} Tensor */
/** @typedef {ReturnType<typeof import('gradlock/layers').layers>} Layers */

/**
 * Which elements of a network's weight a grid's cells are: that of row r and column c is element
 * first + r · strides[0] + c · strides[1], row by row as the weight's own elements lie.
 * @typedef {{ of: string, first?: number, strides: [row: number, col: number] }} View
 */

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
 * A run of a study, as plain data: what it begins with, and how long it is trained. What is left out is as the scene
 * opens, with the optimizer as it is set.
 * @typedef {object} StudyRun
 * @property {string} key     which of the figure's curves it belongs to
 * @property {number} at      its place along that
 * @property {number} steps   it is trained for, with those of `warm`
 * @property {number} [every]  it is read at its start and each so many steps; default: 0, at its end only
 * @property {import('../state/rules.js').OptimizerSettings} [optimizer]
 * @property {Uint8Array} [locks]  of all cells, 1 = locked
 * @property {Uint8Array | null} [zeros]  of all cells, 1 = begins at 0
 * @property {'lock' | 'mask'} [rule]  cells are held by locks, or only by a mask on the gradient, as `beside: 'mask'` does
 */

/**
 * How a run of a study has ended: all its cells, and what was read of it.
 * @typedef {{ values: Float32Array, readings: Record<string, Float32Array> }} Ended
 */

/**
 * Complete runs, trained aside while the page goes on, whose results a figure draws (`model.study`), and each of which it
 * can open as the live run (`intents.openRun`), to the same bits.
 * @typedef {object} StudyPlan
 * @property {number} count      how many runs there will be
 * @property {boolean} [isAsked]  whether it waits for `intents.study(true)`; default: it begins when the scene opens
 * @property {(setup: Setup, optimizer: import('../state/rules.js').OptimizerSettings) => Iterable<StudyRun, void, Ended>
 *   } runs  one after the other. As a generator it gets back from each `yield` how that run has ended (`const ended =
 *   yield run`), so what comes next may depend on it
 * @property {(g: Gradlock, variables: Record<string, Variable>, setup: Setup, model: any) => Record<string,
 *   Tensor>} [readings]  what
 *   is read of its runs; default: the scene's `readings`, which may be more than it needs
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
 * @property {(setup: Setup) => Record<string, string[]>} [rowNames]  of variables, by their names; said as the scene's
 *   words have it under `names`, or as they are
 * @property {(setup: Setup) => Record<string, string[]>} [colNames]  likewise
 * @property {(setup: Setup) => Record<string, number>} [cellSizes]  of grids whose cells are to be of one size, in rem
 * @property {(setup: Setup) => Float32Array} start   values of all cells, row by row
 * @property {(setup: Setup) => Uint8Array} locks     1 = locked when the scene opens
 * @property {(setup: Setup) => Float32Array} [target]  where each cell would go, if there is such a thing
 * @property {(setup: Setup) => Record<string, unknown>} [data]  constants of the loss: numbers, lists, objects, strings
 * @property {(g: Gradlock, variables: Record<string, Variable>, ...inputs: any[]) => any} [model]  what the loss and the
 *   readings have in common; uses nothing but its arguments
 * @property {(nn: Layers) => any} [network]  a built network of gradlock/layers, instead of a `model`: its trainable
 *   weights are what the grids show, and it is handed on as `model`; uses nothing but its argument
 * @property {(setup: Setup) => Record<string, View>} [views]  of a network: of each grid, which elements it shows. All
 *   grids together have each element of each weight once
 * @property {(g: Gradlock, variables: Record<string, Variable>, data: any, model: any) => Tensor} loss  a scalar. `data`
 *   has `targets`, by the variables' names, too; uses nothing but its arguments
 * @property {(g: Gradlock, variables: Record<string, Variable>, setup: Setup, model: any) => Record<string, Tensor>} [readings]
 *   what figures show, computed for every frame; `testLoss`, if `hasTest`, is drawn beside the loss
 * @property {boolean} [hasTest]            whether there is data that it is tested on
 * @property {(setup: Setup) => Record<string, [rows: number, cols: number]>} [inputs]  what figures take in, such as a
 *   drawing: readings find them among the variables, 0 at first; no training sees them
 * @property {StudyPlan} [study]            complete runs trained aside
 * @property {import('../figures/figure.js').Figure[]} [figures]  beside the cells
 * @property {(setup: Setup) => unknown} [shown]  what figures show that stays as it is
 */

export {};
