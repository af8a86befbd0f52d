// Pointer, finger and keyboard on a grid, as intents. It decides what a person means and changes
// nothing itself.

/** @typedef {'toggle' | 'begin' | 'continue' | 'extend' | 'end'} Stroke */
/** @typedef {Stroke | 'row' | 'column' | 'all'} Gesture */
/**
 * @typedef {object} Intents
 * @property {(index: number) => void} select
 * @property {(type: Gesture, index: number, from?: number) => void} gesture A stroke begins and
 *   continues at cells; a rectangle extends from a corner, as long as it is one gesture. A row, a
 *   column or all is that of the cell.
 * @property {(direction: string) => void} leave An arrow key, at the border.
 * @property {() => 'draw' | 'scroll' | 'look'} touch What a moving finger does. Where it scrolls
 *   the page, a long press begins to draw.
 * @property {(text: string | null) => boolean} edit The selected cell, if it may be; null keeps its
 *   value to change.
 */

/**
 * What input needs to know of a grid.
 * @typedef {object} Surface
 * @property {number} rows
 * @property {number} cols
 * @property {(x: number, y: number) => number} cellAt At a point of the viewport.
 * @property {(target: EventTarget | null) => number} indexOf The cell that an element stands for.
 * @property {number} selected
 * @property {() => void} focus
 */

/** Rows that Page Up and Page Down pass. */
const PAGE = 10;
/** A finger that moves less, in CSS pixels, taps, or presses for so many milliseconds and draws. */
const STILL = 10;
const LONG_PRESS = 450;

/**
 * Where a key leads.
 * @param {KeyboardEvent} event
 * @param {number} index
 * @param {{ rows: number, cols: number }} grid
 * @returns {number | null} null if the key does not move.
 */
function destination({ key, ctrlKey, metaKey }, index, { rows, cols }) {
  const row = Math.floor(index / cols);
  const col = index % cols;
  const isFar = ctrlKey || metaKey;
  /** @type {Record<string, [row: number, col: number]>} */
  const moves = {
    ArrowUp: [row - 1, col],
    ArrowDown: [row + 1, col],
    ArrowLeft: [row, col - 1],
    ArrowRight: [row, col + 1],
    PageUp: [row - PAGE, col],
    PageDown: [row + PAGE, col],
    Home: [isFar ? 0 : row, 0],
    End: [isFar ? rows - 1 : row, cols - 1],
  };
  const move = moves[key];
  if (!move) return null;
  const clamp = (/** @type {number} */ at, /** @type {number} */ count) =>
    Math.max(0, Math.min(count - 1, at));
  return clamp(move[0], rows) * cols + clamp(move[1], cols);
}

/**
 * Of headings: what they lock, and a cell of it.
 * @param {Event} event
 */
const dataOf = ({ target }) =>
  /** @type {{ line?: Gesture, index?: string }} */ (/** @type {HTMLElement} */ (target).dataset);

/**
 * As a spreadsheet has it: Shift and Space for the row, Ctrl and Space for the column, Ctrl and A.
 * @param {KeyboardEvent} event
 * @returns {Gesture | false}
 */
const lineByKey = ({ key, ctrlKey, metaKey, shiftKey }) => {
  const isFar = ctrlKey || metaKey;
  if (key === ' ') return isFar ? 'column' : shiftKey && 'row';
  return isFar && key === 'a' && 'all';
};

/**
 * @param {HTMLElement} surface Holds the grid.
 * @param {Surface} grid
 * @param {Intents} intents
 * @returns {() => void} Stops listening.
 */
