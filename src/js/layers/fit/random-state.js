// The random numbers of a model's batches. A recorded draw depends on its generator's seed, on the
// step at which it was recorded, and on the number of the program's run (docs/decisions/0009). All
// programs of a model record from the same steps, and the model's batches number their runs. So
// training that resumes with new programs draws the same numbers as without a break.

/** @import { Model } from '../model/model.js' */
/** @import { Generator } from '../../tensors/random.js' */
/** @typedef {import('../../graph/program.js').Program<any>} Program */
/**
 * @typedef {object} DrawState The position in all random numbers of a model, as JSON.
 * @property {readonly [inference: number, training: number]} batches The numbers of batches so far.
 * @property {readonly (readonly [seed: number, step: number, ...first: (number | null)[]])[]}
 *   generators The position of each generator, and the steps from which programs for inference and
 *   for training draw; null if none was recorded.
 */

/**
 * @typedef {object} Mode
 * @property {number} batches The number of batches so far.
 * @property {Map<Generator, number>} steps Each generator's step at which programs begin to draw.
 */

/** The largest batch number: batches use the 32-bit counter of a program's runs. */
const MOST_BATCHES = 0xffffffff;

/** What is added to the seed of `layers(g)`, so that batches do not draw the numbers of weights. */
const APART = 0x1e3779b97f4a7c;
const ROOM = 2 ** 53 - APART;

/**
 * The random numbers of one model. Its batches draw from a generator of its own, whose seed follows
 * from that of `layers(g)` alone: whatever else is made or trained, they draw the same numbers.
 */
export class Draws {
  #model;
  /** @type {Generator | undefined} */
  #stream;
  /** The modes: inference, then training. @type {readonly Mode[]} */
  #modes = [
    { batches: 0, steps: new Map() },
    { batches: 0, steps: new Map() },
  ];

  /** @param {Model} model */
  constructor(model) {
    this.#model = model;
  }

  /** The generator of its batches. */
  get stream() {
    const { nn } = this.#model;
    const { seed } = nn.seed;
    this.#stream ??= nn.g.random(seed < ROOM ? seed + APART : seed - ROOM);
    return this.#stream;
  }

  /** Returns the generators that its layers draw from, its own first. @returns {Generator[]} */
  get generators() {
    const { stream } = this;
    const { nn, allLayers } = this.#model;
    const all = nn.drawFrom(stream, () => allLayers.map((layer) => layer.randomness));
    return [...new Set([stream, ...all])];
  }

  /**
   * Record a program that draws from the model's steps. The first one moves the generators past its
   * draws; later ones leave them unchanged.
   * @template T
   * @param {boolean} training
   * @param {() => T} body
   * @returns {T}
   */
  record(training, body) {
    const { steps } = this.#modeOf(training);
    const { generators } = this;
    const before = generators.map((one) => ({ one, step: one.step, isNew: !steps.has(one) }));
    return this.#model.nn.attempt(() => {
      this.#model.nn.undo(() => {
        for (const { one, step, isNew } of before) {
          one.step = step;
          if (isNew) steps.delete(one);
        }
      });
      for (const one of generators) one.step = steps.get(one) ?? one.step;
      const result = this.#model.nn.drawFrom(this.stream, body);
      for (const { one, step, isNew } of before) {
        if (isNew && one.step !== step) steps.set(one, step);
        if (!isNew) one.step = step;
      }
      return result;
    });
  }

  /**
   * Run a program for one batch. The batch counts if the program does not fail.
   * @template T
   * @param {boolean} training
   * @param {Program} program
   * @param {() => T} body
   */
  run(training, program, body) {
    const mode = this.#modeOf(training);
    program.runs = mode.batches % MOST_BATCHES;
    const result = body();
    mode.batches++;
    return result;
  }

  /** @param {boolean} training */
  #modeOf(training) {
    return /** @type {Mode} */ (this.#modes[Number(training)]);
  }

  /** The number of batches trained on so far. */
  get trained() {
    return this.#modeOf(true).batches;
  }

  /** Returns the current position. @returns {DrawState} */
  get state() {
    const [inference, training] = [this.#modeOf(false), this.#modeOf(true)];
    return {
      batches: [inference.batches, training.batches],
      generators: this.generators.map((one) => [
        one.seed,
        one.step,
        inference.steps.get(one) ?? null,
        training.steps.get(one) ?? null,
      ]),
    };
  }

  /** Restore the position of another model with the same layers. @param {DrawState} state */
  moveTo({ batches, generators }) {
    const [first] = generators;
    if (first && this.stream.seed !== first[0]) this.#stream = this.#model.nn.g.random(first[0]);
    this.generators.forEach((one, i) => {
      const [seed, step, ...starts] = generators[i] ?? [];
      if (step === undefined || one.seed !== seed) return;
      one.step = step;
      starts.forEach((start, mode) => {
        if (start !== null) this.#modes[mode]?.steps.set(one, start);
      });
    });
    this.#modes.forEach((mode, i) => {
      mode.batches = batches[i] ?? 0;
    });
  }
}
