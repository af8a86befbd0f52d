/** The progress of a long replay: how far it is, and a button to cancel. */

import { strings } from '../strings/index.js';
import { button, h, setAttribute, setText } from './dom.js';
import { formatCount } from './format.js';

export class Progress {
  #host;
  #bar = h('progress', { max: 1, value: 0, 'aria-labelledby': 'progress-text' });
  #text = h('p', { id: 'progress-text', class: 'progress-text' });
  #refocus;
  /** The element that had the focus before the replay. @type {Element | null} */
  #before = null;

  /** @param {HTMLElement} host @param {{ cancel: () => void, refocus: () => void }} intents `refocus`: the element that had the focus was removed */
  constructor(host, { cancel, refocus }) {
    this.#host = host;
    this.#refocus = refocus;
    const stop = button(strings.cancel, cancel);
    host.append(h('div', { class: 'progress' }, this.#text, this.#bar, stop));
  }

  /** @param {{ from: number, to: number } | null} replay null: none runs @param {number} step reached */
  draw(replay, step) {
    if (this.#host.hidden !== !replay) this.#toggle(replay !== null);
    if (!replay) return;
    const { from, to } = replay;
    const share = (step - from) / Math.max(1, to - from);
    setAttribute(this.#bar, 'value', share.toFixed(3));
    setText(this.#text, strings.replay(formatCount(step), formatCount(to)));
  }

  /** @param {boolean} isOn */
  #toggle(isOn) {
    if (isOn) this.#before = document.activeElement;
    const hadFocus = this.#host.contains(document.activeElement);
    this.#host.hidden = !isOn;
    // The heading and landmarks stay, and still say what the page is.
    for (const part of document.querySelectorAll('header > :not(h1), nav, main > *')) {
      part.toggleAttribute('inert', isOn);
    }
    if (isOn) this.#host.querySelector('button')?.focus({ preventScroll: true });
    if (isOn || !hadFocus) return;
    const before = /** @type {HTMLElement | null} */ (this.#before);
    if (before?.isConnected) before.focus({ preventScroll: true });
    else this.#refocus();
  }
}
