// The error of gradlock/keep. base/errors.js would be a third of the entry, so this class has only
// the mark by which `error instanceof GradlockError` holds.
import { standAlone } from '../base/kind.js';

/**
 * - `'damaged'`, `'foreign'`, `'newer'`: a record cannot be used;
 * - `'full'`, `'blocked'`: the platform does not store more, or nothing;
 * - `'busy'`: another tab or worker writes this name;
 * - `'name'`: the name is too long; `'closed'`: the run was closed;
 * - `'failed'`: anything else.
 * @typedef {'damaged' | 'foreign' | 'newer' | 'full' | 'blocked' | 'busy' | 'name' | 'closed'
 *   | 'failed'} KeepReason
 */

/** Say what a wrong value is. @param {unknown} value */
export const describe = (value) =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 80))
    : value === null
      ? 'null'
      : `a value of type ${typeof value}`;

/** Reasons by the names of browsers' errors and Node.js's codes. @type {[RegExp, KeepReason][]} */
const REASONS = [
  [/^(QuotaExceededError|ENOSPC|EDQUOT|EFBIG)$/, 'full'],
  [/^(SecurityError|NotAllowedError|InvalidStateError|EACCES|EPERM|EROFS)$/, 'blocked'],
];

/** @type {Partial<Record<KeepReason, string>>} */
const HINTS = {
  full: 'the storage is full: remove() runs that are not needed, or free space',
  blocked: 'storage is not allowed here, as in some private windows, frames and folders',
};

/** A state could not be read or saved; `cause` is the platform's own error, if there is one. */
export class KeepError extends Error {
  /** @internal @param {string} message @param {KeepReason} reason @param {unknown} [cause] */
  constructor(message, reason, cause) {
    super(message, cause === undefined ? undefined : { cause });
    /** What went wrong, for programs. @type {KeepReason} */
    this.reason = reason;
    /** The code of this class, as other errors of the library have one. */
    this.code = 'GLK_ERROR_KEEP';
  }

  /** The error for what a platform threw. @internal @param {any} cause @param {string} what */
  static from(cause, what) {
    if (cause instanceof KeepError) return cause;
    const name = cause?.code?.length ? cause.code : cause?.name;
    const [, reason = 'failed'] = REASONS.find(([pattern]) => pattern.test(name)) ?? [];
    return new KeepError(`${what}: ${HINTS[reason] ?? cause?.message ?? cause}`, reason, cause);
  }
}
standAlone(KeepError, 'KeepError', 'GLK_ERROR_KEEP');
