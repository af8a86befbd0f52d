/* Tricks for holding elements, and what each moves, measured by running it.
 *
 * 64 elements of which about half are "locked", ten steps of a rule: five with everything free, as
 * a training run has them behind it when somebody freezes something, and five with the trick in
 * force. Three questions are asked then:
 * - values: did the bits of the locked elements move?
 * - slots: did the bits of their optimizer state move (momentum, Adam's moments)?
 * - others: do the free elements end, to the bit, where they would if only they existed from the
 *   sixth step on? That problem is trained as a variable of its own, without any lock or mask.
 * Every trick is written in gradlock's own ops, so that all of them run in one process by the same
 * rules; tests/golden/leaks.py runs the same problem in Keras, and from-tensorflow.test.js compares
 * both. */
import { Draws } from '../golden/golden.js';
import { RULES } from './rules.js';
import { bitsOf } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Optimizer} Optimizer */
/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {import('gradlock').Variable} Variable */
/**
 * @typedef {object} Setting
 * @property {string} name
 * @property {import('gradlock').RuleName} rule
 * @property {object} options
 * @property {number} [clip] The highest global norm.
 * @property {boolean} [isPoisoned] Whether the gradients of locked elements become NaN when the
 *   trick begins.
 */
/** @typedef {{ values: Float32Array, slots: Float32Array[] }} State */
/**
 * @typedef {{ before: State, after: State }} Run Before the first step with the trick, and after
 *   the last.
 */
/** @typedef {{ elements: number, bits: number }} Moved */
/** @typedef {Record<'values' | 'slots' | 'others', Moved>} Leak */
/** @typedef {{ name: string, run: (g: Gradlock, setting: Setting) => Run }} Trick */

const SIZE = 64;
/** Steps before the trick is in force, and with it. */
const STEPS = 5;

/** Of a step; of other rules 0.01. @type {Record<string, number>} */
const RATES = { sgd: 0.1, adagrad: 0.1, adadelta: 1, ftrl: 0.1 };
/**
 * As people write them, where that is not the name with a capital. @type {Record<string, string>}
 */
const NAMES = { sgd: 'SGD', rmsprop: 'RMSprop', ftrl: 'FTRL' };

const SGD = /** @type {const} */ ({ rule: 'sgd', options: { learningRate: 0.1 } });

/** Every rule that takes gradients, and what gradients may be. @type {Setting[]} */
export const SETTINGS = [
  ...RULES.flatMap((rule) => {
    const name = NAMES[rule] ?? rule[0].toUpperCase() + rule.slice(1);
    const plain = { name, rule, options: { learningRate: RATES[rule] ?? 0.01 } };
    const options = { learningRate: 0.1, momentum: 0.9 };
    return rule === 'sgd' ? [plain, { name: 'momentum', rule, options }] : [plain];
  }),
  { ...SGD, name: 'NaN gradient', isPoisoned: true },
  { ...SGD, name: 'clip norm', clip: 1 },
  { ...SGD, name: 'NaN + clip', clip: 1, isPoisoned: true },
];

/** The values both sides draw: start, target, and who is locked. */
export const PROBLEM = (() => {
  const [start, target, coin] = [20, 21, 22].map((seed) => new Draws(seed).array([SIZE]));
  const all = Array.from(coin.keys());
  const locked = all.filter((i) => coin[i] < 0);
  const free = all.filter((i) => coin[i] >= 0);
  /** 1 = trains, 0 = locked. */
  const mask = coin.map((value) => (value < 0 ? 0 : 1));
  /** The targets of locked elements are NaN, and with them their gradients. */
  const poisoned = target.map((value, i) => (mask[i] ? value : Number.NaN));
  return { start, target, poisoned, mask, locked, free };
})();

const { start, target, poisoned, mask, locked, free } = PROBLEM;

/**
 * Half the squared distance: the gradient is x − goal.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {import('gradlock').TensorLike} goal
 */
const lossOf = (g, x, goal) => g.div(g.sum(g.square(g.sub(x, goal))), 2);

/**
 * @param {Gradlock} g
 * @param {Setting} setting
 * @param {boolean} [clips]
 */
