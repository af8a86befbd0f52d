// A small field over a cell, to type its value into. Enter takes it, Escape does not; leaving takes
// what was changed.
import { h } from './dom.js';

/** Width of the field at least, in CSS pixels. */
const MIN_WIDTH = 104;
const MIN_HEIGHT = 44;

/**
 * @param {HTMLElement} host Positioned, holds the grid.
 * @param {DOMRect} rect Of the cell.
 * @param {{ label: string, text: string, isNew: boolean }} field isNew: `text` was typed, not the
 *   cell's.
 * @param {(text: string | null) => void} done Is given what was typed, or null.
 */
export function openEditor(host, rect, { label, text, isNew }, done) {
  const frame = host.getBoundingClientRect();
  const width = Math.max(MIN_WIDTH, rect.width);
  const height = Math.max(MIN_HEIGHT, Math.min(rect.height, 64));
  const place = (
    /** @type {number} */ middle,
    /** @type {number} */ size,
    /** @type {number} */ room,
  ) => Math.max(0, Math.min(room - size, middle - size / 2));
  const input = h('input', {
    class: 'editor',
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    'aria-label': label,
  });
  input.value = text;
  const { style } = input;
  style.width = `${width}px`;
  style.height = `${height}px`;
  style.left = `${place(rect.x + rect.width / 2 - frame.x, width, frame.width)}px`;
  style.top = `${place(rect.y + rect.height / 2 - frame.y, height, frame.height)}px`;
  let isOpen = true;
  /** @param {string | null} result */
  const close = (result) => {
    if (!isOpen) return;
    isOpen = false;
    input.remove();
    done(result);
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The focus goes back to the cell, where the rest of this key press would toggle its lock.
    event.preventDefault();
    close(event.key === 'Enter' ? input.value : null);
  });
  for (const type of ['pointerdown', 'click', 'keyup']) {
    input.addEventListener(type, (event) => event.stopPropagation());
  }
  input.addEventListener('blur', () => close(isNew || input.value !== text ? input.value : null));
  host.append(input);
  input.focus();
  if (!isNew) input.select();
}
