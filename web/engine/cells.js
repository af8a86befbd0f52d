/** The variables of a run as one flat row of cells, in the order of the scene's layout. */

import { placesOf } from '../scenes/layout.js';

/** @typedef {import('../scenes/layout.js').Part} Part */
/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../scenes/scene.js').Variable} Variable */

/** Whose holder holds what is being dragged, beside the default one, which has what the person has locked. */
const DRAG = 'drag';

/** What the person has locked of a variable, whatever else is held. @param {Variable} variable */
function ownMask(variable) {
  const own = variable.locks.own();
  const mask = own.toMask();
  own.dispose();
  return mask;
}

export class Cells {
  #parts;
  /** @type {Variable[]} */
  variables;

  /** @param {Gradlock} g @param {Part[]} layout @param {Float32Array} values */
  constructor(g, layout, values) {
    this.#parts = layout;
    this.variables = layout.map(({ name, rows, cols, offset }) =>
      g.variable(values.slice(offset, offset + rows * cols), { shape: [rows, cols], name }),
    );
  }

  /** @returns {Record<string, Variable>} */
  byName() {
    return Object.fromEntries(this.variables.map((variable) => [variable.name, variable]));
  }

  /** Copy what `of` gives for each variable to where its cells are. @param {Float32Array} out @param {(variable: Variable, i: number) => ArrayLike<number>} of */
  gather(out, of) {
    this.variables.forEach((variable, i) => {
      out.set(of(variable, i), this.#parts[i].offset);
    });
  }

  /** @param {Float32Array} out */
  read(out) {
    this.gather(out, (variable) => variable.view());
  }

  /** The part of a flat row that is a variable's. @template {Float32Array | Uint8Array} T @param {T} row @param {number} i @returns {T} */
  slice(row, i) {
    const { offset, rows, cols } = this.#parts[i];
    return /** @type {T} */ (row.slice(offset, offset + rows * cols));
  }

  /** Only the difference is locked and unlocked, so what stays locked is not touched, nor what is dragged. @param {Uint8Array} mask */
  setLocks(mask) {
    this.variables.forEach((variable, i) => {
      const wanted = this.slice(mask, i);
      const now = ownMask(variable);
      const held = new Uint8Array(now.length);
      const freed = new Uint8Array(now.length);
      let [holds, frees] = [0, 0];
      for (let at = 0; at < now.length; at++) {
        if (wanted[at] === now[at]) continue;
        if (wanted[at]) holds += held[at] = 1;
        else frees += freed[at] = 1;
      }
      if (holds) variable.lock(held);
      if (frees) variable.unlock(freed);
    });
  }

  /** What the person has locked, by the library's account. @param {number} count of all cells */
  locks(count) {
    const mask = new Uint8Array(count);
    this.variables.forEach((variable, i) => {
      mask.set(ownMask(variable), this.#parts[i].offset);
    });
    return mask;
  }

  /** The drag's holder holds these cells and no others. @param {readonly number[]} cells */
  hold(cells) {
    const places = placesOf(this.#parts, cells);
    for (const { name, locks } of this.variables) {
      const holder = locks.holder(DRAG).clear();
      const list = places.get(name);
      if (list) holder.lock(list);
    }
  }

  /** Put cells somewhere, whoever holds them. @param {readonly number[]} cells @param {readonly number[]} values */
  place(cells, values) {
    /** @type {Map<Variable, Float32Array>} */
    const written = new Map();
    cells.forEach((cell, k) => {
      const { variable, at } = this.at(cell);
      const row = written.get(variable) ?? variable.data();
      row[at] = values[k];
      written.set(variable, row);
    });
    for (const [variable, row] of written) variable.assign(row, { force: true });
  }

  /** Throws LockedElementError on a locked cell. @param {number} index @param {number} value @param {boolean} [force] */
  assign(index, value, force = false) {
    const { variable, at } = this.at(index);
    const values = variable.data();
    values[at] = value;
    variable.assign(values, { force });
  }

  /** @param {Float32Array} values of all cells, locked ones too */
  restore(values) {
    this.variables.forEach((variable, i) => {
      variable.assign(this.slice(values, i), { force: true });
    });
  }

  /** The smallest of each variable become 0, and are locked there. @param {number} fraction */
  prune(fraction) {
    for (const variable of this.variables) {
      const before = ownMask(variable);
      variable.lock({ topK: { fraction, by: 'magnitude', largest: false } });
      const values = variable.data();
      ownMask(variable).forEach((bit, at) => {
        if (bit && !before[at]) values[at] = 0;
      });
      variable.assign(values, { force: true });
    }
  }

  /** The library's own proof: how many locked cells hold other bits than they were locked with. */
  audit() {
    return this.variables.reduce((sum, variable) => sum + variable.locks.audit().changed, 0);
  }

  watch() {
    for (const variable of this.variables) variable.locks.watch();
  }

  digest() {
    return this.variables.map((variable) => variable.digest()).join('.');
  }

  /** @param {number} index of a cell */
  at(index) {
    const i = this.#parts.findLastIndex(({ offset }) => offset <= index);
    return { i, variable: this.variables[i], at: index - this.#parts[i].offset };
  }

  dispose() {
    for (const variable of this.variables) variable.dispose();
  }
}
