// Pointer, finger and keyboard on a grid, as intents. It decides what a person means and changes
// nothing itself.

/** @typedef {'toggle' | 'begin' | 'continue' | 'extend' | 'end'} Gesture */
/**
 * @typedef {object} Intents
 * @property {(index: number) => void} select
 * @property {(type: Gesture, index: number, from?: number) => void} gesture A stroke begins and
 *   continues at cells; a rectangle extends from a corner, as long as it is one gesture.
 * @property {() => boolean} drawsByTouch Whether a finger draws; else it scrolls the page.
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
/** A finger that moves less, in CSS pixels, has tapped. */
const STILL = 10;

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
  /** A finger that may yet scroll. @type {{ pointer: number, x: number, y: number } | null} */
  let tap = null;

  on('pointerdown', (event) => {
    if (event.button !== 0 || gesture) return;
    tap = null;
    if (event.pointerType === 'touch' && !intents.drawsByTouch()) {
      tap = { pointer: event.pointerId, x: event.clientX, y: event.clientY };
      return;
    }
    const index = grid.cellAt(event.clientX, event.clientY);
    gesture = { pointer: event.pointerId, from: grid.selected, isRectangle: event.shiftKey };
    surface.setPointerCapture(event.pointerId);
    if (event.shiftKey) intents.gesture('extend', index, gesture.from);
    else intents.gesture('begin', index);
    intents.select(index);
    // The browser would focus what is under the pointer, which on a canvas is nothing.
    event.preventDefault();
    grid.focus();
  });
  on('pointermove', (event) => {
    if (gesture?.pointer !== event.pointerId) return;
    const index = grid.cellAt(event.clientX, event.clientY);
    if (gesture.isRectangle) intents.gesture('extend', index, gesture.from);
    else intents.gesture('continue', index);
    if (index !== grid.selected) intents.select(index);
  });
  for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
    on(type, (event) => {
      if (tap?.pointer === event.pointerId) {
        const isTap = Math.hypot(event.clientX - tap.x, event.clientY - tap.y) < STILL;
        if (isTap && type === 'pointerup') {
          const index = grid.cellAt(tap.x, tap.y);
          intents.gesture('toggle', index);
          intents.select(index);
          grid.focus();
        }
        tap = null;
      }
      if (gesture?.pointer !== event.pointerId) return;
      gesture = null;
      intents.gesture('end', grid.selected);
    });
  }
  // A click without a pointer is a key or an assistive technology pressing the button.
  on('click', (event) => {
    if (event.detail === 0) intents.gesture('toggle', grid.indexOf(event.target));
  });

  // So is a focus that no key of ours has moved.
  on('focusin', ({ target }) => {
    const index = grid.indexOf(target);
    if (index !== grid.selected) intents.select(index);
  });

  /** Where a rectangle by keyboard began. @type {number | null} */
  let corner = null;
  on('keydown', (event) => {
    const at = grid.selected;
    const to = destination(event, at, grid);
    if (to !== null) {
      event.preventDefault();
      if (event.shiftKey) {
        corner ??= at;
        intents.gesture('extend', to, corner);
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
  on('keyup', ({ key }) => key === 'Shift' && endExtension());
  on('focusout', ({ relatedTarget }) => {
    if (!surface.contains(/** @type {Node | null} */ (relatedTarget))) endExtension();
  });
  return () => life.abort();
}
