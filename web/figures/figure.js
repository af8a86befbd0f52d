/**
 * What a figure is: a small view of a scene beside its cells. This file holds its types; docs/scenes.md shows one.
 * Scenes name figures, and the engine's worker imports scenes, so importing a figure must touch no DOM: all that it
 * needs is handed to it. A figure is drawn by a pen, or is built of elements of its own.
 */

/**
 * A run of the scene's study: what it begins with, and what was read of it, step by step.
 * @typedef {object} StudiedRun
 * @property {import('../engine/protocol.js').StudyRecipe} recipe
 * @property {{ step: number, readings: Record<string, Float32Array> }[]} points
 * @property {string | null} digest  of its cells at its end; null until it is there
 */

/**
 * The scene's study (scenes/scene.js), as far as it has come.
 * @typedef {object} Study
 * @property {StudiedRun[]} runs
 * @property {number} count        how many there will be
 * @property {number} step         up to which the last one has come
 * @property {boolean} isRunning
 * @property {boolean} isStale     whether the optimizer is set otherwise by now
 * @property {number} id           another for each that is begun
 * @property {number} version      grows with what is known
 * @property {import('../engine/protocol.js').Refusal | null} refusal  why it broke off, if it did
 */

/**
 * What there is to show, anew for every frame.
 * @typedef {object} Model
 * @property {any} shown      the scene's `shown(setup)`, which stays as it is
 * @property {Record<string, Float32Array>} readings  the scene's `readings` of this frame
 * @property {Record<string, Float32Array>} values    cells by variable
 * @property {Record<string, Uint8Array>} locks       1 = locked, by variable
 * @property {import('../scenes/layout.js').Part[]} layout  shapes of the variables
 * @property {number} reach   colours of values go from −reach to reach
 * @property {number} lit     the cell that is pointed at, here or in a grid, of all cells; −1 for none
 * @property {number} step    of the run
 * @property {Study | null} study  null if the scene has none, or it has not begun
 */

/**
 * What a figure is given to draw with.
 * @typedef {object} Stage
 * @property {CanvasRenderingContext2D} pen  cleared, in CSS pixels
 * @property {number} width
 * @property {number} height
 * @property {(name: string) => string} ink  a colour of the page: ink, muted, line, edge, accent, paper, raised
 * @property {(value: number, reach?: number) => string} colour  of a value, as in the grids
 * @property {(values: Float32Array, cols: number, reach: number) => HTMLCanvasElement} image  a pixel a value; to be
 *   drawn before the next is asked for
 * @property {any} words      the scene's, under `figures[id]`
 * @property {(key: string) => string} name  of a row, a column or a word: the scene's `names`, or the key itself
 * @property {Record<string, any>} memory  kept from frame to frame, empty at first
 */

/**
 * What a person does in a figure; cells are counted over all variables.
 * @typedef {object} Intents
 * @property {(cell: number) => void} select
 * @property {(cell: number) => void} toggle  its lock
 * @property {(cell: number, value: number) => void} assign
 * @property {(cells: readonly number[], isLocking: boolean) => void} lock  lock cells, or free them: one edit
 * @property {(cells: readonly number[]) => void} hold  take cells in hand, in their order: as long as they are held,
 *   beside the locks, which stay as they are, no training moves them
 * @property {(values: readonly number[]) => void} place  put what is held somewhere, a number a cell; locked cells too
 * @property {() => void} release  let go of what is held; all since `hold` is one edit
 * @property {(text: string) => void} say  for those who listen; of several in a few seconds the last is heard
 * @property {(name: string, values: Float32Array) => void} tell  give the readings an input, such as a drawing; the
 *   scene's `inputs` name it and its shape
 * @property {(cell: number) => void} light   show it in the grids and the other figures; −1 for none
 * @property {(isOn: boolean) => void} study  begin it anew, or end it
 * @property {(recipe: import('../engine/protocol.js').StudyRecipe) => void} openRun  as the live run; Undo leads back
 * @property {(fraction: number) => void} pruneAnew  prune the live run, and start it again with what is left
 */

/**
 * A figure that is drawn.
 * @typedef {object} Drawn
 * @property {string} id      its words are under `figures[id]` of the scene's, its class is `is-id`
 * @property {number | ((width: number, known: Pick<Model, 'shown' | 'layout'>) => number)} aspect  width by height
 * @property {(stage: Stage, model: Model) => void} draw
 * @property {(words: any, model: Model) => string} describe  what it shows, for those who cannot see it and below it
 * @property {boolean} [isOnce]  it is the scene's, not the run's: where a rival stands beside, only the run has it
 * @property {(x: number, y: number, stage: Stage, model: Model) => number} [cellAt]  what lies at a place, in CSS pixels;
 *   −1 for nothing. Pointing there lights the cell, a click toggles its lock
 */

/**
 * A figure of elements of its own, such as buttons, sliders, a pad to draw on.
 * @typedef {object} Built
 * @property {string} id
 * @property {(host: HTMLElement, tools: { words: any, name: (key: string) => string, intents: Intents,
 *   stageOf: (canvas: HTMLCanvasElement, aspect: number) => Stage, memory: Record<string, any>,
 *   h: typeof import('../view/dom.js').h, icon: (name: string) => SVGElement }) =>
 *   { draw: (model: Model) => void, focus?: () => void }} build
 *   `stageOf` gives the pen of a canvas of one's own, as large as its room; `h` and `icon` make elements. Another run of
 *   the scene builds it anew: `memory` stays, empty at first, and `focus` takes the focus, if the figure before had it
 * @property {(words: any, model: Model) => string} [describe]  told below it
 * @property {boolean} [isOnce]  likewise
 */

/** @typedef {Drawn | Built} Figure */

/** A share in percent, never at the end of one line and the beginning of the next. @param {Float32Array | undefined} share one number */
export const percent = (share) => `${(100 * (share?.[0] ?? 0)).toFixed(0)}\u00a0%`;
