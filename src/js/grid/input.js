// Pointer, finger and keyboard, as intents. It decides what a person means, and changes nothing.
import { rowAndColumn } from './row-column.js';

/** @typedef {'toggle' | 'begin' | 'continue' | 'extend' | 'end' | 'cancel'} Gesture */
/** @typedef {'begin' | 'move' | 'end'} Pull */
/**
 * @typedef {object} Intents
 * @property {(index: number) => void} select
 * @property {(type: Gesture, index: number, from?: number) => void} gesture A stroke begins and
 *   continues at cells; a rectangle extends from a corner, as long as it is one gesture.
 * @property {() => boolean} pulls True if a pointer that drags a cell pulls its value.
 * @property {(type: Pull, index: number, up: number) => void} pull By CSS pixels upwards.
 * @property {(direction: string) => void} leave An arrow key, at the border.
 * @property {() => 'draw' | 'scroll' | 'look'} touch What a moving finger does. Where it scrolls
 *   the page, a long press begins to draw.
 * @property {(text: string | null) => boolean} edit The selected cell, if it may be; null keeps its
 *   value to change.
 */

/** @import { CellGrid } from './cells.js' */
/** @import { CanvasGrid } from './canvas.js' */
/** Rows that Page Up and Page Down pass. */
const PAGE = 10;
/** A finger that moves less (in CSS pixels) taps, or after these milliseconds presses and draws. */
const STILL = 10;
/** A pointer that moves less up or down clicks a cell that it could pull. */
const PULL = 3;
const LONG_PRESS = 450;

/**
 * Where a key leads; arrows lead beyond the border, too.
 * @param {KeyboardEvent} event
 * @param {{ row: number, col: number }} from
 * @param {number} rows
 * @param {number} cols
 * @returns {[row: number, col: number] | undefined} Nothing if the key does not move.
 */
function destination({ key, ctrlKey, metaKey }, { row, col }, rows, cols) {
  const isFar = ctrlKey || metaKey;
  /** @type {Record<string, [row: number, col: number]>} */
  const moves = {
    ArrowUp: [row - 1, col],
    ArrowDown: [row + 1, col],
    ArrowLeft: [row, col - 1],
    ArrowRight: [row, col + 1],
    PageUp: [Math.max(row - PAGE, Math.min(row, 0)), col],
    PageDown: [Math.min(row + PAGE, rows - 1), col],
    Home: [isFar ? 0 : row, 0],
    End: [isFar ? rows - 1 : row, cols - 1],
  };
  return moves[key];
}

/** True if a key begins a number. @param {KeyboardEvent} event */
const isTyped = ({ key, ctrlKey, metaKey, altKey }) =>
  /^[0-9.,−-]$/.test(key) && !ctrlKey && !metaKey && !altKey;

/**
 * @param {CellGrid | CanvasGrid} grid
 * @param {{ rows: number, cols: number }} plan
 * @param {Intents} intents
 * @returns {() => void} To be called when the grid is thrown away.
 */
