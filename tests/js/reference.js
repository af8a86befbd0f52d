/* The update rules once more, in double and straight from the papers' equations, one element at a
 * time; with what an optimizer does beside its rule, and what a lock promises (docs of x.lock,
 * docs/laws.md). It shares nothing with gradlock: no kernel, no coefficient, no order of
 * operations. golden-trajectories.test.js holds it to Keras, reference.test.js holds gradlock to it
 * where Keras does not go: there it stands for the truth, to 2^-53 an operation. */

/**
 * @typedef {Record<string, any>} Options By gradlock's names.
 * @typedef {Record<string, number>} State Of one element: its slots, `t` its steps.
 * @typedef {(s: State, g: number, x: number, rate: number, o: Options) => number} Rule Advances s;
 *   the new x.
 */

/**
 * Peers that lack a rule: the reference alone stands for it there. Such as `yogi: ['keras']`.
 * @type {Record<string, 'keras'[]>}
 */
const LACKING = {};

/** @param {string} rule @param {'keras'} peer */
export const isLacking = (rule, peer) => LACKING[rule]?.includes(peer) ?? false;

/** Keras's defaults, which gradlock's are. @type {Record<string, Options>} */
const DEFAULTS = {
  sgd: { learningRate: 0.01, momentum: 0 },
  adagrad: { learningRate: 0.001, initialAccumulatorValue: 0.1, epsilon: 1e-7 },
  adadelta: { learningRate: 0.001, rho: 0.95, epsilon: 1e-7 },
  rmsprop: { learningRate: 0.001, rho: 0.9, momentum: 0, epsilon: 1e-7 },
  adam: { learningRate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-7 },
  adamW: { learningRate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-7, weightDecay: 0.004 },
  adamax: { learningRate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-7 },
  nadam: { learningRate: 0.001, beta1: 0.9, beta2: 0.999, epsilon: 1e-7 },
  lion: { learningRate: 0.001, beta1: 0.9, beta2: 0.99 },
  ftrl: {
    learningRate: 0.001,
    learningRatePower: -0.5,
    initialAccumulatorValue: 0.1,
    l1RegularizationStrength: 0,
    l2RegularizationStrength: 0,
    l2ShrinkageRegularizationStrength: 0,
    beta: 0,
  },
};

/**
 * Kingma & Ba 2015, Algorithm 1, with the epsilon of the end of its section 2; amsgrad: Reddi et
 * al. 2018.
 * @type {Rule}
 */
const adam = (s, g, x, rate, { beta1, beta2, epsilon, amsgrad }) => {
  s.m = beta1 * (s.m ?? 0) + (1 - beta1) * g;
  s.v = beta2 * (s.v ?? 0) + (1 - beta2) * g ** 2;
  if (amsgrad) s.largest = Math.max(s.largest ?? 0, s.v);
  const alpha = (rate * Math.sqrt(1 - beta2 ** s.t)) / (1 - beta1 ** s.t);
  return x - (alpha * s.m) / (Math.sqrt(amsgrad ? s.largest : s.v) + epsilon);
};

/** mu(1) mu(2) ... mu(t) of Nadam. @param {number} beta1 @param {number} t */
const warmUp = (beta1, t) => {
  let product = 1;
  for (let i = 1; i <= t; i++) product *= beta1 * (1 - 0.5 * 0.96 ** i);
  return product;
};

