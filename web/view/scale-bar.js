/** A scale of colours with its end values: diverging from −reach to reach, sequential from 0. */

import { LEVELS } from 'gradlock/grid';
import { h, setText } from './dom.js';
import { formatInput } from './format.js';

/** @typedef {import('gradlock/grid').Palette} Palette */

export class ScaleBar {
  #bar = h('div', { class: 'legend-bar' });
  #ends = [h('span'), h('span'), h('span')];
  #texts = h('div', { class: 'legend-ends row' }, ...this.#ends);
  element = h('div', { class: 'legend-scale note' }, this.#bar, this.#texts);
  /** @type {Palette | null} */
  #palette = null;

  /** @param {{ palette: Palette, reach: number, scale?: 'diverging' | 'sequential' }} look */
  draw({ palette, reach, scale }) {
    const isSequential = scale === 'sequential';
    const [low, middle, high] = this.#ends;
    const end = formatInput(Number(reach.toPrecision(3)));
    setText(low, isSequential ? '0' : `−${end}`);
    setText(middle, isSequential ? formatInput(Number(end) / 2) : '0');
    setText(high, isSequential ? end : `+${end}`);
    if (palette === this.#palette) return;
    this.#palette = palette;
    const stops = palette.css.filter((_, i) => i < LEVELS && i % 16 === 0);
    this.#bar.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
  }
}
