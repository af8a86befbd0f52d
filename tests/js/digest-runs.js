/* The training runs of tests/c/runs.h and the draws of tests/c/test_digest.c, through JavaScript.
 * Imports nothing, so that every engine can load it: Node.js, browsers, Bun. A run is the line that
 * tests/c/runs.h explains.
 *
 * Refuses settings that it does not know. */

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Optimizer} Optimizer */
/** @typedef {import('gradlock').RuleName} RuleName */
/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {import('gradlock').Variable} Variable */
/**
 * @typedef {{ g: Gradlock, optimizer: Optimizer, w1: Variable, b: Variable, w2: Variable }} Setup
 */

const BATCH = 16;
const IN = 8;
const HIDDEN = 12;
const OUT = 3;
const STEPS = 60;

/**
 * Integers in, exact f32s out: -1 <= value < 1.
 * @param {number} i
 * @param {number} salt
 */
const number = (i, salt) => {
  const mixed = (Math.imul(i + 1, 2654435761) + Math.imul(salt, 40503)) >>> 0;
  return (((mixed >>> 16) & 0xffff) - 32768) / 32768;
};

/** @param {number} count @param {number} salt */
const numbers = (count, salt) => Float32Array.from({ length: count }, (_, i) => number(i, salt));

/** @param {Variable} x @param {number} salt */
const randomMask = (x, salt) =>
  Uint8Array.from({ length: x.size }, (_, i) => Number(number(i, salt) < 0));

/** C's numbers of a schedule, by JavaScript's names. @type {Record<string, string[]>} */
const SCHEDULES = {
  exponentialDecay: ['initialLearningRate', 'decaySteps', 'decayRate', 'staircase'],
  inverseTimeDecay: ['initialLearningRate', 'decaySteps', 'decayRate', 'staircase'],
  polynomialDecay: ['initialLearningRate', 'decaySteps', 'endLearningRate', 'power', 'cycle'],
  cosineDecay: ['initialLearningRate', 'decaySteps', 'alpha', 'warmupTarget', 'warmupSteps'],
  cosineDecayRestarts: ['initialLearningRate', 'firstDecaySteps', 'tMul', 'mMul', 'alpha'],
  linearWarmup: ['initialLearningRate', 'warmupTarget', 'warmupSteps'],
  oneCycle: [
    'maxLearningRate',
    'totalSteps',
    'pctStart',
    'linear',
    'divFactor',
    'finalDivFactor',
    'threePhase',
  ],
};
const FLAGS = ['staircase', 'cycle', 'linear', 'threePhase'];
const MEASURES = /** @type {const} */ (['value', 'magnitude', 'gradient']);

/** @param {Setup} setup @param {import('gradlock').LockPolicy} policy */
const setPolicy = ({ w1, w2 }, policy) => {
  for (const x of [w1, w2]) x.lockPolicy(policy);
};

/** @param {Setup} setup @param {import('gradlock').Constraint} constraint */
const setConstraint = ({ optimizer, w1, w2 }, constraint) => {
  optimizer.constrain([w1, w2], constraint);
};

/**
 * What a setting does; those that are not here are options, or schedules.
 * @type {Record<string, (setup: Setup, ...numbers: number[]) => unknown>}
 */
const SETTINGS = {
  dropout: () => {},
  gradients: () => {},
  rate: ({ optimizer, b }, factor) => optimizer.scaleLearningRate(b, factor),
  rates: ({ g, optimizer, w2 }, salt) => {
    const factors = numbers(w2.size, salt).map((value) => Math.max(value, 0));
    optimizer.scaleLearningRate(w2, g.tensor(factors, w2.shape));
  },
  exclude: ({ optimizer, b }) => optimizer.excludeFromWeightDecay(b),
  nonNegative: (setup) => setConstraint(setup, { nonNegative: true }),
  box: (setup, min, max) => setConstraint(setup, { min, max }),
  maxNorm: (setup, maxNorm, axis) => setConstraint(setup, { maxNorm, axis }),
  unitNorm: (setup, axis) => setConstraint(setup, { unitNorm: true, axis }),
  largest: (setup, fraction, by, every) =>
    setPolicy(setup, { trainOnly: { topK: { fraction, by: MEASURES[by] } }, every }),
  smallest: (setup, fraction, by, every) =>
    setPolicy(setup, {
      trainOnly: { topK: { fraction, by: MEASURES[by], largest: false } },
      every,
    }),
  random: (setup, fraction, seed, every) =>
    setPolicy(setup, { trainOnly: { random: { fraction, seed } }, every }),
  between: (setup, above, below, by, every) =>
    setPolicy(setup, { lock: { where: { above, below, by: MEASURES[by] } }, every }),
  timetable: ({ w1, w2 }, ...at) => {
    for (const [k, x] of /** @type {const} */ ([
      [0, w1],
      [2, w2],
    ])) {
      x.lockPolicy({ at, lock: at.map((_, i) => randomMask(x, 40 + 3 * i + k)) });
    }
  },
  piecewiseConstantDecay: ({ g, optimizer }, ...list) => {
    const values = list.filter((_, i) => i % 2 === 0);
    const boundaries = list.filter((_, i) => i % 2 === 1);
    optimizer.learningRate = g.schedules.piecewiseConstantDecay({ boundaries, values });
  },
};

