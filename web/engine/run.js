/**
 * One scene being trained: its variable, its recorded loss, its optimizer and its step count.
 * The loss is recorded once, when the scene opens; locks, rates and rules change under it. It knows no clock and no
 * messages (loop.js, worker.js), and no DOM.
 */

import { adjustOptimizer, makeOptimizer } from './optimizers.js';
import { Witness } from './witness.js';

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../scenes/scene.js').Scene} Scene */
/** @typedef {import('../scenes/scene.js').Setup} Setup */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('./protocol.js').CellReport} CellReport */

export class Run {
  #g;
  #x;
  #target;
  #program;
  #optimizer;
  #start;
  #witness;
  step = 0;

  /**
   * @param {Gradlock} g
   * @param {Scene} scene
   * @param {Setup} setup
   * @param {OptimizerSettings} settings
   * @param {Uint8Array | null} mask null: as the scene opens
   */
  constructor(g, scene, setup, settings, mask) {
    const shape = [setup.rows, setup.cols];
    const target = scene.target?.(setup) ?? null;
    this.scene = scene;
    this.setup = setup;
    this.settings = settings;
    this.target = target;
    this.#g = g;
    this.#start = scene.start(setup);
    this.#x = g.variable(this.#start, { shape, name: 'x' });
    this.#target = target && g.tensor(target, shape);
    const given = /** @type {import('../scenes/scene.js').Tensor} */ (this.#target);
    this.#program = g.compile(() => scene.loss(g, this.#x, given, setup));
    this.#optimizer = makeOptimizer(g, settings);
    this.#witness = new Witness(this.#start.length);
    this.setLocks(mask ?? scene.locks(setup));
  }

  get cells() {
    return this.#start.length;
  }

  /** @param {number} steps @returns {number} the loss before the last of them */
  advance(steps) {
    const loss = this.#optimizer.minimize(this.#program, { variables: [this.#x], steps });
    this.step += steps;
    return loss;
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

  /** Only the difference is locked and unlocked, so what stays locked is not touched. @param {Uint8Array} mask */
  setLocks(mask) {
    const now = this.#x.locks.toMask();
    this.#x.lock(mask.map((bit, i) => (bit && !now[i] ? 1 : 0)));
    this.#x.unlock(mask.map((bit, i) => (!bit && now[i] ? 1 : 0)));
    this.#witness.hold(this.#x.view(), this.locks());
  }

  locks() {
    return this.#x.locks.toMask();
  }

  get locksVersion() {
    return this.#x.locks.version;
  }

  /** Throws LockedElementError on a locked cell. @param {number} index @param {number} value */
  assign(index, value) {
    const values = this.#x.data();
    values[index] = value;
    this.#x.assign(values);
  }

  /** Values as the scene starts, steps from 0, nothing remembered; the locks and the settings stay. */
  reset() {
    const next = makeOptimizer(this.#g, this.settings);
    this.#x.assign(this.#start, { force: true });
    this.#optimizer.dispose();
    this.#optimizer = next;
    this.step = 0;
    this.#witness.forget();
    this.#witness.hold(this.#x.view(), this.locks());
  }

  /** @param {Float32Array} out receives the values */
  read(out) {
    out.set(this.#x.view());
  }

  /** @param {number} index @returns {CellReport} */
  report(index) {
    const { grads } = this.#g.valueAndGrad(this.#program, [this.#x]);
    const [gradient] = grads;
    const at = (/** @type {ArrayLike<number>} */ values) => values[index];
    const report = {
      index,
      value: at(this.#x.view()),
      gradient: at(gradient.view()),
      slots: this.#slots().map((name) => ({
        name,
        value: at(this.#optimizer.slot(this.#x, name)),
      })),
      clock: at(this.#optimizer.clock(this.#x)),
    };
    for (const tensor of grads) tensor.dispose();
    return report;
  }

  /** Plain SGD has a velocity too, but never uses it. */
  #slots() {
    return this.settings.rule === 'sgd' ? [] : this.#optimizer.slots;
  }

  lockedMoved() {
    return this.#witness.count(this.#x.view());
  }

  digest() {
    return this.#x.digest();
  }

  dispose() {
    for (const held of [this.#optimizer, this.#program, this.#target, this.#x]) held?.dispose();
  }
}
