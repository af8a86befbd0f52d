/** A slider that shows earlier steps; the run continues from there only on request. */

import { strings } from '../strings/index.js';
import { h, setAttribute } from './dom.js';
import { formatCount } from './format.js';

/** A step, or the kept step before or after the shown one. @typedef {number | 'before' | 'after'} Where */

/** Where keys lead. @type {Record<string, Where>} */
const KEYS = {
  ...{ ArrowLeft: 'before', ArrowDown: 'before', ArrowRight: 'after', ArrowUp: 'after' },
  ...{ Home: 0, End: Infinity },
};

export class Scrubber {
  #input;
  #isHeld = false;
  #host;

  /** @param {HTMLElement} host @param {{ peek: (where: Where) => void }} intents */
  constructor(host, { peek }) {
    this.#host = host;
    const showStep = () => peek(Number(this.#input.value));
    this.#input = h('input', {
      ...{ type: 'range', min: 0, max: 0, step: 1, 'aria-label': strings.run.rewind },
      oninput: showStep,
      onpointerdown: () => {
        this.#isHeld = true;
      },
      onpointerup: () => {
        this.#isHeld = false;
        showStep();
      },
      onpointercancel: () => {
        this.#isHeld = false;
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (!(event.key in KEYS)) return;
        event.preventDefault();
        peek(KEYS[event.key]);
      },
    });
    const name = h('span', { class: 'note', 'aria-hidden': 'true' }, strings.run.stepCount);
    host.append(name, this.#input);
  }

  /** @param {number} step the run's @param {number} shown the shown step */
  draw(step, shown) {
    // Before the first step it is hidden, but keeps its space.
    this.#host.style.visibility = step > 0 ? '' : 'hidden';
    if (!this.#isHeld) {
      setAttribute(this.#input, 'max', String(Math.max(1, step)));
      if (this.#input.value !== String(shown)) this.#input.value = String(shown);
    }
    setAttribute(this.#input, 'aria-valuetext', strings.run.rewound(formatCount(shown)));
  }
}
