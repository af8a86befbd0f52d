// A small field over a cell, for its value. Enter takes it, Escape does not; leaving takes changes.
import { h } from './dom.js';

/**
 * @param {HTMLElement} host Positioned, holds the grid.
 * @param {string} label
 * @param {string} text
 * @param {boolean} isNew `text` was typed, not the cell's.
 * @param {(text: string | null, isKey?: boolean) => void} done Is given what was typed, or null,
 *   and whether a key ended it.
 * @returns {HTMLInputElement} The field.
 */
export function openEditor(host, label, text, isNew, done) {
  const input = h('input', {
    class: 'editor',
    inputmode: 'decimal',
    'aria-label': label,
  });
  input.value = text;
  let isOpen = true;
  /** @param {boolean} isTaken @param {boolean} [isKey] */
  const close = (isTaken, isKey) => {
    if (!isOpen) return;
    isOpen = false;
    input.remove();
    done(isTaken && (isNew || input.value !== text) ? input.value : null, isKey);
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The focus goes back to the cell, where the rest of this key press would toggle its lock.
    event.preventDefault();
    close(event.key === 'Enter', true);
  });
  input.addEventListener('blur', () => close(true));
  host.append(input);
  input.focus();
  if (!isNew) input.select();
  return input;
}
