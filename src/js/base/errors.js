// Error classes, one for each kind of error, with the C status as `code`. Wrong JavaScript types (a
// string where a shape belongs) are the language's own TypeError instead.
import { KIND } from './kind.js';

/**
 * Any error that gradlock throws about the state or the values of its objects. `instanceof` holds
 * across the entries of the package and copies of it.
 */
export class GradlockError extends Error {
  /** Name of the C status, such as `'GLK_ERROR_SHAPE'`. @type {string} */
  code;

  /**
   * @param {string} message The given and the expected value.
   * @param {string} [code] Default: the code of the class.
   * @param {{ cause?: unknown }} [options] The error's cause.
   */
  constructor(message, code, options) {
    super(message, options);
    this.code = code ?? codes.get(new.target) ?? 'GLK_ERROR_ARGUMENT';
  }
}

/** Shapes, ranks or counts do not fit each other. */
export class ShapeError extends GradlockError {}

/** An index or axis is outside of its range. */
export class IndexError extends GradlockError {}

/** The object belongs to another instance, is of another kind, or is gone. */
export class HandleError extends GradlockError {}

/** The object, or the whole instance, was disposed before this use. */
export class DisposedError extends HandleError {}

/** The write would change locked elements; nothing was written. */
export class LockedElementError extends GradlockError {
  /**
   * @param {string} message
   * @param {{ index: number[], flatIndex: number, count: number }} conflict
   */
  constructor(message, { index, flatIndex, count }) {
    super(message);
    /** Index of the first offending element, one number per axis. */
    this.index = index;
    /** Row-major index of the first offending element. */
    this.flatIndex = flatIndex;
    /** How many locked elements the write would change. */
    this.count = count;
  }
}

/** Not possible while recording: reading a value not computed yet, or recording inside another. */
export class RecordingError extends GradlockError {}

/** The gradient does not exist: the loss is not a scalar, or does not use the variable. */
export class GradientError extends GradlockError {}

/** An option is unknown or outside of its range. */
export class OptionError extends GradlockError {}

/** Memory could not be allocated; nothing was changed. */
export class OutOfMemoryError extends GradlockError {}

/** A limit of the library or of the platform is reached. */
export class LimitError extends GradlockError {}

/** Saved bytes or text are corrupt, cut short, or of another version. */
export class FormatError extends GradlockError {}

/** Locked elements break a constraint, and free elements cannot repair it; nothing was changed. */
export class ConstraintError extends GradlockError {}

/**
 * The library could not be loaded: something went wrong between `init()` and the first call. The
 * message says what, and how to fix it.
 */
export class LoadError extends GradlockError {
  /** @param {string} message @param {{ url?: string, hint: string, cause?: unknown }} details */
  constructor(message, { url = '', hint, cause }) {
    super(`${message}: ${hint}`, undefined, cause === undefined ? undefined : { cause });
    /** The address of gradlock.wasm; empty if it did not come from an address. */
    this.url = url;
    /** The action that fixes it. */
    this.hint = hint;
  }
}

/** A call was interrupted in WebAssembly. This instance is unusable; call `init()` again. */
export class BrokenInstanceError extends GradlockError {
  /** @param {string} message @param {{ cause?: unknown }} options The reason, as `cause`. */
  constructor(message, options) {
    super(message, undefined, options);
  }
}

/** `instanceof` for the errors of any copy. @this {{ prototype: any }} @param {unknown} value */
function isInstance(value) {
  if (!Object.hasOwn(this.prototype, KIND)) {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
  for (let level = value; typeof level === 'object' && level !== null; ) {
    const kind = Object.getOwnPropertyDescriptor(level, KIND);
    if (kind?.value === this.prototype.name) return true;
    level = Object.getPrototypeOf(level);
  }
  return false;
}
Object.defineProperty(GradlockError, Symbol.hasInstance, { value: isInstance });

/** @type {Map<Function, string>} */
const codes = new Map();
/**
 * Names are literal, as minifiers rename classes, and on prototypes, where stack traces look.
 * @param {Function} type
 * @param {string} name
 * @param {string} status
 */
const define = (type, name, status) => {
  Object.defineProperty(type.prototype, 'name', {
    value: name,
    configurable: true,
    writable: true,
  });
  Object.defineProperty(type.prototype, KIND, { value: name });
  codes.set(type, `GLK_ERROR_${status}`);
};

define(GradlockError, 'GradlockError', 'ARGUMENT');
define(ShapeError, 'ShapeError', 'SHAPE');
define(IndexError, 'IndexError', 'INDEX');
define(HandleError, 'HandleError', 'HANDLE');
define(DisposedError, 'DisposedError', 'HANDLE');
define(LockedElementError, 'LockedElementError', 'LOCKED');
define(RecordingError, 'RecordingError', 'RECORDING');
define(GradientError, 'GradientError', 'GRADIENT');
define(OptionError, 'OptionError', 'OPTION');
define(OutOfMemoryError, 'OutOfMemoryError', 'OUT_OF_MEMORY');
define(LimitError, 'LimitError', 'LIMIT');
define(FormatError, 'FormatError', 'FORMAT');
define(ConstraintError, 'ConstraintError', 'CONSTRAINT');
define(LoadError, 'LoadError', 'LOAD');
define(BrokenInstanceError, 'BrokenInstanceError', 'BROKEN');