/** @type {Record<string, Rule>} */
const RULES = {
  // Sutskever et al. 2013, eqs. 1 to 4.
  sgd: (s, g, x, rate, { momentum, nesterov }) => {
    if (momentum === 0) return x - rate * g;
    s.velocity = momentum * (s.velocity ?? 0) - rate * g;
    return nesterov ? x + momentum * s.velocity - rate * g : x + s.velocity;
  },

  // Duchi, Hazan & Singer 2011, figure 1; Keras's epsilon.
  adagrad: (s, g, x, rate, { initialAccumulatorValue, epsilon }) => {
    s.sum = (s.sum ?? initialAccumulatorValue) + g ** 2;
    return x - (rate * g) / Math.sqrt(s.sum + epsilon);
  },

  // Zeiler 2012, Algorithm 1, times a rate.
  adadelta: (s, g, x, rate, { rho, epsilon }) => {
    s.gradients = rho * (s.gradients ?? 0) + (1 - rho) * g ** 2;
    const update = -Math.sqrt(((s.updates ?? 0) + epsilon) / (s.gradients + epsilon)) * g;
    s.updates = rho * (s.updates ?? 0) + (1 - rho) * update ** 2;
    return x + rate * update;
  },

  // Graves 2013, eqs. 38 to 45: n, g (here: mean) and delta; plain: Tieleman & Hinton 2012. Keras's
  // epsilon. The mean is kept from when some variable first needed it, so that it is of the same
  // steps as n.
  rmsprop: (s, g, x, rate, { rho, momentum, epsilon, centered, wasCentered }) => {
    s.n = rho * (s.n ?? 0) + (1 - rho) * g ** 2;
    if (wasCentered) s.mean = rho * (s.mean ?? 0) + (1 - rho) * g;
    const variance = centered ? s.n - s.mean ** 2 : s.n;
    const step = (rate * g) / Math.sqrt(variance + epsilon);
    if (momentum === 0) return x - step;
    s.delta = momentum * (s.delta ?? 0) + step;
    return x - s.delta;
  },

  adam,
  // Loshchilov & Hutter 2019, Algorithm 2: the decay is the driver's.
  adamW: adam,

  // Kingma & Ba 2015, Algorithm 2; Keras's epsilon.
  adamax: (s, g, x, rate, { beta1, beta2, epsilon }) => {
    s.m = beta1 * (s.m ?? 0) + (1 - beta1) * g;
    s.u = Math.max(beta2 * (s.u ?? 0), Math.abs(g));
    return x - ((rate / (1 - beta1 ** s.t)) * s.m) / (s.u + epsilon);
  },

  // Dozat 2016, Algorithm 8, with mu(t) = beta1 (1 - 0.96^t / 2) as in its section 4 without the
  // 1/250.
  nadam: (s, g, x, rate, { beta1, beta2, epsilon }) => {
    const mu = beta1 * (1 - 0.5 * 0.96 ** s.t);
    const next = beta1 * (1 - 0.5 * 0.96 ** (s.t + 1));
    // Of the momenta that beta1 as it is now would have had: the correction is for all steps alike,
    // as in Adam.
    if (s.beta1 !== beta1) s.product = warmUp(beta1, s.t - 1);
    s.beta1 = beta1;
    s.product *= mu;
    s.m = beta1 * (s.m ?? 0) + (1 - beta1) * g;
    s.n = beta2 * (s.n ?? 0) + (1 - beta2) * g ** 2;
    const ahead = (next * s.m) / (1 - s.product * next) + ((1 - mu) * g) / (1 - s.product);
    return x - (rate * ahead) / (Math.sqrt(s.n / (1 - beta2 ** s.t)) + epsilon);
  },

  // Chen et al. 2023, Algorithm 2.
  lion: (s, g, x, rate, { beta1, beta2 }) => {
    const m = s.m ?? 0;
    s.m = beta2 * m + (1 - beta2) * g;
    return x - rate * Math.sign(beta1 * m + (1 - beta1) * g);
  },

  // McMahan et al. 2013, Algorithm 1, with Keras's power, shrinkage and twice its lambda2.
  ftrl: (s, g, x, rate, o) => {
    const n = s.n ?? o.initialAccumulatorValue;
    const root = (/** @type {number} */ sum) => sum ** -o.learningRatePower;
    s.n = n + g ** 2;
    const sigma = (root(s.n) - root(n)) / rate;
    s.z = (s.z ?? 0) + g + 2 * o.l2ShrinkageRegularizationStrength * x - sigma * x;
    if (Math.abs(s.z) <= o.l1RegularizationStrength) return 0;
    const beyond = s.z - Math.sign(s.z) * o.l1RegularizationStrength;
    return -beyond / ((o.beta + root(s.n)) / rate + 2 * o.l2RegularizationStrength);
  },
};

/**
 * Everything about one variable.
 * @typedef {object} Entry
 * @property {Float64Array} x
 * @property {State[]} states
 * @property {Float64Array | null} average None was asked for so far.
 * @property {Float64Array} pending
 * @property {boolean[]} wasLocked
 * @property {ArrayLike<number>} factors Of the rate.
 * @property {boolean} decays
 */

/** @param {ArrayLike<number>} values */
const sumOfSquares = (values) => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ** 2;
  return sum;
};

