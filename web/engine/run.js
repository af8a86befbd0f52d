/**
 * One scene being trained: its cells, its recorded loss, its optimizer and its step count. The loss is recorded once,
 * when the scene opens; locks, rates and rules change under it.
 *
 * A run holds its locked cells truly, or, to show what people do today, by a mask on the gradient. It knows no clock,
 * no messages (loop.js, worker.js) and no history (session.js).
 */

import { cellsOf } from '../scenes/layout.js';
import { Cells } from './cells.js';
import { mapOf } from './maps.js';
import { networkOf } from './networks.js';
import { adjustOptimizer, makeOptimizer } from './optimizers.js';
import { Witness } from './witness.js';

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../scenes/scene.js').Scene} Scene */
/** @typedef {import('../scenes/scene.js').Tensor} Tensor */
/** @typedef {import('./problem.js').Problem} Problem */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('./protocol.js').CellReport} CellReport */

/**
 * A run's exact state, as plain data: what it takes to go on from here to the same bits.
 * @typedef {object} Saved
 * @property {number} step
 * @property {OptimizerSettings} settings
 * @property {Uint8Array} mask
 * @property {Uint8Array} bytes  values, locks, slots and clocks, as the library saves them
 * @property {import('./witness.js').Held | null} held  where cells can drift, the bits they were locked with
 */

export class Run {
  #g;
  #problem;
  #network;
  #cells;
  #isMasked;
  /** @type {Tensor[]} what multiplies gradients: 1 = trains */
  #masks = [];
  /** @type {Tensor[]} */
  #targets;
  #program;
  #readings;
  /** @type {string[]} */
  #readingNames = [];
  #optimizer;
  #witness;
  /** What is being dragged. @type {readonly number[]} */
  #dragged = [];
  step = 0;
  settings;

  /**
   * @param {Gradlock} g
   * @param {Problem} problem
   * @param {OptimizerSettings} settings
   * @param {boolean} isMasked whether locks are but a mask on the gradient
   * @param {Scene['readings']} [readings]  what is read of it; default: what the scene's figures show
   */
  constructor(g, problem, settings, isMasked, readings = problem.scene.readings) {
    const { scene, setup, layout, start, target } = problem;
    this.#g = g;
    this.#problem = problem;
    this.#isMasked = isMasked;
    this.settings = settings;
    this.#network = networkOf(g, scene);
    this.#cells = new Cells(g, layout, start, this.#network?.trainableWeights);
    this.#targets = target
      ? layout.map(({ rows, cols, offset }) =>
          g.tensor(target.slice(offset, offset + rows * cols), [rows, cols]),
        )
      : [];
    const variables = this.#cells.byName();
    const targets = Object.fromEntries(this.#targets.map((one, i) => [layout[i].name, one]));
    const data = { ...scene.data?.(setup), targets };
    this.#program = g.compile(() => scene.loss(g, variables, data, this.#model));
    this.#readings = readings ? this.#compileReadings(readings) : null;
    this.#optimizer = makeOptimizer(g, settings);
    this.#witness = new Witness(this.cells);
    this.#cells.watch();
    /** What the person has locked. @type {Uint8Array} */
    this.mask = new Uint8Array(this.cells);
  }

  /** @param {NonNullable<Scene['readings']>} read */
  #compileReadings(read) {
    const { setup, inputs } = this.#problem;
    return this.#g.compile(() => {
      const variables = { ...this.#cells.byName(), ...inputs };
      const readings = read(this.#g, variables, setup, this.#model);
      this.#readingNames = Object.keys(readings);
      return Object.values(readings);
    });
  }

