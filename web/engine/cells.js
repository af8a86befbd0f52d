/**
 * The variables of a run as one flat array of cells, in the order of the scene's layout. A grid is
 * a variable, or shows elements of a network's weight: all grids together have each element once.
 */

/** @typedef {import('../scenes/layout.js').Part} Part */
/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../scenes/scene.js').Variable} Variable */

/** A grid of a variable: its first cell, and the elements it shows; null: all, in their order. @typedef {{ offset: number, count: number, elements: Uint32Array | null }} Piece */

/** Returns the elements of the variable that a grid shows. @param {Part} part @returns {Piece} */
function pieceOf({ rows, cols, offset, view }) {
  const count = rows * cols;
  if (!view) return { offset, count, elements: null };
  const { first = 0, strides } = view;
  const elements = Uint32Array.from(
    { length: count },
    (_, i) => first + Math.floor(i / cols) * strides[0] + (i % cols) * strides[1],
  );
  return { offset, count, elements };
}

/** Throws if an element has no cell, or two. @param {Variable} variable @param {Piece[]} pieces */
function checkPieces({ name, size }, pieces) {
  const cells = new Uint8Array(size);
  for (const { count, elements } of pieces) {
    for (let i = 0; i < count; i++) cells[elements?.[i] ?? i]++;
  }
  const total = pieces.reduce((sum, { count }) => sum + count, 0);
  const at = total === size ? cells.findIndex((times) => times !== 1) : 0;
  if (at >= 0)
    throw new RangeError(`Grids must have each of the ${size} elements of ${name} once.`);
}

/** The holders besides the default one of a person's locks: of dragged cells, and of cells at a bound. @typedef {'drag' | 'bound'} Holder */

/** Returns a person's locks of a variable, whatever other holders hold. @param {Variable} variable */
function ownMask(variable) {
  const own = variable.locks.own();
  const mask = own.toMask();
  own.dispose();
  return mask;
}

export class Cells {
  /** @type {Piece[][]} by variable */
  #pieces;
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
    this.#pieces = this.variables.map(({ name }) =>
      layout.filter(({ of }) => of === name).map(pieceOf),
    );
    if (!weights) return;
    this.variables.forEach((variable, i) => {
      checkPieces(variable, this.#pieces[i]);
    });
    this.restore(values);
  }

  /** @returns {Record<string, Variable>} */
  byName() {
    return Object.fromEntries(this.variables.map((variable) => [variable.name, variable]));
  }

  /** Copies the result of `of` for each variable to its cells. @param {Float32Array | Uint8Array} out @param {(variable: Variable, i: number) => ArrayLike<number>} of */
  gather(out, of) {
    this.variables.forEach((variable, i) => {
      const row = of(variable, i);
      for (const { offset, count, elements } of this.#pieces[i]) {
        if (elements) for (let at = 0; at < count; at++) out[offset + at] = row[elements[at]];
        else out.set(row, offset);
      }
    });
  }

  /** @param {Float32Array} out */
  read(out) {
    this.gather(out, (variable) => variable.view());
  }

  /** Returns a variable's part of a flat array, in the order of its elements. @template {Float32Array | Uint8Array} T @param {T} row @param {number} i @returns {T} */
  slice(row, i) {
    const pieces = this.#pieces[i];
    const [{ offset, count, elements }] = pieces;
    if (!elements) return /** @type {T} */ (row.slice(offset, offset + count));
    const Row = /** @type {new (size: number) => T} */ (row.constructor);
    const own = new Row(this.variables[i].size);
    for (const { offset, count, elements } of pieces) {
      for (let at = 0; at < count; at++) own[elements?.[at] ?? at] = row[offset + at];
    }
    return own;
  }

  /** Locks and unlocks only the difference, so locks that stay, and drags, are not touched. @param {Uint8Array} mask */
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

  /** Returns a person's locks, as the library has them. @param {number} count of all cells */
  locks(count) {
    const mask = new Uint8Array(count);
    this.gather(mask, (variable) => ownMask(variable));
    return mask;
  }

  /** Makes a holder hold exactly these cells. @param {readonly number[]} cells @param {Holder} name */
  hold(cells, name) {
    const elements = this.byVariable(cells);
    for (const variable of this.variables) {
      const holder = variable.locks.holder(name).clear();
      const list = elements.get(variable.name);
      if (list) holder.lock({ indices: list.map(({ at }) => at) });
    }
  }

  /** Writes cells, whoever holds them. @param {readonly number[]} cells @param {readonly number[]} values */
  write(cells, values) {
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

  /** Throws LockedElementError on a locked cell. @param {number} index @param {number} value */
  assign(index, value) {
    const { variable, at } = this.at(index);
    const values = variable.data();
    values[at] = value;
    variable.assign(values);
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

  /** Returns the library's audit: the number of locked cells whose bits have changed. */
  audit() {
    return this.variables.reduce((sum, variable) => sum + variable.locks.audit().changed, 0);
  }

  watch() {
    for (const variable of this.variables) variable.locks.watch();
  }

  digest() {
    return this.variables.map((variable) => variable.digest()).join('.');
  }

  /** Returns the element of a cell. @param {number} index of a cell */
  at(index) {
    for (const [i, pieces] of this.#pieces.entries()) {
      for (const { offset, count, elements } of pieces) {
        const at = index - offset;
        if (at < 0 || at >= count) continue;
        return { variable: this.variables[i], at: elements?.[at] ?? at };
      }
    }
    throw new RangeError(`There is no cell ${index}.`);
  }

  /** Groups cells by their variables' names, as elements; `k` is a cell's index in `cells`. @param {readonly number[]} cells @returns {Map<string, { at: number, k: number }[]>} */
  byVariable(cells) {
    /** @type {Map<string, { at: number, k: number }[]>} */
    const elements = new Map();
    cells.forEach((cell, k) => {
      const { variable, at } = this.at(cell);
      const list = elements.get(variable.name) ?? [];
      elements.set(variable.name, list);
      list.push({ at, k });
    });
    return elements;
  }

  dispose() {
    for (const variable of this.variables) variable.dispose();
  }
}
