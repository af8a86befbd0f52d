/**
 * The types of a scene: data and a loss. Copy the folder `two-by-two` to write one (docs/scenes.md).
 *
 * A scene's folder has its scene.js and its words.js, and perhaps a figure.js. A scene uses neither
 * page nor optimizer. Its grids are 2D, each a variable or a view of a
 * network's weight; their cells form one flat array, like `start`, `locks` and `target`. The engine
 * records the loss once, from the library, the variables by name and the data. Its source is
 * exported as code, so it uses only its arguments. Use sums, not means: then a learning rate fits
 * every grid size, while with a mean SGD's rate has to grow with the number of cells.
 */

/** @typedef {Awaited<ReturnType<typeof import('gradlock').init>>} Gradlock */
/** @typedef {ReturnType<Gradlock['variable']>} Variable */
/** @typedef {ReturnType<Gradlock['tensor']>} Tensor */
/** @typedef {ReturnType<typeof import('gradlock/layers').layers>} Layers */

/**
 * The elements of a network's weight that a grid shows: the cell of row r and column c is element
 * first + r · strides[0] + c · strides[1] of the weight's elements, row by row.
 * @typedef {{ of: string, first?: number, strides: [row: number, col: number] }} View
 */

/**
 * The setup of a scene; the same setup always gives the same start.
 * @typedef {Pick<import('../state/state.js').State, 'rows' | 'cols' | 'choices' | 'seed' | 'own'>} Setup
 */

/**
 * The curve that a scene fits to data, for gradlock/fit: each cell is a parameter.
 * @typedef {object} FitPlan
 * @property {(setup: Setup) => { x: ArrayLike<number>, y: ArrayLike<number>, sigma?: number | ArrayLike<number>,
 *   at: ArrayLike<number> }} data  `at`: where the band is drawn
 * @property {(setup: Setup) => FitParameter[]} parameters  of the cells, in their order
 * @property {(g: Gradlock, x: Tensor, p: Record<string, Tensor>, setup: Setup) => Tensor} curve
 */

/**
 * A parameter of a fit: its value is offset + unit · cell. `row` and `col` are keys of its names.
 * @typedef {{ name: string, row: string, col: string, unit: number, offset: number }} FitParameter
 */

/** The groups of scenes, in the order of the page. @typedef {'start' | 'leaks' | 'networks' | 'yours'} Group */

/**
 * @typedef {object} Asked
 * @property {number | number[]} [held]  it is asked and judged only while so many cells are held
 * @property {Record<string, string>} [choices]  and only of the variant with these
 * @property {number} after  steps until the answer; of a mask, steps under it
 * @property {'run' | 'rival' | 'mask'} of  whose held cells it is about: the run's, those of the run
 *   beside it, or the run's under a mask, which a person has to switch on
 * @property {TourAction[]} [next]  what the answer's button does before the run goes on
 * @property {(run: import('./shared/figure.js').RecordedRun) => boolean} [opens]  the recorded run that an
 *   answer opens, and that stops with the outcome
 * @property {(facts: Measured) => number | null} right  the number of the right answer by the
 *   person's own run; null if that was another experiment
 */

/**
 * The results of a run: the number of held cells, how many have changed bits, the loss at the
 * start and now, and the scene's readings.
 * @typedef {{ held: number, moved: number, first: number, loss: number,
 *   reading: (name: string) => number }} Measured
 */

/**
 * Facts to answer with: the number of held cells, how many have changed bits, the largest distance,
 * the loss, and the scene's readings as shares.
 * @typedef {{ held: number, moved: number, farthest: string, loss: string,
 *   percent: (reading: string) => string }} Facts
 */

/**
 * What the button of a tour's step does; it may be pressed twice.
 * @typedef {{ train: number } | { state: Record<string, unknown> } | { rule: string } | { prune: number }
 *   | { pruneAnew: number } | { lock: number[] } | { unlock: number[] } | { select: number } | { free: true }
 *   | { hold: 'lock' | 'mask' } | { reset: true } | { raise: number }} TourAction
 * @typedef {{ area: string, actions?: TourAction[] }} TourStep  area: the id of an element, or of a figure
 */

/**
 * A goal in a scene as it opens, in its first size, choices and seed, and a score. A link proves the
 * score: whoever replays it finds the same.
 * @typedef {object} Challenge
 * @property {string} id
 * @property {number} most       steps
 * @property {readonly string[]} start  the acts that are allowed before the first step
 * @property {readonly string[]} later  and after it (state/history.js)
 * @property {readonly Goal[]} goals    all must be met
 * @property {'locked' | 'free' | 'step'} score  what is counted; fewer are better. `free` counts the
 *   cells that are not locked at 0
 */

/** A number of the end, and its limit: `free`, `loss` or the name of a reading. @typedef {{ of: string, atLeast?: number, atMost?: number }} Goal */

/** The line above the cells, from the run. @typedef {(percent: (reading: string) => string, locked: number, free: number) => string} Line */