export function listen(surface, grid, intents) {
  const life = new AbortController();
  const { signal } = life;
  /**
   * @template {keyof HTMLElementEventMap} T
   * @param {T} type
   * @param {(event: HTMLElementEventMap[T]) => void} listener
   */
  const on = (type, listener) => surface.addEventListener(type, listener, { signal });
  /** @type {{ pointer: number, from: number, isRectangle: boolean } | null} */
  let gesture = null;
  /**
   * A finger that may yet scroll, pinch, tap or draw.
   * @type {{ pointer: number, x: number, y: number, timer: ReturnType<typeof setTimeout> } | null}
   */
  let finger = null;
  /** Whether the last pointer was a finger whose long presses are taken. */
  let isPressing = false;
  const forget = () => {
    if (finger) clearTimeout(finger.timer);
    finger = null;
  };
  const begin = (
    /** @type {number} */ pointer,
    /** @type {number} */ x,
    /** @type {number} */ y,
    isRectangle = false,
  ) => {
    forget();
    const index = grid.cellAt(x, y);
    const from = grid.selected;
    gesture = { pointer, from, isRectangle };
    surface.setPointerCapture(pointer);
    intents.gesture(isRectangle ? 'extend' : 'begin', index, isRectangle ? from : index);
    intents.select(index);
    grid.focus();
  };
  const end = () => {
    if (gesture) intents.gesture('end', grid.selected);
    gesture = null;
  };

  on('pointerdown', (event) => {
    if (dataOf(event).line) return;
    const { pointerId, pointerType, isPrimary, clientX: x, clientY: y } = event;
    const touch = pointerType === 'touch' && intents.touch();
    if (!isPrimary && touch) {
      // Two fingers are the page's.
      forget();
      end();
    } else if (event.button === 0 && !gesture) {
      isPressing = touch && touch !== 'look';
      if (touch) {
        const timer = setTimeout(() => isPressing && begin(pointerId, x, y), LONG_PRESS);
        finger = { pointer: pointerId, x, y, timer };
      } else {
        begin(pointerId, x, y, event.shiftKey);
        // The browser would focus what is under the pointer, which on a canvas is nothing.
        event.preventDefault();
      }
    }
  });
  on('pointermove', ({ pointerId, clientX: x, clientY: y }) => {
    if (finger?.pointer === pointerId && Math.hypot(x - finger.x, y - finger.y) >= STILL) {
      if (intents.touch() === 'draw') begin(pointerId, finger.x, finger.y);
      else forget();
    }
    if (gesture?.pointer !== pointerId) return;
    const index = grid.cellAt(x, y);
    const { isRectangle, from } = gesture;
    intents.gesture(isRectangle ? 'extend' : 'continue', index, isRectangle ? from : index);
    intents.select(index);
  });
  for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
    on(type, ({ pointerId }) => {
      if (finger?.pointer === pointerId) {
        if (type === 'pointerup') begin(pointerId, finger.x, finger.y);
        forget();
      }
      if (gesture?.pointer === pointerId) end();
    });
  }
  // Touch actions were fixed before the press was long; what was not yet scrolled can be kept so.
  surface.addEventListener('touchmove', (event) => gesture && event.preventDefault(), {
    passive: false,
    signal,
  });
  on('contextmenu', (event) => isPressing && event.preventDefault());
  // A click without a pointer is a key or an assistive technology pressing the button.
  on('click', (event) => {
    const { line, index } = dataOf(event);
    if (line) intents.gesture(line, Number(index));
    else if (event.detail === 0) intents.gesture('toggle', grid.indexOf(event.target));
  });

  // So is a focus that no key of ours has moved.
  on('focusin', ({ target }) => {
    intents.select(grid.indexOf(target));
  });

  /** Where a rectangle by keyboard began. @type {number | null} */
  let corner = null;
  on('keydown', (event) => {
    const at = grid.selected;
    const to = destination(event, at, grid);
    const line = lineByKey(event);
    if (line) {
      event.preventDefault();
      if (!event.repeat) intents.gesture(line, at);
    } else if (to !== null) {
      event.preventDefault();
      if (event.shiftKey) {
        corner ??= at;
        intents.gesture('extend', to, corner);
      } else if (to === at && /^A/.test(event.key)) {
        intents.leave(event.key.slice(5).toLowerCase());
      }
      intents.select(to);
    } else if (/^[0-9.,−-]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (intents.edit(event.key)) event.preventDefault();
    } else if (event.key === 'F2') {
      if (intents.edit(null)) event.preventDefault();
    } else if (event.key === 'Enter' && event.repeat) {
      event.preventDefault();
    }
  });
  const endExtension = () => {
    if (corner === null) return;
    corner = null;
    intents.gesture('end', grid.selected);
  };
  on('keyup', (event) => {
    if (event.key === 'Shift') endExtension();
    // Some browsers press a button when Space is let go, whatever became of its going down.
    if (event.key === ' ' && lineByKey(event)) event.preventDefault();
  });
  on('focusout', ({ relatedTarget }) => {
    if (!surface.contains(/** @type {Node | null} */ (relatedTarget))) endExtension();
  });
  return () => {
    forget();
    life.abort();
  };
}
