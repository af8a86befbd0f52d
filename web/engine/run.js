/**
 * Trains one scene: its cells, its recorded loss, its optimizer and its step count. The loss is
 * recorded once, when the scene opens; locks, rates and rules may change later. A run holds its
 * locked cells with locks or, to show the usual way, with a mask on the gradient, and can
 * switch. It knows no time and no messages (loop.js, worker.js), and no history (session.js).
 */

import { cellsOf } from '../scenes/layout.js';
import { Bounds } from './bounds.js';
import { Cells } from './cells.js';
import { isBlended, networkOf } from './problem.js';
import { adjustOptimizer, makeOptimizer } from './optimizers.js';
import { DriftCheck } from './drift-check.js';

/** @import { Gradlock, Tensor } from '../scenes/scene.js' */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */

/** A run's exact state, as plain data, to continue from with the same bits. Older files have no `since`. @typedef {ReturnType<Run['save']>} Saved */

export class Run {
  #g;
  #problem;
  #network;
  /** The variables, as cells. */
  elements;
  #startsMasked;
  /** True if locks are only a mask on the gradient. */
  isMasked;
  /** @type {Tensor[]} factors of the gradients: 1 = trains */
  #masks = [];
  /** @type {Tensor[]} */
  #targets;
  /** The number of the loss that is a function of the step; null if there is none. @type {import('../scenes/scene.js').Variable | null} */
  #blend;
  #program;
  #readings;
  /** @type {string[]} */
  #readingNames = [];
  #optimizer;
  #driftCheck;
  /** After a switch: compares with the bits that cells were first held with. @type {DriftCheck | null} */
  #since = null;
  /** The dragged cells. @type {readonly number[]} */
  dragged = [];
  bounds = new Bounds();
  /** The cells held at a bound. @type {readonly number[]} */
  #atBound = [];
  step = 0;
  settings;

