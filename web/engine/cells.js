/**
 * The variables of a run as one flat array of cells, in the order of the scene's layout. A grid is
 * a variable, or shows elements of a network's weight: all grids together have each element once.
 */

/** @typedef {import('../scenes/layout.js').Part} Part */
/** @import { Gradlock, Variable } from '../scenes/scene.js' */

/** Returns the cell of each element of a variable; throws if one has no cell, or two. @param {Variable} variable @param {Part[]} parts its grids */
function cellsOfElements({ name, size }, parts) {
  const cells = new Int32Array(size).fill(-1);
  let count = 0;
  for (const { rows, cols, offset, view } of parts) {
    const { first = 0, strides } = view ?? { strides: [cols, 1] };
    for (let i = 0; i < rows * cols; i++) {
      cells[first + Math.floor(i / cols) * strides[0] + (i % cols) * strides[1]] = offset + i;
    }
    count += rows * cols;
  }
  if (count === size && !cells.includes(-1)) return cells;
  throw new RangeError(`Grids must have each of the ${size} elements of ${name} once.`);
}

/** Returns a person's locks of a variable, whatever other holders hold. @param {Variable} variable */
function ownMask(variable) {
  const own = variable.locks.own();
  const mask = own.toMask();
  own.dispose();
  return mask;
}

export class Cells {
  /** The first cell of each variable, and the cell of each element; null: they are in a row. @type {{ offset: number, cells: Int32Array | null }[]} */
  #places;
  /** @type {Variable[]} */
  variables;

  /**
   * @param {Gradlock} g
   * @param {Part[]} layout
   * @param {Float32Array} values
   * @param {readonly Variable[] | null} weights  of a network that the grids show; null: each grid is a variable
   */
  constructor(g, layout, values, weights = null) {
    this.variables = weights
      ? [...weights]
      : layout.map(({ name, rows, cols, offset }) =>
          g.variable(values.slice(offset, offset + rows * cols), { shape: [rows, cols], name }),
        );
    this.#places = this.variables.map((variable) => {
      const parts = layout.filter(({ of }) => of === variable.name);
      const cells = weights ? cellsOfElements(variable, parts) : null;
      return { offset: parts[0]?.offset ?? 0, cells };
    });
    if (weights) this.restore(values);
  }

  /** Copies the result of `of` for each variable to its cells. @param {Float32Array | Uint8Array} out @param {(variable: Variable, i: number) => ArrayLike<number>} of */
  gather(out, of) {
    this.variables.forEach((variable, i) => {
      const [row, { offset, cells }] = [of(variable, i), this.#places[i]];
      if (cells) for (let at = 0; at < cells.length; at++) out[cells[at]] = row[at];
      else out.set(row, offset);
    });
  }

  /** @param {Float32Array} out */
  read(out) {
    this.gather(out, (variable) => variable.view());
  }

  /** Returns a variable's part of a flat array, in the order of its elements. @template {Float32Array | Uint8Array} T @param {T} row @param {number} i @returns {T} */
  slice(row, i) {
    const [{ size }, { offset, cells }] = [this.variables[i], this.#places[i]];
    const own = /** @type {T} */ (row.slice(offset, offset + size));
    if (cells) for (let at = 0; at < size; at++) own[at] = row[cells[at]];
    return own;
  }

  /** Locks and unlocks only the difference: locks that stay, and drags, are not touched. @param {Uint8Array} mask */
  setLocks(mask) {
    this.variables.forEach((variable, i) => {
      const [wanted, now] = [this.slice(mask, i), ownMask(variable)];
      const [held, freed] = [wanted, now].map((row) => new Uint8Array(row.length));
      for (let at = 0; at < now.length; at++) {
        held[at] = wanted[at] & ~now[at];
        freed[at] = now[at] & ~wanted[at];
      }
      if (held.includes(1)) variable.lock(held);
      if (freed.includes(1)) variable.unlock(freed);
    });
  }

  /** Returns a person's locks, as the library has them. @param {number} count of all cells */
  locks(count) {
    const mask = new Uint8Array(count);
    this.gather(mask, (variable) => ownMask(variable));
    return mask;
  }

  /** Makes a holder besides that of a person's locks hold exactly these cells. @param {readonly number[]} cells @param {'drag' | 'bound'} name */
  hold(cells, name) {
    for (const variable of this.variables) variable.locks.holder(name).clear();
    for (const [variable, list] of this.byVariable(cells))
      variable.locks.holder(name).lock({ indices: list.map(({ at }) => at) });
  }

  /** Writes cells, whoever holds them; without force, throws LockedElementError on a locked one. @param {readonly number[]} cells @param {readonly number[]} values */
  write(cells, values, force = true) {
    for (const [variable, list] of this.byVariable(cells)) {
      const row = variable.data();
      for (const { at, k } of list) row[at] = values[k];
      variable.assign(row, { force });
    }
  }

  /** @param {Float32Array} values of all cells, locked ones too */
  restore(values) {
    this.variables.forEach((variable, i) => {
      variable.assign(this.slice(values, i), { force: true });
    });
  }

  /** Sets the smallest cells of each variable to 0 and locks them. @param {number} fraction */
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

  /** Returns the element of a cell. @param {number} index of a cell */
  at(index) {
    for (const [i, { offset, cells }] of this.#places.entries()) {
      const variable = this.variables[i];
      const at = cells ? cells.indexOf(index) : index - offset;
      if (at >= 0 && at < variable.size) return { variable, at };
    }
    throw new RangeError(`There is no cell ${index}.`);
  }

  /** Groups cells by their variables, as elements; `k` is a cell's index in `cells`. @param {readonly number[]} cells */
  byVariable(cells) {
    /** @type {Map<Variable, { at: number, k: number }[]>} */
    const elements = new Map();
    cells.forEach((cell, k) => {
      const { variable, at } = this.at(cell);
      const list = elements.get(variable) ?? [];
      elements.set(variable, list);
      list.push({ at, k });
    });
    return elements;
  }
}
