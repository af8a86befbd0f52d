// The error of gradlock/keep.
import { GradlockError } from '../base/errors.js';

/**
 * @typedef {'damaged' | 'foreign' | 'newer' | 'full' | 'busy' | 'blocked' | 'failed'} KeepReason
 */

/** Reasons by the names of browsers' errors and the codes of Node.js's. @type {[RegExp, KeepReason][]} */
const REASONS = [
  [/^(QuotaExceededError|ENOSPC|EDQUOT|EFBIG)$/, 'full'],
  [/^(SecurityError|NotAllowedError|InvalidStateError|EACCES|EPERM|EROFS)$/, 'blocked'],
];

/** @type {Partial<Record<KeepReason, string>>} */
const HINTS = {
  full: 'the storage is full: remove() runs that are not needed, or free space',
  blocked: 'storage is not allowed here, as in some private windows, frames and folders',
};

/** A state could not be read or saved. The `cause` is the platform's own error, if there is one. */
export class KeepError extends GradlockError {
  /**
   * @internal
   * @param {string} message
   * @param {KeepReason} reason
   * @param {unknown} [cause]
   */
  constructor(message, reason, cause) {
    super(message, 'GLK_ERROR_KEEP', cause === undefined ? undefined : { cause });
    /**
     * `'damaged'`, `'foreign'` or `'newer'` record; storage that is `'full'` or `'blocked'`;
     * `'busy'`: another tab or worker writes this name; `'failed'`: anything else.
     * @type {KeepReason}
     */
    this.reason = reason;
  }

  /**
   * The error for what a platform threw.
   * @internal
   * @param {any} cause
   * @param {string} what
   */
  static from(cause, what) {
    if (cause instanceof KeepError) return cause;
    const name = cause?.code?.length ? cause.code : cause?.name;
    const [, reason = 'failed'] = REASONS.find(([pattern]) => pattern.test(name)) ?? [];
    return new KeepError(`${what}: ${HINTS[reason] ?? cause?.message ?? cause}`, reason, cause);
  }
}
Object.defineProperty(KeepError.prototype, 'name', { value: 'KeepError' });
