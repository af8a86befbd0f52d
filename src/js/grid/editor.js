// A small field over a cell, to type its value into. Enter takes it, Escape does not; leaving takes
// what was changed.
import { h } from './dom.js';

/**
 * @param {HTMLElement} host Positioned, holds the grid.
 * @param {string} label
 * @param {string} text
 * @param {boolean} isNew `text` was typed, not the cell's.
 * @param {(text: string | null) => void} done Is given what was typed, or null.
 * @returns {HTMLInputElement} The field.
 */
export function openEditor(host, label, text, isNew, done) {
  const input = h('input', {
    class: 'editor',
    inputmode: 'decimal',
    autocomplete: 'off',
    'aria-label': label,
  });
  input.value = text;
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
  input.addEventListener('blur', () => close(isNew || input.value !== text ? input.value : null));
  host.append(input);
  input.focus();
  if (!isNew) input.select();
  return input;
}
