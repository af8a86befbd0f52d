/** The texts of problems, with the library's own message as a detail. */

import { strings } from '../strings/index.js';

/**
 * @typedef {{ kind: 'refused' | 'link', field: string }
 *   | { kind: 'file' | 'tooLong' }
 *   | { kind: 'edits', left: number }
 *   | { kind: 'own', problem: import('../state/own.js').OwnProblem | { problem: 'image' } }
 *   | { kind: 'option', field: string, given: string, kept: string }
 *   | { kind: 'notANumber' | 'grouped' | 'beyond', given: string, kept: string }
 *   | { kind: 'assign', error: Error, row: number, col: number }
 *   | { kind: 'bound', error: Error }
 *   | { kind: 'range', name: string }
 *   | { kind: 'failed' | 'drawing' | 'offline', error: Error }
 *   | { kind: 'diverged' | 'tooLarge' }
 *   | { kind: 'broken', detail: string }} Trouble
 */

/** @param {Trouble} trouble @returns {[text: string, detail?: string]} */
export function explain(trouble) {
  const words = strings.messages;
  switch (trouble.kind) {
    case 'refused':
      return [words.refused(trouble.field)];
    case 'link':
      return [trouble.field === 'scene' ? words.noScene : words.link(trouble.field)];
    case 'file':
      return [words.file];
    case 'tooLong':
      return [strings.share.tooLong];
    case 'own': {
      const { problem, ...where } = /** @type {any} */ (trouble.problem);
      return [`${strings.own.problems[problem](where)} ${strings.own.stays}`];
    }
    case 'option': {
      const { field, given, kept } = trouble;
      return [field in words.options ? words.options[field](given, kept) : words.refused(field)];
    }
    case 'notANumber':
    case 'grouped':
    case 'beyond':
      return [words[trouble.kind](trouble.given, trouble.kept)];
    case 'assign': {
      const { error } = trouble;
      const isLocked = error.name === 'LockedElementError';
      const isOutside = error.name === 'BoundError';
      const text = isLocked
        ? words.locked(trouble.row, trouble.col)
        : words[isOutside ? 'outside' : 'failed'];
      return [text, `${error.name}: ${error.message}`];
    }
    case 'range':
      return [words.range(trouble.name)];
    case 'bound':
    case 'failed':
    case 'drawing':
    case 'offline':
      return [words[trouble.kind], `${trouble.error.name}: ${trouble.error.message}`];
    case 'diverged':
    case 'tooLarge':
      return [words[trouble.kind]];
    case 'edits':
      return [words.edits(trouble.left)];
    case 'broken':
      // Without an origin, the page is in a sandboxed frame; from a disk, workers do start.
      return [origin === 'null' ? words.sandboxed : words.broken, trouble.detail];
  }
}
