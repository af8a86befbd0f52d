/**
 * The choice between a simple page, for a first visit, and the full one, which shows elements with
 * `is-more` too. The browser stores the choice; embedded pages start simple.
 */

import { strings } from '../strings/index.js';
import { button, setAttribute, setText } from './dom.js';
import { recall, remember } from './remembered.js';
import { Presenter } from './presenter.js';

const KEY = 'gradlock-view';

export class SimpleOrFull {
  #button;
  #isFull = false;

  /** @param {HTMLElement} host of the button @param {() => void} zoomed  called when presenter mode begins or ends */
  constructor(host, zoomed) {
    this.#button = button('', () => this.choose(!this.#isFull));
    host.append(this.#button);
    new Presenter(host, zoomed);
    const root = document.documentElement;
    const asked = new URLSearchParams(location.search).get('view');
    const isEmbedded = root.classList.contains('is-embedded');
    const kept = isEmbedded ? null : recall(KEY);
    this.show((asked ?? kept) === 'full');
  }

  /** A person's choice, which is stored. @param {boolean} isFull */
  choose(isFull) {
    this.show(isFull);
    const view = this.#isFull ? 'full' : 'simple';
    if (!document.documentElement.classList.contains('is-embedded')) remember(KEY, view);
  }

  /** @param {boolean} isFull */
  show(isFull) {
    this.#isFull = isFull;
    document.documentElement.dataset.view = isFull ? 'full' : 'simple';
    setText(this.#button, isFull ? strings.simpleOrFull.fewer : strings.simpleOrFull.more);
    setAttribute(this.#button, 'aria-expanded', String(isFull));
  }

  /** Makes sure an element is visible, as the lesson talks about it. @param {Element} element */
  reveal(element) {
    if (element.closest('.is-more')) this.show(true);
  }
}
