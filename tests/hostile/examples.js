/* Arguments of methods, from the examples in their documentation: what an example calls its
 * method with. */

/** @typedef {import('../js/doc-examples.js').Example} Example */
/** @typedef {import('./fixture.js').Fixture} Fixture */

/** Ends an example once its arguments are known. */
class Enough extends Error {}

/** @param {unknown} value */
const isOptions = (value) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** How much a call says: its arguments, and the options among them. @param {unknown[]} args */
const weightOf = (args) =>
  args.reduce(
    (/** @type {number} */ sum, arg) =>
      sum + 1 + (isOptions(arg) ? Object.keys(/** @type {object} */ (arg)).length : 0),
    0,
  );

/**
 * Run an example, with each call of its method told of.
 * @param {Example} example
 * @param {any} g
 * @param {(args: unknown[]) => void} tell
 */
const listen = ({ method, lines }, g, tell) => {
  const [, object, name] = /** @type {[string, string | undefined, string]} */ (
    /** @type {unknown} */ (method.match(/^g\.(?:(\w+)\.)?(\w+)$/))
  );
  /** @param {any} target @returns {any} */
  const listening = (target) =>
    new Proxy(target, {
      get: (_, key) =>
        key !== name
          ? target[key]
          : (/** @type {unknown[]} */ ...args) => {
              tell(args);
              return target[name](...args);
            },
    });
  const heard = object
    ? new Proxy(g, { get: (_, key) => (key === object ? listening(g[object]) : g[key]) })
    : listening(g);
  new Function('g', `'use strict';\n${lines.map(({ code }) => `${code};`).join('\n')}`)(heard);
};

/**
 * The arguments of the call that says most, made anew each time: they may be tensors.
 * @param {Example} example
 * @returns {(f: Fixture) => unknown[]}
 */
export const argumentsOf = (example) => {
  let best = -1;
  return ({ g }) => {
    if (best < 0) {
      /** @type {number[]} */
      const weights = [];
      g.tidy(() => listen(example, g, (args) => weights.push(weightOf(args))));
      best = weights.indexOf(Math.max(...weights));
      if (best < 0) throw new TypeError(`the example of ${example.method} does not call it`);
    }
    let found;
    let calls = 0;
    try {
      listen(example, g, (args) => {
        if (calls++ < best) return;
        found = args;
        throw new Enough();
      });
    } catch (error) {
      if (!(error instanceof Enough)) throw error;
    }
    if (!found) throw new TypeError(`the example of ${example.method} called it less often now`);
    return found;
  };
};
