/** Marks of a grid's cells that are held at a bound: a bar at the top for max, below for min. */

import { strings } from '../strings/index.js';
import { h, setStyle } from './dom.js';

export class BoundMarks {
  element = h('div', { class: 'bound-marks' });

  /**
   * @param {Int8Array | null} sides of the grid's cells: −1 at the min, 1 at the max, else 0
   * @param {(index: number) => { left: number, top: number, width: number, height: number }} boxOf  of a cell, relative to the grid's host
   */
  draw(sides, boxOf) {
    const held = [...(sides ?? [])].flatMap((side, index) => (side ? [{ side, index }] : []));
    if (held.length === 0 && this.element.childElementCount === 0) return;
    const marks = held.map(({ side, index }) => {
      const end = side > 0 ? 'max' : 'min';
      const look = { class: `bound-mark is-${end}`, title: strings.fit.heldAt[end] };
      const mark = h('span', look, end);
      setStyle(mark, boxOf(index));
      return mark;
    });
    this.element.replaceChildren(...marks);
  }
}
