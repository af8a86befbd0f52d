// The errors of the library: one class per way to be wrong, each with the C status it stands for as `code`.
// Wrong JavaScript types (a string where a shape belongs) are the language's own TypeError instead.

/** Any error that gradlock throws about the state or the values of its objects. */
export class GradlockError extends Error {
  /** Name of the C status, such as `'GLK_ERROR_SHAPE'`. @type {string} */
  code;

  /**
   * @param {string} message What was given and what was expected.
   * @param {string} [code] Of the class, unless given.
   */
  constructor(message, code) {
    super(message);
    this.code = code ?? codes.get(new.target) ?? 'GLK_ERROR_ARGUMENT';
  }
}

/** Shapes, ranks or counts do not fit each other. */
export class ShapeError extends GradlockError {}

/** An index or axis lies outside of its range. */
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

/** Not possible while recording: reading a value that is not computed yet, or a recording inside another. */
export class RecordingError extends GradlockError {}

/** There is no such gradient: the loss is not a scalar, or does not use the variable. */
export class GradientError extends GradlockError {}

/** An option is unknown or outside of its range. */
export class OptionError extends GradlockError {}

/** Memory could not be had; everything is as it was. */
export class OutOfMemoryError extends GradlockError {}

/** A limit of the library or of the platform is reached. */
export class LimitError extends GradlockError {}

/** Saved bytes or text are corrupt, cut short, or of another version. */
export class FormatError extends GradlockError {}

/** Locked elements break a constraint that the free ones cannot mend; nothing was changed. */
export class ConstraintError extends GradlockError {}

// Names are spelled out, because minifiers rename classes, and stand on prototypes, where stack traces look for them.
// Where two classes share a status, the later is what a failed C call becomes: foreign objects never get that far.
const classes = /** @type {const} */ ([
  [GradlockError, 'GradlockError', 'ARGUMENT'],
  [ShapeError, 'ShapeError', 'SHAPE'],
  [IndexError, 'IndexError', 'INDEX'],
  [HandleError, 'HandleError', 'HANDLE'],
  [DisposedError, 'DisposedError', 'HANDLE'],
  [LockedElementError, 'LockedElementError', 'LOCKED'],
  [RecordingError, 'RecordingError', 'RECORDING'],
  [GradientError, 'GradientError', 'GRADIENT'],
  [OptionError, 'OptionError', 'OPTION'],
  [OutOfMemoryError, 'OutOfMemoryError', 'OUT_OF_MEMORY'],
  [LimitError, 'LimitError', 'LIMIT'],
  [FormatError, 'FormatError', 'FORMAT'],
  [ConstraintError, 'ConstraintError', 'CONSTRAINT'],
]);

/** @type {Map<Function, string>} */
const codes = new Map();
/** @type {Map<string, typeof GradlockError>} */
const classOf = new Map([['GLK_ERROR_KIND', HandleError]]);

for (const [type, name, status] of classes) {
  const code = `GLK_ERROR_${status}`;
  Object.defineProperty(type.prototype, 'name', {
    value: name,
    configurable: true,
    writable: true,
  });
  codes.set(type, code);
  if (type !== LockedElementError) classOf.set(code, /** @type {typeof GradlockError} */ (type));
}

/**
 * The error for a failed C call. LockedElementError is made where the variable is known.
 * @param {string} code Name of the status.
 * @param {string} message
 * @returns {GradlockError}
 */
export const errorFromStatus = (code, message) =>
  new (classOf.get(code) ?? GradlockError)(message, code);
