/** Labelled form fields. Each shows a value, and reports a new one when a person has chosen it. */

import { h, setText } from './dom.js';
import { formatInput, parseNumber } from './format.js';

let fields = 0;
const newId = () => `field-${++fields}`;

export class SelectField {
  #select;
  #label;
  #offered = '';

  /** @param {string} label @param {(value: string) => void} onChange */
  constructor(label, onChange) {
    const id = newId();
    this.#label = h('label', { class: 'note', for: id }, label);
    this.#select = h('select', { id, onchange: () => onChange(this.#select.value) });
    this.element = h('div', { class: 'field stack' }, this.#label, this.#select);
  }

  /** @param {string} label */
  rename(label) {
    setText(this.#label, label);
  }

  /** @param {[value: string, text: string][]} options */
  offer(options) {
    const offered = JSON.stringify(options);
    if (offered === this.#offered) return;
    this.#offered = offered;
    this.#select.replaceChildren(...options.map(([value, text]) => h('option', { value }, text)));
  }

  /** @param {string} value */
  set(value) {
    this.#select.value = value;
  }

  get value() {
    return this.#select.value;
  }
}

/** The stops of a slider: 1, 2, 5 in each power of ten. */
const STOPS = Array.from({ length: 16 }, (_, i) =>
  Number(`${[1, 2, 5][i % 3]}e${Math.floor(i / 3) - 4}`),
);

export class NumberField {
  #input;
  /** @type {HTMLInputElement | null} */
  #slider = null;
  /** The engine's value; a person may be typing another. */
  #engineValue = '';
  /** True if a person has typed something and not yet entered it. */
  #isTyping = false;

  /**
   * @param {string} label
   * @param {(value: number, typed: string) => void} onChange the value is NaN if the text is no number
   * @param {string} [sliderLabel] adds a slider with this label
   */
  constructor(label, onChange, sliderLabel = '') {
    const id = newId();
    this.#input = h('input', {
      ...{ id, type: 'text', inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false' },
      oninput: () => {
        this.#isTyping = true;
      },
      onchange: () => {
        this.#isTyping = false;
        onChange(parseNumber(this.#input.value), this.#input.value);
      },
      // The old value typed again is no change.
      onblur: () => {
        if (this.#isTyping) this.#input.value = this.#engineValue;
        this.#isTyping = false;
      },
    });
    const name = h('label', { class: 'note', for: id }, label);
    this.element = h('div', { class: 'field stack' }, name, this.#input);
    if (!sliderLabel) return;
    const slider = h('input', {
      ...{ type: 'range', min: 0, max: STOPS.length - 1, step: 1, 'aria-label': sliderLabel },
      oninput: () => {
        const value = STOPS[Number(slider.value)];
        onChange(value, String(value));
      },
    });
    this.#slider = slider;
    this.element.classList.add('has-slider');
    this.element.append(slider);
  }

  /** Shows a value, except over what a person is typing. @param {number} value */
  set(value) {
    this.#engineValue = formatInput(value);
    if (!this.#isTyping) this.#input.value = this.#engineValue;
    if (!this.#slider) return;
    const near = STOPS.findIndex((stop) => stop >= value * 0.99);
    this.#slider.value = String(near < 0 ? STOPS.length - 1 : near);
    this.#slider.setAttribute('aria-valuetext', this.#engineValue);
  }
}