export function listen(grid, { rows, cols }, intents) {
  const { element: surface, heads } = grid;
  /**
   * @template {keyof HTMLElementEventMap} T
   * @param {T} type
   * @param {(event: HTMLElementEventMap[T]) => void} listener
   */
  const on = (type, listener) => surface.addEventListener(type, listener);
  /** @type {{ pointer: number, from?: number } | null} */
  let gesture = null;
  /**
   * A cell that is pressed, and may be pulled.
   * @type {{ pointer: number, index: number, y: number, isOn: boolean } | null}
   */
  let pressed = null;
  /**
   * A finger that may yet scroll, pinch, tap or draw.
   * @type {{ pointer: number, x: number, y: number, timer: ReturnType<typeof setTimeout> } | null}
   */
  let finger = null;
  /** True if the last pointer was a finger and its long presses are handled. */
  let isPressing = false;
  const forget = () => {
    if (finger) clearTimeout(finger.timer);
    finger = null;
  };
  const clamp = (/** @type {number} */ at, /** @type {number} */ count) =>
    Math.max(0, Math.min(count - 1, Math.floor(at)));
  /** The cell nearest to a point of the viewport. @param {number} x @param {number} y */
  const cellAt = (x, y) => {
    const { width, height, first } = grid;
    const { left, top, width: wide } = first.getBoundingClientRect();
    // Pages may enlarge what is on them.
    const scale = wide / first.offsetWidth;
    const down = clamp((y - top) / scale / height, rows);
    return down * cols + clamp((x - left) / scale / width, cols);
  };
  /** @param {Gesture} type @param {number} x @param {number} y @param {number} [from] */
  const paint = (type, x, y, from) => {
    const index = cellAt(x, y);
    intents.gesture(from === undefined ? type : 'extend', index, from);
    intents.select(index);
  };
  /** @param {number} pointer */
  const capture = (pointer) => {
    try {
      surface.setPointerCapture(pointer);
    } catch {
      // A tool's pointer, or one that has gone.
    }
  };
  /** @param {number} pointer @param {number} x @param {number} y @param {number} [from] */
  const begin = (pointer, x, y, from) => {
    forget();
    gesture = { pointer, from };
    capture(pointer);
    paint('begin', x, y, from);
    grid.focus();
  };
  /** Presses a cell to pull. @param {number} pointer @param {number} x @param {number} y */
  const press = (pointer, x, y) => {
    forget();
    pressed = { pointer, index: cellAt(x, y), y, isOn: false };
    capture(pointer);
    intents.select(pressed.index);
    grid.focus();
  };
  const release = () => {
    if (pressed?.isOn) intents.pull('end', pressed.index, 0);
    pressed = null;
  };
  const end = (/** @type {Gesture} */ type) => {
    if (gesture) intents.gesture(type, grid.selected);
    gesture = null;
  };

  const headAt = (/** @type {EventTarget | null} */ target) =>
    heads.find(({ button }) => button === target);

  on('pointerdown', (event) => {
    if (headAt(event.target)) return;
    const { pointerId, pointerType, isPrimary, clientX: x, clientY: y } = event;
    const touch = pointerType === 'touch' && intents.touch();
    if (!isPrimary && touch) {
      // Two fingers are the page's.
      forget();
      end('cancel');
      release();
    } else if (event.button === 0 && !gesture && !pressed) {
      isPressing = touch && touch !== 'look';
      if (touch) {
        const hold = () => isPressing && (intents.pulls() ? press : begin)(pointerId, x, y);
        const timer = setTimeout(hold, LONG_PRESS);
        finger = { pointer: pointerId, x, y, timer };
      } else {
        if (intents.pulls() && !event.shiftKey) press(pointerId, x, y);
        else begin(pointerId, x, y, event.shiftKey ? grid.selected : undefined);
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
    if (gesture?.pointer === pointerId) paint('continue', x, y, gesture.from);
    if (pressed?.pointer !== pointerId) return;
    const { index } = pressed;
    const up = pressed.y - y;
    if (!pressed.isOn && Math.abs(up) < PULL) return;
    if (!pressed.isOn) intents.pull('begin', index, 0);
    pressed.isOn = true;
    intents.pull('move', index, up);
  });
  for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
    on(type, ({ pointerId }) => {
      if (finger?.pointer === pointerId) {
        if (type === 'pointerup') begin(pointerId, finger.x, finger.y);
        forget();
      }
      if (gesture?.pointer === pointerId) end(type === 'pointerup' ? 'end' : 'cancel');
      if (pressed?.pointer !== pointerId) return;
      const { index, isOn } = pressed;
      release();
      if (!isOn && type === 'pointerup') intents.gesture('toggle', index);
    });
  }
  // Touch actions were fixed before the press was long; what was not yet scrolled can be kept so.
  on('touchmove', (event) => (gesture || pressed) && event.preventDefault());
  on('contextmenu', (event) => isPressing && event.preventDefault());
  // A click without a pointer is a key or an assistive technology pressing the button.
  on('click', ({ target, detail }) => {
    const head = headAt(target);
    const cells = head?.cells ?? [grid.indexOf(target)];
    if (detail === 0 || head) intents.gesture('toggle', cells[cells.length - 1], cells[0]);
  });

  // So is a focus that no key of ours has moved.
  on('focusin', ({ target }) => {
    if (!headAt(target)) intents.select(grid.indexOf(target));
  });

  /** Where a rectangle by keyboard began. @type {number | null} */
  let corner = null;
  on('keydown', (event) => {
    const { selected } = grid;
    const head = headAt(event.target);
    const [row, col] = rowAndColumn(selected, cols);
    const to = destination(event, head ?? { row, col }, rows, cols);
    if (to && !event.altKey) {
      event.preventDefault();
      const [toRow, toCol] = to;
      const isInside = toRow >= 0 && toRow < rows && toCol >= 0 && toCol < cols;
      if (isInside) {
        const index = toRow * cols + toCol;
        if (event.shiftKey && !head) {
          corner ??= selected;
          intents.gesture('extend', index, corner);
        }
        intents.select(index);
        if (head) grid.focus();
        surface.querySelector(':focus')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      } else if (!event.shiftKey) {
        const next = heads.find((one) => one.row === toRow && one.col === toCol);
        if (next) next.button.focus();
        else intents.leave(event.key.slice(5).toLowerCase());
      }
    } else if (event.key === 'Enter' && event.repeat) {
      event.preventDefault();
    } else if (!head && (event.key === 'F2' || isTyped(event))) {
      if (intents.edit(event.key === 'F2' ? null : event.key)) event.preventDefault();
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
  return forget;
}