/**
 * An optimizer and its variables. Its options may change between any two calls: what a rule keeps
 * for an option comes into being at its start when the option is first on, and stands still while
 * it is off.
 */
export class Reference {
  #pendingCalls = 0;

  /**
   * @param {string} rule
   * @param {Options} options By gradlock's names. `learningRate` may be a function of the step,
   *   from 0.
   * @param {ArrayLike<number>[]} starts
   */
  constructor(rule, options, starts) {
    this.rule = RULES[rule];
    /** @type {Options} */
    this.options = {
      emaMomentum: 0.99,
      gradientAccumulationSteps: 1,
      ...DEFAULTS[rule],
      ...options,
    };
    this.iterations = 0;
    /** @type {Entry[]} */
    this.entries = starts.map((start) => ({
      x: Float64Array.from(start),
      states: Array.from(start, () => ({ t: 0 })),
      average: null,
      pending: new Float64Array(start.length),
      wasLocked: Array.from(start, () => false),
      factors: new Float64Array(start.length).fill(1),
      decays: true,
    }));
  }

  /** The rate of the next step. */
  get rate() {
    const { learningRate } = this.options;
    return typeof learningRate === 'function' ? learningRate(this.iterations) : learningRate;
  }

  /**
   * A call with gradients.
   * @param {ArrayLike<number>[]} gradients
   * @param {(variable: number, element: number) => boolean} isLocked
   */
  apply(gradients, isLocked) {
    const calls = this.options.gradientAccumulationSteps;
    const free = this.entries.map((entry, i) =>
      Array.from(entry.x.keys()).filter((k) => entry.factors[k] !== 0 && !isLocked(i, k)),
    );
    for (const [i, { pending }] of this.entries.entries()) {
      const sum = new Float64Array(pending.length);
      for (const k of free[i]) sum[k] = pending[k] + gradients[i][k];
      pending.set(sum);
    }
    for (const entry of this.options.useEma ? this.entries : []) entry.average ??= entry.x.slice();
    this.#pendingCalls++;
    const steps = this.#pendingCalls >= calls;
    if (steps) this.#step(free);
    this.#averages(free);
    if (steps) this.iterations++;
  }

  /** @param {number[][]} free */
  #step(free) {
    const { options } = this;
    options.wasCentered ||= options.centered;
    const calls = this.#pendingCalls;
    this.#pendingCalls = 0;
    const { weightDecay = 0, clipNorm, globalClipNorm, clipValue, onUnlock } = options;
    const norms = this.entries.map(({ pending }) => Math.sqrt(sumOfSquares(pending)));
    const total = Math.sqrt(sumOfSquares(norms)) / calls;
    for (const [i, entry] of this.entries.entries()) {
      const { x, states, pending, factors, wasLocked } = entry;
      const norm = norms[i] / calls;
      for (const k of free[i]) {
        let g = pending[k] / calls;
        if (clipNorm && norm > clipNorm) g *= clipNorm / norm;
        if (globalClipNorm && total > globalClipNorm) g *= globalClipNorm / total;
        if (clipValue) g = Math.min(Math.max(g, -clipValue), clipValue);
        if (wasLocked[k] && onUnlock === 'reset') states[k] = { t: 0 };
        states[k].t++;
        const rate = this.rate * factors[k];
        const decayed = entry.decays ? x[k] * (1 - rate * weightDecay) : x[k];
        x[k] = this.rule(states[k], g, decayed, rate, options);
      }
      entry.wasLocked = wasLocked.map((_, k) => !free[i].includes(k));
      pending.fill(0);
    }
  }

  /** @param {number[][]} free */
  #averages(free) {
    const { useEma, emaMomentum, emaOverwriteFrequency } = this.options;
    if (!useEma) return;
    const overwrites = emaOverwriteFrequency && (this.iterations + 1) % emaOverwriteFrequency === 0;
    for (const [i, { x, average, states }] of this.entries.entries()) {
      if (!average) continue;
      for (const k of x.keys()) {
        const isAveraged = states[k].t > 1 && free[i].includes(k);
        average[k] = isAveraged ? emaMomentum * average[k] + (1 - emaMomentum) * x[k] : x[k];
      }
      if (overwrites) for (const k of free[i]) x[k] = average[k];
    }
  }
}