  /**
   * @param {Gradlock} g
   * @param {import('./problem.js').Problem} problem
   * @param {OptimizerSettings} settings
   * @param {boolean} isMasked true if it begins with a mask on the gradient instead of locks
   */
  constructor(g, problem, settings, isMasked) {
    const { scene, setup, inputs, layout, start, target } = problem;
    this.#g = g;
    this.#problem = problem;
    this.#startsMasked = isMasked;
    this.isMasked = isMasked;
    this.settings = settings;
    this.#network = networkOf(g, scene);
    this.elements = new Cells(g, layout, start, this.#network?.trainableWeights);
    this.#targets = target
      ? layout.map(({ rows, cols, offset }) =>
          g.tensor(target.slice(offset, offset + rows * cols), [rows, cols]),
        )
      : [];
    const entries = this.elements.variables.map((variable) => [variable.name, variable]);
    const variables = Object.fromEntries(entries);
    const targets = Object.fromEntries(this.#targets.map((one, i) => [layout[i].name, one]));
    this.#blend = isBlended(problem) ? g.variable(0, { name: 'blend' }) : null;
    const data = { ...problem.data, targets, ...(this.#blend && { blend: this.#blend }) };
    // The part that the loss and the readings share.
    const model = this.#network ?? scene.model;
    this.#program = g.compile(() => scene.loss(g, variables, data, model));
    const { readings } = scene;
    const compileReadings = () => {
      const read = readings?.(g, { ...variables, ...inputs }, setup, model) ?? {};
      this.#readingNames = Object.keys(read);
      return Object.values(read);
    };
    this.#readings = readings ? g.compile(compileReadings) : null;
    this.#optimizer = makeOptimizer(g, settings);
    this.#driftCheck = new DriftCheck(this.cells);
    for (const { locks } of this.elements.variables) locks.watch();
    this.#setBlend();
    /** A person's locks. @type {Uint8Array} */
    this.mask = new Uint8Array(this.cells);
  }

  get cells() {
    return cellsOf(this.#problem.layout);
  }

  /**
   * Restarts, with an empty optimizer; the locks hold after the scene's warm steps.
   * @param {Uint8Array} mask
   * @param {Uint8Array | null} zeros  cells that start at 0, whatever the scene's start is
   */
  begin(mask, zeros = null) {
    const next = makeOptimizer(this.#g, this.settings);
    this.bounds = new Bounds();
    this.#holdAtBound([]);
    this.setLocks(new Uint8Array(this.cells));
    this.isMasked = this.#startsMasked;
    this.#since = null;
    const { start } = this.#problem;
    this.elements.restore(zeros ? start.map((value, i) => (zeros[i] ? 0 : value)) : start);
    this.#optimizer.dispose();
    this.#optimizer = next;
    this.step = 0;
    this.#setBlend();
    this.advance(this.#problem.scene.warm ?? 0);
    this.setLocks(mask);
  }

  #setBlend() {
    this.#blend?.assign(this.#problem.scene.blend?.(this.step) ?? 0);
  }

  /** @param {number} steps @returns {number} the loss before the last step */
  advance(steps) {
    const { variables } = this.elements;
    const isBounded = this.bounds.hasAny;
    // The library takes many steps at once if nothing happens between them.
    const isOneByOne = this.#blend !== null || isBounded || this.isMasked;
    let loss = Number.NaN;
    for (let left = steps; left > 0; ) {
      const count = isOneByOne ? 1 : left;
      if (isBounded) this.sides();
      loss = this.isMasked
        ? this.#advanceMasked()
        : this.#optimizer.minimize(this.#program, { variables, steps: count });
      if (isBounded) this.#keepInside();
      left -= count;
      this.step += count;
      this.#setBlend();
    }
    return loss;
  }

  #keepInside() {
    const { cells, ends } = this.bounds.outside(this.values(), this.mask);
    if (cells.length) this.elements.write(cells, ends);
  }

  /** Makes the holder of bounds hold exactly these cells. @param {readonly number[]} cells */
  #holdAtBound(cells) {
    if (cells.length === 0 && this.#atBound.length === 0) return;
    this.#atBound = cells;
    this.elements.hold(cells, 'bound');
    if (this.isMasked) this.#makeMasks(this.mask);
  }

  /** Returns the gradient of the loss at the current values, that of locked cells too. */
  gradient() {
    return this.#gathered(this.#g.valueAndGrad(this.#program, this.elements.variables).grads);
  }

  /** Returns tensors, one per variable, as cells, and disposes of them. @param {readonly Tensor[]} tensors @param {Float32Array} [out] */
  #gathered(tensors, out = new Float32Array(this.cells)) {
    this.elements.gather(out, (_, i) => tensors[i].view());
    for (const tensor of tensors) tensor.dispose();
    return out;
  }

  /** Holds the cells that press on a bound now; returns them: −1 at the min, 1 at the max. Null without bounds. @param {Float32Array} [gradient] of now @returns {Int8Array | null} */
  sides(gradient) {
    if (!this.bounds.hasAny) {
      this.#holdAtBound([]);
      return null;
    }
    const sides = this.bounds.sides(this.values(), gradient ?? this.gradient());
    this.#holdAtBound([...sides.keys()].filter((i) => sides[i] && !this.mask[i]));
    return sides.map((side, i) => (this.mask[i] ? 0 : side));
  }

  /** Keeps a cell within a range; a free one outside of it moves to the nearer end. @param {number} index @param {number | null} min @param {number | null} max */
  bound(index, min, max) {
    const before = this.bounds.of(index);
    this.bounds.set(index, min, max);
    const value = this.values()[index];
    if (this.mask[index] && !this.bounds.has(index, value)) {
      this.bounds.set(index, before.min, before.max);
      throw new RangeError(`The cell is locked at ${value}, outside of these bounds.`);
    }
    // Until the next gradient says on which bounds it presses.
    this.#holdAtBound(this.#atBound.filter((cell) => cell !== index));
    this.#keepInside();
  }

  /** Trains in the usual way: the gradient of held cells times 0. */
  #advanceMasked() {
    const g = this.#g;
    const { variables } = this.elements;
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

  loss() {
    return this.#program.value();
  }

  /** Changes the optimizer. Another rule starts with empty slots; values, locks and step count stay. @param {OptimizerSettings} settings */
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
    this.#applyLocks(mask);
    this.#since?.record(this.values(), mask);
  }

  /** @param {Uint8Array} mask */
  #applyLocks(mask) {
    if (this.isMasked) this.#makeMasks(mask);
    else this.elements.setLocks(mask);
    this.mask = mask;
    this.#driftCheck.record(this.values(), mask);
  }

  /** Holds the same cells, and those of a drag, in the other way from now on. @param {'lock' | 'mask'} to */
  switchTo(to) {
    const [mask, dragged] = [this.mask, this.dragged];
    if (this.isMasked === (to === 'mask')) return;
    this.hold([]);
    this.#since ??= new DriftCheck(this.cells, this.#driftCheck.save());
    this.#applyLocks(new Uint8Array(this.cells));
    this.isMasked = !this.isMasked;
    this.#applyLocks(mask);
    this.hold(dragged);
  }

  /** @param {Uint8Array} mask */
  #makeMasks(mask) {
    for (const tensor of this.#masks) tensor.dispose();
    const factors = Float32Array.from(mask, (bit) => 1 - bit);
    for (const cell of [...this.dragged, ...this.#atBound]) factors[cell] = 0;
    this.#masks = this.elements.variables.map(({ shape }, i) =>
      this.#g.tensor(this.elements.slice(factors, i), shape),
    );
  }

  /** Throws LockedElementError on a locked cell; a mask refuses nothing. @param {number} index @param {number} value */
  assign(index, value) {
    if (!this.bounds.has(index, value)) {
      const { min, max } = this.bounds.of(index);
      throw Object.assign(new RangeError(`${value} is outside of the bounds, ${min} to ${max}.`), {
        name: 'BoundError',
      });
    }
    this.elements.write([index], [value], false);
    if (this.mask[index]) this.#accept([index]);
  }

  /** Holds exactly these cells for a drag, whatever the locks are. @param {readonly number[]} cells */
  hold(cells) {
    this.dragged = cells;
    if (this.isMasked) this.#makeMasks(this.mask);
    else this.elements.hold(cells, 'drag');
  }

  /** Writes the dragged cells; a locked cell stays at its new value. @param {readonly number[]} values */
  writeDragged(values) {
    this.elements.write(this.dragged, values);
    this.#accept(this.dragged);
  }

  /** @param {readonly number[]} cells that were written on purpose */
  #accept(cells) {
    for (const check of [this.#driftCheck, this.#since]) check?.accept(cells, this.values());
  }

  /** Sets the smallest weights to 0 and locks them. @param {number} fraction @returns {Uint8Array} the locks */
  prune(fraction) {
    if (this.isMasked) throw new RangeError('Only locks prune; switch to Lock first.');
    this.elements.prune(fraction);
    this.setLocks(this.elements.locks(this.cells));
    return this.mask;
  }

  /** Undoes a pruning: unlocks its cells and restores their values. @param {Uint8Array} cells 1 = given back @param {Float32Array} values of all cells */
  undoPrune(cells, values) {
    this.setLocks(this.mask.map((bit, i) => bit & (1 - cells[i])));
    this.elements.restore(this.values().map((value, i) => (cells[i] ? values[i] : value)));
  }

  /** Sets the cells that another run's pruning has locked to 0. @param {Uint8Array} mask */
  holdAtZero(mask) {
    this.elements.restore(this.values().map((value, i) => (mask[i] && !this.mask[i] ? 0 : value)));
    this.setLocks(mask);
  }

  save() {
    const { variables } = this.elements;
    return {
      step: this.step,
      settings: this.settings,
      mask: this.mask,
      /** Values, locks, slots and clocks. */
      bytes: this.#optimizer.toBytes({ variables }),
      /** If cells can drift, the bits they were locked with; after a switch, those they were first held with. */
      held: this.isMasked ? this.#driftCheck.save() : null,
      since: this.#since?.save() ?? null,
    };
  }

  /** Restores a saved state of a run of the same scene; throws the library's error, and changes nothing, if it does not fit. @param {Saved} saved @param {readonly (import('../state/history.js').Event & { do: 'bound' })[]} ranges of cells at that step */
  restore({ step, settings, mask, bytes, held, since = null }, ranges) {
    if (mask.length !== this.cells) throw new RangeError('It is of another size.');
    const { variables } = this.elements;
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
    this.#setBlend();
    this.mask = mask;
    this.isMasked = this.#startsMasked || held !== null;
    this.bounds = new Bounds();
    for (const { index, min, max } of ranges) this.bounds.set(index, min, max);
    if (ranges.length || this.#atBound.length) this.elements.hold([], 'bound');
    this.#atBound = [];
    if (this.isMasked) this.#makeMasks(mask);
    this.#since = since && new DriftCheck(this.cells, since);
    this.#driftCheck = new DriftCheck(this.cells, held);
    this.#driftCheck.record(this.values(), mask);
  }

  values() {
    const values = new Float32Array(this.cells);
    this.elements.read(values);
    return values;
  }

  /** Returns a person's locks, as the library has them. */
  locks() {
    return this.isMasked ? this.mask.slice() : this.elements.locks(this.cells);
  }

  /** Fills `out` with a map of the cells; with 0 where it has no numbers. @param {import('../state/state.js').Beside} name @param {Float32Array} out */
  map(name, out) {
    const { start, target } = this.#problem;
    const slot = this.#slots()[['slot0', 'slot1'].indexOf(name)];
    if (name === 'pressure')
      this.#gathered(this.#g.pressure(this.#program, this.elements.variables), out);
    else if (slot) this.elements.gather(out, (variable) => this.#optimizer.slot(variable, slot));
    else if (name === 'clock')
      this.elements.gather(out, (variable) => this.#optimizer.clock(variable));
    else if (name === 'change') out.set(this.values().map((value, i) => value - start[i]));
    else if (name === 'target' && target) out.set(target);
    else out.fill(0);
  }

  /**
   * Returns the step that the optimizer would take next on each cell that a mask holds, 0 on all
   * other cells. It is no formula: the optimizer takes the step, and is then set back. Masked
   * gradients are 0, so it needs no gradient.
   * @param {Partial<OptimizerSettings>} [other]  settings for this step only
   */
  nextSteps(other = {}) {
    const { variables } = this.elements;
    const [bytes, before] = [this.#optimizer.toBytes({ variables }), this.values()];
    adjustOptimizer(this.#optimizer, { ...this.settings, ...other });
    this.#g.tidy(() => {
      const pairs = variables.map(
        (one) => /** @type {[Tensor, typeof one]} */ ([this.#g.zeros(one.shape), one]),
      );
      this.#optimizer.applyGradients(pairs);
    });
    const steps = this.values().map((value, i) => (this.mask[i] ? value - before[i] : 0));
    this.#optimizer.setState(bytes, { variables, force: true });
    adjustOptimizer(this.#optimizer, this.settings);
    return steps;
  }

  /** Returns the next step on a cell, and its parts by the optimizer's memory and by weight decay. @param {number} index */
  nextStep(index) {
    const step = this.nextSteps()[index];
    const memory = this.nextSteps({ weightDecay: 0 })[index];
    return { step, memory, decay: step - memory };
  }

  /** @returns {Record<string, Float32Array> | null} */
  readings() {
    if (!this.#readings) return null;
    const tensors = this.#readings.run();
    const entries = tensors.map((tensor, i) => [this.#readingNames[i], tensor.data()]);
    for (const tensor of tensors) tensor.dispose();
    return Object.fromEntries(entries);
  }

  /** @param {number} index @param {Float32Array} [gradient] of now */
  report(index, gradient = this.gradient()) {
    const { variable, at } = this.elements.at(index);
    return {
      index,
      /** Of the loss at the current values; locked cells have one too. */
      gradient: gradient[index],
      slots: this.#slots().map((name) => ({
        name,
        value: this.#optimizer.slot(variable, name)[at],
      })),
      /** Its steps with the current optimizer. */
      clock: this.#optimizer.clock(variable)[at],
    };
  }

  /** Returns the rule's slots: plain SGD has an unused velocity, Adam an unused largest v. */
  #slots() {
    const { rule } = this.settings;
    return this.#optimizer.slots.slice(0, rule === 'sgd' ? 0 : rule.startsWith('adam') ? 2 : 1);
  }

  /** Returns the drift of locked cells, by our own check and by the library's audit. @param {Float32Array} values the current ones */
  drift(values) {
    const { moved, farthest } = this.#driftCheck.compare(values);
    const { variables } = this.elements;
    const audit = () => variables.reduce((sum, { locks }) => sum + locks.audit().changed, 0);
    return { moved, farthest, audited: this.isMasked ? moved : audit() };
  }

  /** Returns the drift of held cells since they were first held, whatever holds them now. @param {Float32Array} values the current ones */
  drifted(values) {
    return (this.#since ?? this.#driftCheck).compare(values);
  }

  /** Returns the values that held cells had when they were first held; those of other cells mean nothing. */
  heldValues() {
    return (this.#since ?? this.#driftCheck).save().values;
  }

  /** Returns each variable's part of a flat array. @template {Float32Array | Uint8Array} T @param {T} row */
  byVariable(row) {
    return this.elements.variables.map(({ name, shape }, i) => ({
      ...{ name, shape },
      own: this.elements.slice(row, i),
    }));
  }

  digest() {
    return this.elements.variables.map((variable) => variable.digest()).join('.');
  }

  dispose() {
    const held = [this.#optimizer, this.#readings, this.#program, ...this.#targets, ...this.#masks];
    for (const one of [...held, this.#blend]) one?.dispose();
    if (this.#network) this.#network.dispose();
    else for (const variable of this.elements.variables) variable.dispose();
  }
}