/**
 * The words of a scene in one language.
 * @typedef {object} SceneWords
 * @property {string} name
 * @property {string} [loss]  what the loss measures, in plain words
 * @property {string} card  one sentence for its card
 * @property {string} lede
 * @property {string} [ledeLater]  instead of the lede, once it has trained: what is seen, and what to try
 * @property {string | Line} [ledeActed]  instead of that, once more or fewer cells are locked
 * @property {string} [ledeDrifted]  instead of these, once a mask beside it is seen to leak
 * @property {string | Line} [ledeOther]  instead of these, with a choice other than the first of its kind
 * @property {string} [ledeFree]  once nothing is locked any more
 * @property {string} hint
 * @property {string} [sizeLabel]
 * @property {string} [ownLede]  with a person's points
 * @property {Record<string, { label: string, names: Record<string, string> }>} [choices]
 * @property {Record<string, string>} [grids]  names of its variables
 * @property {string} [whole]  the action of a variable's name
 * @property {Record<string, string>} [names]  of rows, columns and words, by their keys
 * @property {Record<string, Record<string, string | ((...given: any[]) => string)>>} [figures]  texts of its figures, by their ids
 * @property {{ question: string, answers: string[], next?: string, told: (facts: Facts) => string }} [guess]
 * @property {string[]} lesson  the texts of the tour's steps
 * @property {{ name: string, task: string, score: (count: string) => string }} [challenge]
 */

/**
 * @typedef {object} Scene
 * @property {string} id                     the name of its folder
 * @property {number} order                  the page lists scenes by it
 * @property {Group} [group]                 the page lists it under this; default: yours
 * @property {[rows: number, cols: number][]} sizes  the first is the one it opens with
 * @property {Record<string, string[]>} choices  variants by name, such as pictures; it opens with the first of each
 * @property {number | ((setup: Setup) => number)} reach  the colour scale ranges from −reach to reach
 * @property {number} [seed]                 of its start; default: 1
 * @property {import('../state/rules.js').OptimizerSettings} optimizer  at the start
 * @property {number} speed                  steps per second at the start
 * @property {import('../state/state.js').Beside} [beside]  the view beside the cells at the start; default: none
 * @property {number} [warm]                 steps before the locks hold; default: none
 * @property {() => Promise<void>} [load]      fetches data for the functions below; the page never calls those that need it
 * @property {boolean} [hasSwitch]           true to offer the switch from locks to a mask, and a name to lock
 * @property {'cells' | 'points'} [takesOwn]  a person may load numbers or an image as cells, or measured points
 * @property {(own: import('../state/own.js').Own) => number} [rowsFor]  the grid's rows for a person's points
 * @property {boolean} [takesBounds]         true if a person may keep cells within bounds
 * @property {true} [prunes]                 offers pruning, which sets the smallest weights to 0 and locks them
 * @property {true} [rewinds]                true if pruning restarts the run with the remaining weights' first values
 * @property {(setup: Setup) => Record<string, [rows: number, cols: number]>} [shapes]  of its variables, in the order
 *   of the cells; default: x, of the grid's rows and cols
 * @property {(setup: Setup) => Record<string, string[]>} [rowNames]  of variables, by their names; shown as in the
 *   scene's words under `names`, or unchanged
 * @property {(setup: Setup) => Record<string, string[]>} [colNames]  likewise
 * @property {true | 'locks'} [pulls]  a dragged cell is pulled up or down, and locked there by 'locks'; default: a drag draws locks
 * @property {(setup: Setup) => Record<string, number>} [cellSizes]  the size of cells, in rem, of grids that share one
 * @property {readonly string[]} [folded]   grids that only the page with all controls shows
 * @property {(setup: Setup) => Float32Array} start   values of all cells, row by row
 * @property {(setup: Setup) => Uint8Array} locks     1 = locked when the scene opens
 * @property {(setup: Setup) => Uint8Array | null} [opensWith]  the locks it opens with, if not those; links without locks have those
 * @property {(setup: Setup) => Float32Array | null} [unknown]  the start of cells that are unknown until the first step, NaN for others; null: none
 * @property {(setup: Setup) => Float32Array | null} [target]  the goal of each cell, if there is one
 * @property {(step: number) => number} [blend]  a number of the loss that is a function of the step, in setups whose
 *   `data` has a second target, `other`; the loss gets it as `data.blend`, a scalar. Uses only its argument
 * @property {(setup: Setup) => Record<string, unknown>} [data]  constants of the loss: numbers, lists, objects, strings
 * @property {(g: Gradlock, variables: Record<string, Variable>, ...inputs: any[]) => any} [model]  the part that the
 *   loss and the readings share; uses only its arguments
 * @property {(nn: Layers) => any} [network]  a built network of gradlock/layers, instead of a `model`: the grids show
 *   its trainable weights, and it is passed on as `model`; uses only its argument
 * @property {(setup: Setup) => Record<string, View>} [views]  of a network: the elements that each grid shows. All
 *   grids together have each element of each weight once
 * @property {(g: Gradlock, variables: Record<string, Variable>, data: any, model: any) => Tensor} loss  a scalar. `data`
 *   has `targets`, by the variables' names, too; uses only its arguments
 * @property {(g: Gradlock, variables: Record<string, Variable>, setup: Setup, model: any) => Record<string, Tensor>} [readings]
 *   data of figures, for every frame
 * @property {(setup: Setup) => Record<string, [rows: number, cols: number]>} [inputs]  inputs from figures, such as a
 *   drawing: the readings get them with the variables, 0 at first; training does not use them
 * @property {FitPlan} [fit]                 a curve fit, with its report and its band
 * @property {() => Promise<string>} [recorded]  complete runs for its figure, trained beforehand, a line of JSON for
 *   each (tests/web/recorded-runs.js); `model.recorded` has those that began as the shown run does
 * @property {import('./shared/figure.js').Figure[]} [figures]  beside the cells
 * @property {(setup: Setup) => unknown} [shown]  constant data of the figures
 * @property {Asked} [guess]  the question before the first step, and the moment of its answer
 * @property {TourStep[]} tour
 * @property {Challenge} [challenge]
 */

export {};
