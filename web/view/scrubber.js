/** Slides back over the steps of a run: while it is held, an earlier step is shown; let go, and the run is there again. */

import { strings } from '../strings.js';
import { h, setAttribute } from './dom.js';
import { formatCount } from './format.js';

export class Scrubber {
  #input;
  #isHeld = false;

  /** @param {HTMLElement} host @param {{ peek: (step: number) => void, rewind: (step: number) => void }} intents */
  constructor(host, { peek, rewind }) {
    this.#input = h('input', {
      type: 'range',
      min: 0,
      max: 0,
      step: 1,
      'aria-label': strings.run.rewind,
      oninput: () => {
        this.#isHeld = true;
        peek(Number(this.#input.value));
      },
      onchange: () => {
        this.#isHeld = false;
        rewind(Number(this.#input.value));
      },
    });
    host.append(this.#input);
  }

  /** @param {number} step the run is at @param {number} shown the step that is shown */
  draw(step, shown) {
    if (!this.#isHeld) {
      setAttribute(this.#input, 'max', String(Math.max(1, step)));
      if (this.#input.value !== String(step)) this.#input.value = String(step);
    }
    setAttribute(this.#input, 'aria-valuetext', strings.run.rewound(formatCount(shown)));
  }
}
