/**
 * Simple or full: what a first visit needs, or all there is. What is marked `is-more` is shown in full only. A choice is
 * remembered, as far as the browser lets; embedded pages begin simple.
 */

import { strings } from '../strings/index.js';
import { button, setAttribute, setText } from './dom.js';

const KEY = 'gradlock-view';

/** Storage is refused to sandboxed frames, and by some settings. @param {(storage: Storage) => string | null | void} use */
function remembered(use) {
  try {
    return use(localStorage) ?? null;
  } catch {
    return null;
  }
}

export class Detail {
  #button;
  #isFull = false;

  /** @param {HTMLElement} host of the button */
  constructor(host) {
    this.#button = button('', () => this.#toggle());
    host.append(this.#button);
    const root = document.documentElement;
    const asked = new URLSearchParams(location.search).get('view');
    const isEmbedded = root.classList.contains('is-embedded');
    const kept = isEmbedded ? null : remembered((storage) => storage.getItem(KEY));
    this.show((asked ?? kept) === 'full');
  }

  #toggle() {
    this.show(!this.#isFull);
    const view = this.#isFull ? 'full' : 'simple';
    if (!document.documentElement.classList.contains('is-embedded')) {
      remembered((storage) => storage.setItem(KEY, view));
    }
  }

  /** @param {boolean} isFull */
  show(isFull) {
    this.#isFull = isFull;
    document.documentElement.dataset.view = isFull ? 'full' : 'simple';
    setText(this.#button, isFull ? strings.detail.fewer : strings.detail.more);
    setAttribute(this.#button, 'aria-expanded', String(isFull));
  }

  /** Something is spoken of: it must be seen. @param {Element} element */
  reveal(element) {
    if (element.closest('.is-more')) this.show(true);
  }
}
