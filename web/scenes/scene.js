/**
 * What a scene is: data and a loss. This file holds only its type; copy `two-by-two.js` to write one.
 *
 * A scene knows neither the page nor the optimizer. The engine gives it the library, the variable and, if it has one,
 * its target as a tensor; the loss is recorded once and replayed for every step. Sums rather than means keep a
 * learning rate good for every grid size: with a mean, SGD's rate would have to grow with the number of cells.
 */

/** @typedef {Awaited<ReturnType<typeof import('gradlock').init>>} Gradlock */
/** @typedef {ReturnType<Gradlock['variable']>} Variable */
/** @typedef {ReturnType<Gradlock['tensor']>} Tensor */

/**
 * How a scene is set up; the same setup always gives the same start.
 * @typedef {object} Setup
 * @property {number} rows
 * @property {number} cols
 * @property {string} choice  one of the scene's `choices`
 * @property {number} seed    of whatever the scene draws at random, 0 ≤ seed < 2³²
 */

/**
 * @typedef {object} Scene
 * @property {string} id                     its words are in strings.js under `scenes[id]`
 * @property {[rows: number, cols: number][]} sizes  offered; the first is the one it opens with
 * @property {string[]} choices              variants, such as pictures; the first is the one it opens with
 * @property {number} reach                  the colour scale goes from −reach to reach
 * @property {import('../state/rules.js').OptimizerSettings} optimizer  a good one to start with
 * @property {number} speed                  steps per second to start with
 * @property {(setup: Setup) => Float32Array} start   values, row by row
 * @property {(setup: Setup) => Uint8Array} locks     1 = locked when the scene opens
 * @property {(setup: Setup) => Float32Array} [target]  where each cell would go, if there is such a thing
 * @property {(g: Gradlock, x: Variable, target: Tensor, setup: Setup) => Tensor} loss  a scalar; a scene without a
 *   target gets none and must not look at it
 */

export {};