/** @param {Setup} setup @param {string} name @param {number[]} given */
const set = (setup, name, given) => {
  const { g, optimizer } = setup;
  const names = SCHEDULES[name];
  if (SETTINGS[name]) {
    SETTINGS[name](setup, ...given);
  } else if (names) {
    const options = names.map((key, i) => [key, FLAGS.includes(key) ? given[i] === 1 : given[i]]);
    const make = /** @type {any} */ (g.schedules)[name];
    optimizer.learningRate = make(Object.fromEntries(options));
  } else if (name === 'resetOnUnlock') {
    optimizer.onUnlock = given[0] ? 'reset' : 'hold';
  } else {
    const isFlag = typeof (/** @type {any} */ (optimizer)[name]) === 'boolean';
    optimizer.setOptions({ [name]: isFlag ? given[0] === 1 : given[0] });
  }
};

/** FNV-1a over digests, as they are printed. */
class Fold {
  #state = 0xcbf29ce484222325n;

  /** @param {Tensor} tensor */
  add(tensor) {
    this.#state = BigInt.asUintN(
      64,
      (this.#state ^ BigInt(`0x${tensor.digest()}`)) * 0x100000001b3n,
    );
  }

  toString() {
    return this.#state.toString(16).padStart(16, '0');
  }
}

/**
 * The loss of the network, or its residuals.
 * @param {Gradlock} g
 * @param {Record<'w1' | 'b' | 'w2', Variable>} weights
 * @param {Map<string, number[]>} settings
 * @param {boolean} isResiduals
 */
const record = (g, { w1, b, w2 }, settings, isResiduals) => {
  const x = g.tensor(numbers(BATCH * IN, 1), [BATCH, IN]);
  const y = g.tensor(numbers(BATCH * OUT, 2), [BATCH, OUT]);
  const [rate, seed] = settings.get('dropout') ?? [];
  return g.compile(() => {
    const units = g.tanh(g.add(g.matMul(x, w1), b));
    const hidden = rate === undefined ? units : g.dropout(units, rate, seed);
    const error = g.sub(g.sigmoid(g.matMul(hidden, w2)), y);
    if (isResiduals) return g.concat([error, g.mul(w2, 0.125)], 0);
    const softplus = g.log(g.add(1, g.exp(w2)));
    return g.add(g.mean(g.square(error)), g.mul(g.mean(softplus), 0.015625));
  });
};

/**
 * Train, and give the line with its digests, as C prints it.
 * @param {Gradlock} g
 * @param {string} line
 */
export const train = (g, line) => {
  const [rule, ...words] = line.split(' ');
  const settings = new Map(
    words.map((word) => {
      const [name, list] = word.split('=');
      return [name, list.split(',').map(Number)];
    }),
  );
  const w1 = g.variable(numbers(IN * HIDDEN, 3), { shape: [IN, HIDDEN] });
  const b = g.variable(numbers(HIDDEN, 4), { shape: [HIDDEN] });
  const w2 = g.variable(numbers(HIDDEN * OUT, 5), { shape: [HIDDEN, OUT] });
  const program = record(g, { w1, b, w2 }, settings, rule === 'levenbergMarquardt');
  const isSolver = rule === 'lbfgs' || rule === 'levenbergMarquardt';
  const optimizer = g.optimizers[/** @type {RuleName} */ (rule)]();
  for (const [name, given] of settings) set({ g, optimizer, w1, b, w2 }, name, given);

  const variables = [w1, b, w2];
  const steps = isSolver ? STEPS / 12 : STEPS / 3;
  const state = new Fold();
  for (const round of [0, 1, 2]) {
    for (const [k, variable] of variables.entries()) {
      if (round) variable.toggle(randomMask(variable, 7 + 3 * round + k));
    }
    let loss = 0;
    if (settings.has('gradients')) {
      for (let step = 0; step < steps; step++) {
        const { value, grads } = g.valueAndGrad(program, variables);
        optimizer.applyGradients(grads.map((gradient, k) => [gradient, variables[k]]));
        loss = value;
      }
    } else {
      loss = optimizer.minimize(program, { variables, steps });
    }
    state.add(g.tensor([loss]));
  }
  if (isSolver) {
    const { iterations, evaluations, largestGradient } = /** @type {any} */ (optimizer);
    state.add(g.tensor([iterations, evaluations, largestGradient]));
  } else {
    for (const variable of variables) {
      for (const slot of optimizer.slots) state.add(g.tensor(optimizer.slot(variable, slot)));
      state.add(g.tensor(optimizer.average(variable)));
      state.add(g.tensor(Float32Array.from(optimizer.clock(variable))));
    }
  }
  return `digest ${line} : ${variables.map((v) => v.digest()).join(' ')} ${state}`;
};

/**
 * Draw, and give the lines that C prints.
 * @param {Gradlock} g
 */
export const draw = (g) => {
  const from = g.random(2 ** 40 + 3);
  const shape = [50001];
  const normal = g.randomNormal(shape, 0.25, 3, { seed: from.seed, step: 1 });
  /** @type {[string, () => { digest(): string }][]} */
  const draws = [
    ['uniform', () => from.uniform(shape, { minval: -0.1, maxval: 0.7 })],
    ['normal', () => from.normal(shape, { mean: 0.25, stddev: 3 })],
    ['truncatedNormal', () => from.truncatedNormal(shape)],
    ['bernoulli', () => from.bernoulli(shape, { p: 0.3 })],
    ['permutation', () => from.permutation(50001)],
  ];
  const digests = draws.map(([name, take]) => `drawn ${name} ${take().digest()}`);
  const program = g.compile(() => from.dropout(normal, 0.1));
  for (let i = 0; i < 3; i++) digests.push(`drawn dropout ${program.run().digest()}`);
  const orthogonal = g.initializers.orthogonal({ seed: from })([40, 30]);
  return [...digests, `drawn orthogonal ${orthogonal.digest()}`];
};

/**
 * All of it.
 * @param {Gradlock} g
 * @param {readonly string[]} runs
 */
export const digest = (g, runs) => [...runs.map((line) => train(g, line)), ...draw(g)];
