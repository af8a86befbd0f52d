// Makes the result of `tfjs(g, tf)`, once for each pair: locks belong to variables, not to calls.
import { describe } from '../base/check.js';
import { GradlockError } from '../base/errors.js';
import { openKit } from '../base/open-kit.js';
import { guard } from './guard.js';
import { makeOptimizers } from './optimizer.js';
import { Mirrors } from './mirror.js';

/** Properties that all of TensorFlow.js has. */
const NEEDED = ['version_core', 'Optimizer', 'engine', 'serialization'];

/** The first version of TensorFlow.js that this is tested for. */
const OLDEST = 4;

/**
 * By instance and by the engine of TensorFlow.js, which all namespaces of one copy share.
 * @type {WeakMap<object, WeakMap<object, ReturnType<typeof make>>>}
 */
const opened = new WeakMap();

/** @param {unknown} g @param {any} tf */
export const open = (g, tf) => {
  const kit = openKit(g, 'tfjs', 'tfjs takes the result of await init(), then TensorFlow.js');
  if (kit.realBytes !== 4) {
    throw new GradlockError(
      'TensorFlow.js computes in f32 and this instance in f64: take one of gradlock or gradlock/external',
    );
  }
  const known = tf?.version_core;
  const missing = NEEDED.find((name) => !tf?.[name]);
  if (Number.parseInt(known, 10) < OLDEST) {
    throw new GradlockError(`tfjs needs TensorFlow.js ${OLDEST}.0 or later, this is ${known}`);
  }
  if (missing) {
    throw new TypeError(`tfjs takes all of TensorFlow.js, got ${describe(tf)} without ${missing}`);
  }
  const instance = /** @type {import('../gradlock.js').Gradlock} */ (g);
  const ofInstance = opened.get(instance) ?? new WeakMap();
  opened.set(instance, ofInstance);
  const engine = tf.engine();
  const found = ofInstance.get(engine) ?? make(instance, tf, kit.ruleNames());
  ofInstance.set(engine, found);
  return found;
};

/** @param {import('../gradlock.js').Gradlock} g @param {any} tf @param {readonly string[]} rules */
const make = (g, tf, rules) => {
  const mirrors = new Mirrors(g, tf);
  const unguard = guard(tf, mirrors);
  return {
    optimizers: makeOptimizers(g, tf, mirrors, rules),
    locksOf: (/** @type {unknown} */ variable) => mirrors.of(variable, 'locksOf').own,
    forced: (/** @type {unknown} */ variable) => mirrors.of(variable, 'forced').forced,
    dispose: () => {
      unguard();
      mirrors.dispose();
    },
  };
};
