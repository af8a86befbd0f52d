/** What went wrong, in kind words. The library's own words go beside them, for those who want to look them up. */

import { strings } from '../strings.js';

/**
 * @typedef {{ kind: 'refused', field: string }
 *   | { kind: 'option', field: string, given: string, kept: string }
 *   | { kind: 'notANumber', given: string, kept: string }
 *   | { kind: 'assign', error: Error, index: number }
 *   | { kind: 'failed', error: Error }
 *   | { kind: 'diverged' }
 *   | { kind: 'broken', detail: string }} Trouble
 */

/**
 * @param {Trouble} trouble
 * @param {number} cols of the grid
 * @returns {[text: string, detail?: string]}
 */
export function explain(trouble, cols) {
  const words = strings.messages;
  switch (trouble.kind) {
    case 'refused':
      return [words.refused(trouble.field)];
    case 'option': {
      const say = words.options[trouble.field];
      return [say ? say(trouble.given, trouble.kept) : words.refused(trouble.field)];
    }
    case 'notANumber':
      return [words.notANumber(trouble.given, trouble.kept)];
    case 'assign': {
      const { error, index } = trouble;
      const isLocked = error.name === 'LockedElementError';
      const text = isLocked
        ? words.locked(Math.floor(index / cols) + 1, (index % cols) + 1)
        : words.failed;
      return [text, `${error.name}: ${error.message}`];
    }
    case 'failed':
      return [words.failed, `${trouble.error.name}: ${trouble.error.message}`];
    case 'diverged':
      return [words.diverged];
    case 'broken':
      return [words.broken, trouble.detail];
  }
}
