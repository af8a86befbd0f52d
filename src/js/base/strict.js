// Objects that refuse what would have no effect: an argument too many, a property that they do not
// have, and the assignment of a method or of a read-only property. JavaScript ignores the first and
// accepts the others silently.
import { limitArguments } from './arity.js';
import { suggest } from './suggest.js';

/** @param {any} object @param {string} key @param {Record<string, string>} advice */
const refuseProperty = (object, key, advice) => {
  const owner = object.label ?? 'it';
  const names = [];
  for (let level = object; level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    names.push(...Object.getOwnPropertyNames(level));
  }
  const isKnown = names.includes(key);
  const hint = Object.hasOwn(advice, key) ? advice[key] : isKnown ? '' : suggest(key, names, false);
  const what = isKnown ? `${key} of ${owner} cannot be set` : `${owner} has no property '${key}'`;
  throw new TypeError(hint ? `${what}: ${hint}` : what);
};

/**
 * Makes classes strict, and those that they extend: their methods refuse an argument too many.
 * With advice, nothing but their own properties can be set on their objects, except for symbols,
 * and anything while an object's first field is true.
 * @param {readonly Function[]} classes
 * @param {object} [options]
 * @param {readonly string[]} [options.anyNumber] Methods that take any number of arguments.
 * @param {Record<string, string>} [options.advice] What to write instead, by property.
 * @param {string} [options.field] The first field of their objects. Where a bundler lowers class
 *   fields, they are assigned.
 */
export const makeStrict = (classes, { anyNumber, advice, field = '' } = {}) => {
  for (const { prototype } of classes) {
    limitArguments(prototype, anyNumber, advice && ((...at) => define(...at, advice, field)));
  }
};

/**
 * Defines a property of a prototype, which its objects cannot set unless it has a setter.
 * @param {any} prototype
 * @param {string} key
 * @param {PropertyDescriptor} own
 * @param {Record<string, string>} advice
 * @param {string} field
 */
const define = (prototype, key, { value, get = () => value, set }, advice, field) => {
  /** @this {object} */
  function refuse() {
    refuseProperty(this, key, advice);
  }
  refuse.isRefusal = true; // for those who look for what can be set
  Object.defineProperty(prototype, key, { get, set: set ?? refuse, configurable: true });
  if (Object.getPrototypeOf(prototype) !== Object.prototype) return;
  // What a root's objects do not have is looked for here, once a property is set.
  const unknown = new Proxy(Object.create(Object.prototype), {
    set(_, key, value, object) {
      if (typeof key === 'string' && key !== field && object[field] !== true)
        refuseProperty(object, key, advice);
      const own = { value, writable: true, enumerable: true, configurable: true };
      return Reflect.defineProperty(object, key, own);
    },
  });
  Object.setPrototypeOf(prototype, unknown);
};
