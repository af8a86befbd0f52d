// Edits by a person: first events, which pages may cancel, and then changes of the source.
import { parseNumber } from './format.js';
import { rowAndColumn } from './row-column.js';
import { Strokes } from './strokes.js';

/** As many CSS pixels pull a value by the reach of the colours. */
const PIXELS = 100;

/**
 * @param {import('./element.js').GradlockGrid} grid
 * @param {import('./view.js').Picture} picture
 * @param {HTMLElement} note
 * @param {import('./error-events.js').ErrorEvents} errors
 * @param {() => import('./source.js').Reader | null} reader
 * @param {(isAll: boolean) => void} update Read and draw.
 * @param {(text: string | null) => void} open The field for a value.
 */
export const makeEdits = (grid, picture, note, errors, reader, update, open) => {
  const cellAt = (/** @type {number} */ index) => {
    const [row, col] = rowAndColumn(index, picture.cols);
    return { index, row, col };
  };
  const fire = (/** @type {string} */ type, /** @type {object} */ detail) =>
    grid.dispatchEvent(
      new CustomEvent(type, { bubbles: true, composed: true, cancelable: true, detail }),
    );
  /**
   * Ask, change, and show what has become of it.
   * @param {string} type
   * @param {object} detail
   * @param {(reader: import('./source.js').Reader) => string | void} change Says why not.
   */
  const attempt = (type, detail, change) => {
    const source = reader();
    if (!source || !fire(type, detail)) return;
    try {
      note.textContent = change(source) ?? '';
    } catch (error) {
      errors.fail(error);
      return;
    }
    update(true);
  };
  const strokes = new Strokes(
    picture,
    () => grid.brush,
    (indices, locked, continued) =>
      attempt('lockschange', { indices, locked, continued }, (source) =>
        source.setLocks(indices, locked),
      ),
  );
  /** @param {import('./source.js').Reader} source @param {number} index @param {number} value */
  const setValue = (source, index, value) => {
    const { row, col } = cellAt(index);
    if (picture.mask[index]) return picture.words.held(row + 1, col + 1);
    return source.setValue(index, value);
  };
  /** The value of a cell, and the reach, when its pull began. */
  let pulled = { from: 0, reach: 1 };
  /** @type {import('./view.js').ViewIntents} */
  const intents = {
    select(index) {
      if (index === grid.selected) return;
      grid.selected = index;
      fire('cellselect', cellAt(index));
    },
    leave: (direction) => fire('cellleave', { ...cellAt(grid.selected), direction }),
    gesture(type, index, from = index) {
      if (grid.readonly) return;
      // Read changes since the last frame first.
      update(false);
      strokes[type](index, from);
    },
    edit(text) {
      const isOpen = grid.editable && !grid.readonly;
      if (isOpen) open(text);
      return isOpen;
    },
    setValue(index, text) {
      const value = parseNumber(text);
      attempt('valuechange', { index, value, text }, (source) =>
        Number.isNaN(value) ? picture.words.notANumber(text) : setValue(source, index, value),
      );
    },
    pulls: () => grid.pull && !grid.readonly,
    pull(type, index, up) {
      if (grid.readonly && type !== 'end') return;
      // The reach may grow with the value, and of zeros alone it is 0; a NaN is pulled from 0.
      if (type === 'begin')
        pulled = { from: picture.values[index] || 0, reach: picture.reach || 1 };
      const { from, reach } = pulled;
      // Whole hundredths, so that the number is short; and 0 has no sign.
      const value = (Math.round(100 * (from / reach + up / PIXELS)) / 100) * reach + 0;
      attempt('cellpull', { type, index, value }, (source) =>
        type === 'move' ? setValue(source, index, value) : '',
      );
    },
    touch: () => (grid.readonly ? 'look' : grid.draw ? 'draw' : 'scroll'),
  };
  return intents;
};