const makeOptimizer = (g, { rule, options, clip }, clips = true) =>
  g.optimizers[rule]({ ...options, ...(clip && clips ? { globalClipNorm: clip } : {}) });

/**
 * @param {Optimizer} optimizer
 * @param {Variable} x
 * @returns {State}
 */
const stateOf = (optimizer, x) => ({
  values: x.data(),
  slots: optimizer.slots.map((name) => optimizer.slot(x, name)),
});

/**
 * What a trick has at hand in each of its steps.
 * @typedef {object} Step
 * @property {Gradlock} g
 * @property {Variable} x
 * @property {Optimizer} optimizer
 * @property {Setting} setting
 * @property {Float32Array} held x as it was when the trick began.
 * @property {(x: Tensor) => Tensor} loss
 * @property {(loss?: () => Tensor) => Tensor} gradient Of x. Default: of the loss as it is.
 * @property {(gradient: Tensor) => void} apply
 */

/**
 * One variable of all elements; the trick is a way to take a step.
 * @param {(step: Step) => void} take
 * @param {{ begin?: (x: Variable) => unknown, clips?: boolean, see?: (step: Step) => Tensor }}
 *   [how] `see`: what the model sees of x, where that is not x.
 * @returns {Trick['run']}
 */
const whole = (take, { begin, clips, see } = {}) => {
  return (g, setting) => {
    const x = g.variable(start);
    const optimizer = makeOptimizer(g, setting);
    for (let i = 0; i < STEPS; i++) optimizer.minimize(() => lossOf(g, x, target));
    const before = stateOf(optimizer, x);
    if (clips === false) optimizer.globalClipNorm = 0;
    begin?.(x);
    const goal = g.tensor(setting.isPoisoned ? poisoned : target);
    const loss = (/** @type {Tensor} */ seen) => lossOf(g, seen, goal);
    /** @type {Step} */
    const step = {
      g,
      x,
      optimizer,
      setting,
      held: before.values,
      loss,
      gradient: (of = () => loss(x)) => g.valueAndGrad(of, [x]).grads[0],
      apply: (gradient) => optimizer.applyGradients([[gradient, x]]),
    };
    for (let i = 0; i < STEPS; i++) take(step);
    const after = stateOf(optimizer, x);
    return { before, after: see ? { ...after, values: see(step).data() } : after };
  };
};

/**
 * Two variables, the free elements and the locked ones; from the sixth step on only the first is
 * listed.
 * @param {boolean} again Whether these steps have an optimizer of their own.
 * @returns {Trick['run']}
 */
const split = (again) => (g, setting) => {
  /** @param {Float32Array} values @param {number[]} indices */
  const pick = (values, indices) => Float32Array.from(indices, (i) => values[i]);
  const parts = [free, locked].map((indices) => g.variable(pick(start, indices)));
  const goals = [free, locked].map((indices) => pick(target, indices));
  const losses = () => parts.map((part, i) => lossOf(g, part, goals[i]));
  const first = makeOptimizer(g, setting);
  for (let i = 0; i < STEPS; i++) {
    first.minimize(() => losses().reduce((a, b) => g.add(a, b)), { variables: parts });
  }
  /** @param {readonly Float32Array[]} of */
  const join = (of) => {
    const joined = new Float32Array(SIZE);
    for (const [k, indices] of [free, locked].entries()) {
      for (const [j, i] of indices.entries()) joined[i] = of[k][j];
    }
    return joined;
  };
  /** @param {Optimizer} optimizer */
  const state = (optimizer) => ({
    values: join(parts.map((part) => part.data())),
    slots: first.slots.map((name) =>
      join([optimizer.slot(parts[0], name), first.slot(parts[1], name)]),
    ),
  });
  const before = state(first);
  const second = again ? makeOptimizer(g, setting) : first;
  const last = () => lossOf(g, parts[0], goals[0]);
  for (let i = 0; i < STEPS; i++) second.minimize(last, { variables: [parts[0]] });
  return { before, after: state(second) };
};

/**
 * How many of these elements differ in their bits, and in how many bits.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {Iterable<number>} indices
 * @returns {Moved}
 */
