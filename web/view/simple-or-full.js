/**
 * The choice between a simple page, for a first visit, and the full one, which shows elements with
 * `is-more` too. The browser stores the choice; embedded pages start simple. And presenter mode, with
 * large text, to read from the last row of a classroom; `?present=1` starts it.
 */

import { strings } from '../strings/index.js';
import { button, setAttribute, setText } from './dom.js';
import { recall, remember } from './remembered.js';

const KEY = 'gradlock-view';
const root = document.documentElement;

export class SimpleOrFull {
  #button = button('', () => this.choose(!this.#isFull));
  #presenter = button('', () => this.#present(!root.classList.contains('is-presenting')), 'quiet');
  #isFull = false;
  /** What was shown before presenter mode, and is shown after it. */
  #before;
  #zoomed;

  /** @param {HTMLElement} host of the buttons @param {() => void} zoomed  called when presenter mode begins or ends */
  constructor(host, zoomed) {
    this.#zoomed = zoomed;
    host.append(this.#button, this.#presenter);
    const query = new URLSearchParams(location.search);
    const isEmbedded = root.classList.contains('is-embedded');
    const kept = isEmbedded ? null : recall(KEY);
    this.#before = this.#isFull = (query.get('view') ?? kept) === 'full';
    this.#present(query.get('present') === '1');
    if (query.get('view') === 'full') this.show(true);
  }

  /** @param {boolean} isOn */
  #present(isOn) {
    const { on, off } = strings.presenter;
    root.classList.toggle('is-presenting', isOn);
    const wasFull = this.#isFull;
    // On a projector the picture needs the room.
    this.show(!isOn && this.#before);
    this.#before = wasFull;
    setText(this.#presenter, isOn ? off : on);
    // In the simple view, too, there is a way back.
    this.#presenter.classList.toggle('is-more', !isOn);
    this.#zoomed();
  }

  /** A person's choice, which is stored. @param {boolean} isFull */
  choose(isFull) {
    this.#before = isFull;
    this.show(isFull);
    if (!root.classList.contains('is-embedded')) remember(KEY, isFull ? 'full' : 'simple');
  }

  /** @param {boolean} isFull */
  show(isFull) {
    this.#isFull = isFull;
    root.dataset.view = isFull ? 'full' : 'simple';
    setText(this.#button, isFull ? strings.simpleOrFull.fewer : strings.simpleOrFull.more);
    setAttribute(this.#button, 'aria-expanded', String(isFull));
  }

  /** Makes sure an element is visible, as the lesson talks about it. @param {Element} element */
  reveal(element) {
    const isFolded = element.id === 'grid' && !element.querySelector('.grid-unit:not(.is-more)');
    if (isFolded || element.closest('.is-more')) this.show(true);
  }
}
