// The errors of the library: one class per way to be wrong, each with the C status it stands for as `code`.
// Wrong JavaScript types (a string where a shape belongs) are the language's own TypeError instead.

/** Any error that gradlock throws about the state or the values of its objects. */
export class GradlockError extends Error {
  /**
   * @param {string} message What was given and what was expected.
   * @param {string} [code] Name of the C status, such as `'GLK_ERROR_SHAPE'`.
   * @param {string} [name] Name of the class, spelled out because minifiers rename classes.
   */
  constructor(message, code = 'GLK_ERROR_ARGUMENT', name = 'GradlockError') {
    super(message);
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true });
    /** Name of the C status. */
    this.code = code;
  }
}

/** Shapes, ranks or counts do not fit each other. */
export class ShapeError extends GradlockError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_SHAPE', 'ShapeError');
  }
}

/** An index or axis lies outside of its range. */
export class IndexError extends GradlockError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_INDEX', 'IndexError');
  }
}

/** The object belongs to another instance, is of another kind, or is gone. */
export class HandleError extends GradlockError {
  /**
   * @param {string} message
   * @param {string} [code]
   * @param {string} [name]
   */
  constructor(message, code = 'GLK_ERROR_HANDLE', name = 'HandleError') {
    super(message, code, name);
  }
}

/** The object, or the whole instance, was disposed before this use. */
export class DisposedError extends HandleError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_HANDLE', 'DisposedError');
  }
}

/** The write would change locked elements; nothing was written. */
export class LockedElementError extends GradlockError {
  /**
   * @param {string} message
   * @param {{ index: number[], flatIndex: number, count: number }} conflict
   */
  constructor(message, { index, flatIndex, count }) {
    super(message, 'GLK_ERROR_LOCKED', 'LockedElementError');
    /** Index of the first offending element, one number per axis. */
    this.index = index;
    /** Row-major index of the first offending element. */
    this.flatIndex = flatIndex;
    /** How many locked elements the write would change. */
    this.count = count;
  }
}

/** Not possible while recording: reading a value that is not computed yet, or a recording inside another. */
export class RecordingError extends GradlockError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_RECORDING', 'RecordingError');
  }
}

/** There is no such gradient: the loss is not a scalar, or does not use the variable. */
export class GradientError extends GradlockError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_GRADIENT', 'GradientError');
  }
}

/** An option is unknown or outside of its range. */
export class OptionError extends GradlockError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_OPTION', 'OptionError');
  }
}

/** Memory could not be had; everything is as it was. */
export class OutOfMemoryError extends GradlockError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_OUT_OF_MEMORY', 'OutOfMemoryError');
  }
}

/** A limit of the library or of the platform is reached. */
export class LimitError extends GradlockError {
  /** @param {string} message */
  constructor(message) {
    super(message, 'GLK_ERROR_LIMIT', 'LimitError');
  }
}

/**
 * The error for a failed C call. LockedElementError is made where the variable is known.
 * @param {string} code Name of the status.
 * @param {string} message
 * @returns {GradlockError}
 */
export const errorFromStatus = (code, message) => {
  switch (code) {
    case 'GLK_ERROR_SHAPE':
      return new ShapeError(message);
    case 'GLK_ERROR_INDEX':
      return new IndexError(message);
    case 'GLK_ERROR_HANDLE': // foreign objects are refused before C is entered
      return new DisposedError(message);
    case 'GLK_ERROR_KIND':
      return new HandleError(message, code);
    case 'GLK_ERROR_RECORDING':
      return new RecordingError(message);
    case 'GLK_ERROR_GRADIENT':
      return new GradientError(message);
    case 'GLK_ERROR_OPTION':
      return new OptionError(message);
    case 'GLK_ERROR_OUT_OF_MEMORY':
      return new OutOfMemoryError(message);
    case 'GLK_ERROR_LIMIT':
      return new LimitError(message);
    default:
      return new GradlockError(message, code);
  }
};
