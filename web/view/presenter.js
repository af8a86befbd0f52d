/** Presenter mode: large text, to read from the last row of a classroom. `?present=1` starts it. */

import { strings } from '../strings/index.js';
import { button, setText } from './dom.js';

export class Presenter {
  #button;
  #changed;

  /** @param {HTMLElement} host of the button @param {() => void} changed  draws again, larger or smaller */
  constructor(host, changed) {
    this.#changed = changed;
    this.#button = button('', () => this.#show(!this.#isOn), 'quiet present is-more');
    host.append(this.#button);
    this.#show(new URLSearchParams(location.search).get('present') === '1');
  }

  get #isOn() {
    return document.documentElement.classList.contains('is-presenting');
  }

  /** @param {boolean} isOn */
  #show(isOn) {
    const { on, off } = strings.presenter;
    document.documentElement.classList.toggle('is-presenting', isOn);
    setText(this.#button, isOn ? off : on);
    // In the simple view, too, there is a way back.
    this.#button.classList.toggle('is-more', !isOn);
    this.#changed();
  }
}