  /** What the loss and the readings have in common. */
  get #model() {
    return this.#network ?? this.#problem.scene.model;
  }

  get cells() {
    return cellsOf(this.#problem.layout);
  }

  /**
   * From the start: nothing remembered, and the locks take hold once the scene's warm steps are taken.
   * @param {Uint8Array} mask
   * @param {Uint8Array | null} zeros  cells that begin at 0, whatever the scene begins with
   */
  begin(mask, zeros = null) {
    const next = makeOptimizer(this.#g, this.settings);
    this.setLocks(new Uint8Array(this.cells));
    const { start } = this.#problem;
    this.#cells.restore(zeros ? start.map((value, i) => (zeros[i] ? 0 : value)) : start);
    this.#optimizer.dispose();
    this.#optimizer = next;
    this.step = 0;
    this.advance(this.#problem.scene.warm ?? 0);
    this.setLocks(mask);
  }

  /** @param {number} steps @returns {number} the loss before the last of them */
  advance(steps) {
    if (!steps) return Number.NaN;
    const { variables } = this.#cells;
    this.step += steps;
    if (!this.#isMasked) return this.#optimizer.minimize(this.#program, { variables, steps });
    let loss = Number.NaN;
    for (let i = 0; i < steps; i++) loss = this.#advanceMasked();
    return loss;
  }

  /** What people do today: the gradient, times 0 where a cell is to be held. */
  #advanceMasked() {
    const g = this.#g;
    const { variables } = this.#cells;
    return g.tidy(() => {
      const { value, grads } = g.valueAndGrad(this.#program, variables);
      const pairs = grads.map((grad, i) => {
        const held = this.#masks[i] ? g.mul(grad, this.#masks[i]) : grad;
        return /** @type {[Tensor, typeof variables[0]]} */ ([held, variables[i]]);
      });
      this.#optimizer.applyGradients(pairs);
      return value;
    });
  }

  /** The loss at the present values. */
  loss() {
    return this.#program.value();
  }

  /** Another rule starts with an empty memory; the values, the locks and the step count go on. @param {OptimizerSettings} settings */
  setOptimizer(settings) {
    if (settings.rule === this.settings.rule) {
      adjustOptimizer(this.#optimizer, settings);
    } else {
      const next = makeOptimizer(this.#g, settings);
      this.#optimizer.dispose();
      this.#optimizer = next;
    }
    this.settings = settings;
  }

  /** @param {Uint8Array} mask of all cells */
  setLocks(mask) {
    if (this.#isMasked) this.#makeMasks(mask);
    else this.#cells.setLocks(mask);
    this.mask = mask;
    this.#witness.hold(this.values(), mask);
  }

  /** @param {Uint8Array} mask */
  #makeMasks(mask) {
    for (const tensor of this.#masks) tensor.dispose();
    const held = mask.slice();
    for (const cell of this.#dragged) held[cell] = 1;
    this.#masks = this.#cells.variables.map(({ shape }, i) =>
      this.#g.tensor(
        Float32Array.from(this.#cells.slice(held, i), (bit) => 1 - bit),
        shape,
      ),
    );
  }

  /** Throws LockedElementError on a locked cell. @param {number} index @param {number} value */
  assign(index, value) {
    this.#cells.assign(index, value);
  }

  /** These cells, and no others, are in somebody's hand: held, whatever the locks are. @param {readonly number[]} cells */
  hold(cells) {
    this.#dragged = cells;
    if (this.#isMasked) this.#makeMasks(this.mask);
    else this.#cells.hold(cells);
  }

  /** Where the hand puts what it holds; a locked cell stays there. @param {readonly number[]} values */
  place(values) {
    this.#cells.place(this.#dragged, values);
    this.#witness.accept(this.#dragged, this.values());
  }

  /** The smallest weights become 0 and are locked there. @param {number} fraction @returns {Uint8Array} the locks */
  prune(fraction) {
    this.#cells.prune(fraction);
    this.mask = this.#cells.locks(this.cells);
    this.#witness.hold(this.values(), this.mask);
    return this.mask;
  }

  /** Cells that pruning took are free again, with the values that they had. @param {Uint8Array} cells 1 = given back @param {Float32Array} values of all cells */
  giveBack(cells, values) {
    this.setLocks(this.mask.map((bit, i) => bit & (1 - cells[i])));
    this.#cells.restore(this.values().map((value, i) => (cells[i] ? values[i] : value)));
  }

  /** What another run's pruning has locked becomes 0 here too. @param {Uint8Array} mask */
  holdAtZero(mask) {
    this.#cells.restore(this.values().map((value, i) => (mask[i] && !this.mask[i] ? 0 : value)));
    this.setLocks(mask);
  }

  /** @returns {Saved} */
  save() {
    const { variables } = this.#cells;
    return {
      step: this.step,
      settings: this.settings,
      mask: this.mask,
      bytes: this.#optimizer.toBytes({ variables }),
      held: this.#isMasked ? this.#witness.save() : null,
    };
  }

  /** Become what was saved of a run of the same scene, or, with the library's error, stay as it is. @param {Saved} saved */
  restore({ step, settings, mask, bytes, held }) {
    if (mask.length !== this.cells) throw new RangeError('It is of another size.');
    const { variables } = this.#cells;
    const next = makeOptimizer(this.#g, settings);
    try {
      next.setState(bytes, { variables, force: true });
    } catch (error) {
      next.dispose();
      throw error;
    }
    this.#optimizer.dispose();
    this.#optimizer = next;
    this.settings = settings;
    this.step = step;
    this.mask = mask;
    if (this.#isMasked) this.#makeMasks(mask);
    this.#cells.watch();
    this.#witness = new Witness(this.cells, held);
    this.#witness.hold(this.values(), mask);
  }

  /** A copy. */
  values() {
    const values = new Float32Array(this.cells);
    this.#cells.read(values);
    return values;
  }

  /** @param {Float32Array} out receives the values */
  read(out) {
    this.#cells.read(out);
  }

  /** The library's own account of what the person has locked. */
  locks() {
    return this.#isMasked ? this.mask : this.#cells.locks(this.cells);
  }

  /** One of the maps beside the cells. @param {import('../state/state.js').Beside} name @param {Float32Array} out */
  map(name, out) {
    const { start, target } = this.#problem;
    mapOf(name, out, {
      g: this.#g,
      program: this.#program,
      cells: this.#cells,
      optimizer: this.#optimizer,
      slots: this.#slots(),
      start,
      target,
    });
  }

  /** @returns {Record<string, Float32Array> | null} */
  readings() {
    if (!this.#readings) return null;
    const tensors = this.#readings.run();
    const entries = tensors.map((tensor, i) => [this.#readingNames[i], tensor.data()]);
    for (const tensor of tensors) tensor.dispose();
    return Object.fromEntries(entries);
  }

  /** @param {number} index @returns {Omit<CellReport, 'path'>} */
  report(index) {
    const { i, variable, at } = this.#cells.at(index);
    const { grads } = this.#g.valueAndGrad(this.#program, this.#cells.variables);
    const report = {
      index,
      value: variable.view()[at],
      gradient: grads[i].view()[at],
      slots: this.#slots().map((name) => ({
        name,
        value: this.#optimizer.slot(variable, name)[at],
      })),
      clock: this.#optimizer.clock(variable)[at],
    };
    for (const tensor of grads) tensor.dispose();
    return report;
  }

  /** Those that the rule uses: plain SGD has a velocity too, and Adam the largest v so far, but neither looks at it. */
  #slots() {
    const { rule } = this.settings;
    return this.#optimizer.slots.slice(0, rule === 'sgd' ? 0 : rule.startsWith('adam') ? 2 : 1);
  }

  /** What has become of the locked cells: by our own witness, and by the library's audit. @param {Float32Array} values the present ones */
  drift(values) {
    const { moved, farthest } = this.#witness.look(values);
    return { moved, farthest, audited: this.#isMasked ? moved : this.#cells.audit() };
  }

  /** What of a flat row is each variable's. @template {Float32Array | Uint8Array} T @param {T} row */
  byVariable(row) {
    return this.#cells.variables.map(({ name, shape }, i) => ({
      ...{ name, shape },
      own: this.#cells.slice(row, i),
    }));
  }

  /** @param {number} index of a cell @returns {{ name: string, at: number }} the element that it is */
  elementAt(index) {
    const { variable, at } = this.#cells.at(index);
    return { name: variable.name, at };
  }

  /** Cells as elements of their variables. @param {readonly number[]} cells */
  places(cells) {
    return this.#cells.places(cells);
  }

  digest() {
    return this.#cells.digest();
  }

  dispose() {
    const held = [this.#optimizer, this.#readings, this.#program, ...this.#targets, ...this.#masks];
    for (const one of held) one?.dispose();
    if (this.#network) this.#network.dispose();
    else this.#cells.dispose();
  }
}
