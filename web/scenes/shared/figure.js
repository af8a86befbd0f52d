/**
 * The types of figures: small views of a scene beside its cells (docs/scenes.md). The engine's
 * worker imports scenes, which import figures, so importing one must not touch the DOM: a figure
 * gets all it needs as arguments. It is drawn on a canvas, or built of elements.
 */

/**
 * A run that was trained beforehand: its start, and its readings step by step.
 * @typedef {object} RecordedRun
 * @property {string} key    the curve that it belongs to
 * @property {number} at     its index on that curve
 * @property {import('../../state/rules.js').OptimizerSettings} optimizer
 * @property {Uint8Array} locks
 * @property {Uint8Array | null} zeros  cells that start at 0
 * @property {'lock' | 'mask'} rule     how its cells are held
 * @property {number} steps  from the start
 * @property {{ step: number, readings: Record<string, number[]> }[]} points  the last is its end
 * @property {string} digest  of its cells at its end
 */

/**
 * The data to show, new for every frame.
 * @typedef {object} Model
 * @property {any} shown      the scene's `shown(setup)`, which does not change
 * @property {Record<string, Float32Array>} readings  the scene's `readings` of this frame
 * @property {Record<string, Float32Array>} values    cells by variable
 * @property {Record<string, Uint8Array>} locks       1 = locked, by variable
 * @property {import('../layout.js').Part[]} layout  shapes of the variables
 * @property {number} reach   the colours of values range from −reach to reach
 * @property {number} lit     the highlighted cell, here or in a grid, of all cells; −1 for none
 * @property {number} step    of the run, and of its readings
 * @property {boolean} isPast  true if the cells are those of an earlier step, or of a replay
 * @property {import('../../state/rules.js').OptimizerSettings} [optimizer]
 * @property {boolean} isMasked  true if a mask holds the locked cells, which may move then
 * @property {import('../../engine/protocol.js').FitNews | null} fit  the last fit of the scene's data, if there is one
 * @property {readonly RecordedRun[]} recorded  those that began as this run does
 */

/**
 * The tools to draw a figure with.
 * @typedef {object} Stage
 * @property {CanvasRenderingContext2D} pen  cleared, in CSS pixels, of which presenter mode makes two by two
 * @property {number} width
 * @property {number} height
 * @property {(name: string) => string} ink  a colour of the page: ink, muted, line, edge, accent, paper, raised
 * @property {(value: number, reach?: number) => string} colour  of a value, as in the grids
 * @property {(values: Float32Array, cols: number, reach: number) => HTMLCanvasElement} image  a pixel per value; draw it
 *   before you ask for the next one
 * @property {any} words      the scene's strings under `figures[id]`
 * @property {(key: string) => string} name  of a row, a column or a word: the scene's `names`, or the key itself
 * @property {Record<string, any>} memory  kept between runs of the scene, empty at first
 */

/**
 * The actions of a person in a figure; cells are counted over all variables.
 * @typedef {object} Intents
 * @property {(cell: number) => void} select
 * @property {(first: number, count?: number) => void} toggle  toggles its lock
 * @property {(cell: number, value: number) => void} assign
 * @property {(cells: readonly number[], isLocking: boolean, isContinued?: boolean) => void} lock  locks or unlocks cells, as one edit
 * @property {(cells: readonly number[]) => void} hold  starts a drag of these cells, in their order: until its end no
 *   training moves them, whatever their locks, which stay as they are
 * @property {(values: readonly number[]) => void} writeDragged  writes the dragged cells, locked or not, a number per cell
 * @property {() => void} release  ends the drag; all since `hold` is one edit
 * @property {(text: string) => void} say  for screen readers; of several in a few seconds the last is read
 * @property {(name: string, values: Float32Array) => void} tell  sets an input of the readings, such as a drawing; the
 *   scene's `inputs` give its name and shape
 * @property {(cell: number) => void} light   highlights it in the grids and the other figures; −1 for none
 * @property {(run: Pick<RecordedRun, 'optimizer' | 'locks' | 'zeros' | 'steps'>) => void} openRun  as the live run, with locks, which plays if it has no steps; Undo leads back
 * @property {() => void} play
 * @property {() => void} pause
 */

/**
 * A figure on a canvas.
 * @typedef {object} Drawn
 * @property {string} id      its strings are the scene's `figures[id]`, its class is `is-id`
 * @property {number | ((width: number) => number)} aspect  width by height
 * @property {(stage: Stage, model: Model) => void} draw
 * @property {(words: any, model: Model) => string} [headline]  above it
 * @property {(words: any, model: Model) => string} describe  its text, for screen readers and below it
 * @property {boolean} [isOnce]  true if it shows the scene, not the run: only the run has it, not the rival
 * @property {boolean} [isChart]  true if it is in the chart's place, which the question covers; it is `isOnce`, too
 * @property {(x: number, y: number, stage: Stage, model: Model) => number} [cellAt]  the cell at a position, in CSS pixels;
 *   −1 for none. Pointing there highlights the cell, a click toggles its lock
 */

/**
 * A figure of elements, such as buttons, sliders or a drawing pad.
 * @typedef {object} Built
 * @property {string} id
 * @property {(host: HTMLElement, tools: { words: any, name: (key: string) => string, intents: Intents,
 *   stageOf: (canvas: HTMLCanvasElement, aspect: number, scale?: number) => Stage, zoom: () => number,
 *   memory: Record<string, any>,
 *   h: typeof import('../../view/dom.js').h, icon: (name: string) => SVGElement }) =>
 *   { draw: (model: Model) => void, focus?: () => void }} build
 *   `stageOf` returns a canvas's pen, sized to its space and enlarged by a scale; `zoom` returns the
 *   scale of text, which is 2 in presenter mode; `h` and `icon` make elements. Another run
 *   builds it again: `memory` stays, empty at first; `focus` gets the focus if it was there
 * @property {(words: any, model: Model) => string} [describe]  the text below it
 * @property {boolean} [isOnce]  likewise
 * @property {boolean} [isChart]  likewise
 */

/** @typedef {Drawn | Built} Figure */

/** A share in percent, with a space that does not break. @param {ArrayLike<number> | undefined} share one number */
export const percent = (share) => `${(100 * (share?.[0] ?? 0)).toFixed(0)}\u00a0%`;

/** Sets text only if it differs: writing the same text costs layout. @param {Element} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
