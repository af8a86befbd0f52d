/* What came of a hostile call: which errors are as they should be. */
import { BrokenInstanceError, GradlockError } from 'gradlock';
import { Mine } from './values.js';

/** What engines say in TypeErrors of their own: a message of ours names what was given. */
const ENGINE =
  /Cannot (read|set|convert|create|destructure|delete|perform|mix)|is not (a function|iterable|a constructor|defined)|circular|private (member|name)|undefined \(|Invalid (array length|typed array)|Reduce of empty|called on|offset is out of bounds|ERR_|[Rr]eceiver|before initialization/;

/**
 * @param {any} error
 * @param {string} where
 * @returns {'mine' | 'traps' | 'typed' | 'typeErrors' | 'untyped'}
 */
export const verdictOf = (error, where) => {
  if (error instanceof Mine) return 'mine';
  if (error instanceof BrokenInstanceError) return 'traps';
  if (error instanceof GradlockError) return 'typed';
  if (error instanceof TypeError && !ENGINE.test(error.message)) return 'typeErrors';
  // The caller's own.
  if (error instanceof RangeError && where.includes('recurses without end')) return 'mine';
  return 'untyped';
};