const moved = (before, after, indices) => {
  const [a, b] = [bitsOf(before), bitsOf(after)];
  let [elements, bits] = [0, 0];
  for (const i of indices) {
    let differing = a[i] ^ b[i];
    elements += differing === 0 ? 0 : 1;
    for (; differing !== 0; differing &= differing - 1) bits++;
  }
  return { elements, bits };
};

/**
 * The free elements of x, placed into a copy that is constant.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {Float32Array} held
 */
const scattered = (g, x, held) =>
  g.tensorScatterNdUpdate(held, g.where(mask), g.booleanMask(x, mask));

/** @param {Step} step */
const clipped = ({ g, gradient, setting: { clip } }) => {
  const found = gradient();
  if (!clip) return found;
  const norm = g.sqrt(g.sum(g.square(found)));
  return g.mul(found, g.div(clip, g.maximum(norm, clip)));
};

/** @type {Trick[]} */
export const TRICKS = [
  {
    name: 'mask × gradient',
    run: whole(({ g, gradient, apply }) => apply(g.mul(gradient(), mask))),
  },
  {
    name: 'clip, then mask × gradient',
    run: whole((step) => step.apply(step.g.mul(clipped(step), mask)), { clips: false }),
  },
  {
    name: 'where(mask, gradient, 0)',
    run: whole(({ g, gradient, apply }) => apply(g.where(mask, gradient(), 0))),
  },
  {
    name: 'mask·x + stopGradient((1−mask)·x)',
    run: whole(({ g, x, loss, gradient, apply }) => {
      const seen = () => g.add(g.mul(mask, x), g.stopGradient(g.mul(g.sub(1, mask), x)));
      apply(gradient(() => loss(seen())));
    }),
  },
  {
    name: "X'·M + (1−M)·X, X' = X each step",
    run: whole(({ g, x, loss, gradient, apply }) => {
      const xp = g.tensor(x);
      const m = g.sub(1, mask);
      apply(gradient(() => loss(g.add(g.mul(m, xp), g.mul(g.sub(1, m), x)))));
    }),
  },
  {
    name: 'free scattered into a constant',
    run: whole(
      ({ g, x, held, loss, gradient, apply }) => apply(gradient(() => loss(scattered(g, x, held)))),
      { see: ({ g, x, held }) => scattered(g, x, held) },
    ),
  },
  {
    name: 'write the old values back',
    run: whole(({ g, x, held, gradient, apply }) => {
      apply(gradient());
      x.assign(g.where(mask, x, held));
    }),
  },
  { name: 'a second optimizer, var_list', run: split(true) },
  {
    name: 'gather, scatter −lr·g',
    run: whole(({ g, x, optimizer, gradient }) => {
      const indices = g.where(mask);
      const selected = g.gatherNd(gradient(), indices);
      x.scatterNdAdd(indices, g.mul(-optimizer.learningRate, selected));
    }),
  },
];

/** @type {Trick[]} */
export const LOCKS = [
  {
    name: 'x.lock(indices), applyGradients',
    run: whole(({ gradient, apply }) => apply(gradient()), { begin: (x) => x.lock(locked) }),
  },
  {
    name: 'x.trainOnly(indices), minimize',
    run: whole(({ x, optimizer, loss }) => optimizer.minimize(() => loss(x)), {
      begin: (x) => x.trainOnly(free),
    }),
  },
];

/**
 * Tricks under every setting.
 * @param {Gradlock} g
 * @param {readonly Trick[]} tricks
 * @returns {{ trick: string, leaks: Leak[] }[]} Leaks in the order of SETTINGS.
 */
export const measure = (g, tricks) => {
  const references = SETTINGS.map((setting) => split(false)(g, setting).after.values);
  return tricks.map(({ name, run }) => ({
    trick: name,
    leaks: SETTINGS.map((setting, i) => {
      const { before, after } = g.tidy(() => run(g, setting));
      const slots = before.slots.map((slot, k) => moved(slot, after.slots[k], locked));
      return {
        values: moved(before.values, after.values, locked),
        slots: slots.reduce((a, b) => ({
          elements: a.elements + b.elements,
          bits: a.bits + b.bits,
        })),
        others: moved(references[i], after.values, free),
      };
    }),
  }));
};
