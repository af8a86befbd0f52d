// Which error a failed call of C becomes.
import {
  ConstraintError,
  DisposedError,
  FormatError,
  GradientError,
  GradlockError,
  HandleError,
  IndexError,
  LimitError,
  OptionError,
  OutOfMemoryError,
  RecordingError,
  ShapeError,
} from './errors.js';

/**
 * By the name of the status. LockedElementError is made where the variable is known; a handle of
 * another instance never gets as far as C.
 * @type {Map<string, typeof GradlockError>}
 */
const classOf = new Map([
  ['GLK_ERROR_SHAPE', ShapeError],
  ['GLK_ERROR_INDEX', IndexError],
  ['GLK_ERROR_KIND', HandleError],
  ['GLK_ERROR_HANDLE', DisposedError],
  ['GLK_ERROR_RECORDING', RecordingError],
  ['GLK_ERROR_GRADIENT', GradientError],
  ['GLK_ERROR_OPTION', OptionError],
  ['GLK_ERROR_OUT_OF_MEMORY', OutOfMemoryError],
  ['GLK_ERROR_LIMIT', LimitError],
  ['GLK_ERROR_FORMAT', FormatError],
  ['GLK_ERROR_CONSTRAINT', ConstraintError],
]);

/** The error for a failed call of C. @param {string} code The status. @param {string} message */
export const errorFromStatus = (code, message) =>
  new (classOf.get(code) ?? GradlockError)(message, code);
