/* What hostile calls are made on: one object of each public kind, some that are gone or of another instance, and which
 * methods there are, found by reflection. */
import { readFileSync } from 'node:fs';
import * as fit from 'gradlock/fit';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {Record<string, any>} Fixture */

const IMAGE = Float32Array.from({ length: 16 }, (_, i) => i);

/** Points of a line, and its model. */
export const LINE = { x: [0, 1, 2, 3], y: [1, 3, 5, 7.5] };
const line = (/** @type {Gradlock} */ g) => (/** @type {any} */ x, /** @type {any} */ p) =>
  g.add(g.mul(p.slope, x), p.level);

/**
 * @param {Gradlock} g
 * @param {Gradlock} other
 * @returns {Fixture}
 */
export const makeFixture = (g, other) => {
  const x = g
    .variable(
      [
        [1, 2],
        [3, 4],
      ],
      { name: 'x' },
    )
    .lock([[0, 1]]);
  const drag = x.locks.holder('drag').lock([[1, 1]]);
  const program = g.compile(() => g.sum(g.square(x)));
  const residuals = g.compile(() => g.square(x));
  const optimizer = g.optimizers.adam();
  optimizer.minimize(program, { variables: [x] });
  const [deadTensor, deadVariable, deadProgram] = [
    g.tensor([1]),
    g.variable([1]),
    g.compile(() => g.sum(x)),
  ];
  for (const one of [deadTensor, deadVariable, deadProgram]) one.dispose();
  const fits = fit.fitting(g);
  const parameters = fits.parameters({ slope: 1, level: { value: 0, min: -9, max: 9 } });
  return {
    fits,
    parameters,
    line,
    fit: fits.curve(line(g), { x: LINE.x, y: LINE.y, parameters }),
    g,
    x,
    drag,
    program,
    residuals,
    optimizer,
    t: g.tensor([
      [1, 0],
      [0, 1],
    ]),
    v: g.tensor([0, 1, 1, 0]),
    image: g.tensor(IMAGE, [1, 4, 4, 1]),
    kernel: g.tensor([1, 2, 3, 4], [2, 2, 1, 1]),
    locks: g.locks([2, 2], [[0, 0]]),
    lbfgs: g.optimizers.lbfgs(),
    levenbergMarquardt: g.optimizers.levenbergMarquardt(),
    tape: g.tape(() => g.sum(g.square(x)), { persistent: true }),
    generator: g.random(1),
    schedule: g.schedules.cosineDecay({ initialLearningRate: 1, decaySteps: 10 }),
    loss: () => g.sum(g.square(x)),
    deadTensor,
    deadVariable,
    deadProgram,
    foreignTensor: other.tensor([
      [1, 2],
      [3, 4],
    ]),
    foreignVariable: other.variable([
      [1, 2],
      [3, 4],
    ]),
  };
};

const OWNED = [
  'tape',
  'program',
  'residuals',
  'optimizer',
  'lbfgs',
  'levenbergMarquardt',
  'x',
  't',
  'v',
  'image',
  'kernel',
  'locks',
];

/** @param {Fixture} f */
export const disposeFixture = (f) => {
  for (const name of [...OWNED, 'foreignTensor', 'foreignVariable', 'parameters'])
    f[name].dispose();
};

/** Whether a call disposed what later calls need. @param {Fixture} f */
export const isSpent = (f) =>
  f.parameters.variable.disposed || OWNED.some((name) => f[name].disposed);

/** The objects whose methods are called, by the name that base arguments know them by. @param {Fixture} f */
export const targetsOf = (f) => ({
  g: f.g,
  variable: f.x,
  tensor: f.t,
  locks: f.locks,
  ownLocks: f.x.locks,
  holder: f.drag,
  optimizer: f.optimizer,
  lbfgs: f.lbfgs,
  levenbergMarquardt: f.levenbergMarquardt,
  program: f.program,
  tape: f.tape,
  generator: f.generator,
  schedule: f.schedule,
  initializers: f.g.initializers,
  losses: f.g.losses,
  schedules: f.g.schedules,
  optimizers: f.g.optimizers,
  fits: f.fits,
  parameters: f.parameters,
  fit: f.fit,
  distributions: fit,
});

/** Not in the declarations, since `@internal`; that they are not is checked. */
const INTERNAL = new Set(
  'retire readAfter content enlist adopt failLocked option restored followOwnRate moveTo advance attach label kind cloneable own parameters.boundIn parameters.index parameters.at parameters.tensors'.split(
    ' ',
  ),
);

/** The method that a getter of a strict class gives, if it is one. @param {PropertyDescriptor} own */
const methodOf = ({ get }) => {
  try {
    return get?.call(undefined);
  } catch {
    return undefined; // a property, which needs its object
  }
};

/**
 * Every public method, and every property that can be set, as `target.name` and `target.name=`.
 * @param {Fixture} f
 */
export const publicMethods = (f) => {
  const found = [];
  for (const [target, object] of Object.entries(targetsOf(f))) {
    const names = new Set();
    for (
      let level = object;
      level && level !== Object.prototype;
      level = Object.getPrototypeOf(level)
    ) {
      for (const [name, own] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
        const { value = methodOf(own), set } = own;
        if (name === 'constructor' || names.has(name)) continue;
        if (INTERNAL.has(name) || INTERNAL.has(`${target}.${name}`)) continue;
        names.add(name);
        if (typeof value === 'function') found.push(`${target}.${name}`);
        else if (set && !(/** @type {any} */ (set).isRefusal)) found.push(`${target}.${name}=`);
      }
    }
  }
  return found;
};

/** Names of INTERNAL that the published declarations do have. @param {string} directory */
export const internalButDeclared = (directory) =>
  [
    'tensors/resource',
    'locks/variable',
    'optim/optimizer',
    'tensors/random',
    'optim/schedules',
    'tensors/tensor',
    'fit/parameters',
  ].flatMap((file) => {
    const text = readFileSync(`${directory}/${file}.d.ts`, 'utf8');
    return [...INTERNAL].filter((internal) => {
      const [target, name = target] = internal.split('.');
      const isElsewhere = internal.includes('.') && !file.endsWith(`/${target}`);
      if (isElsewhere || name === 'kind' || name === 'own') return false;
      return new RegExp(`^    (get )?${name}\\(`, 'm').test(text);
    });
  });
