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
  const { kind, field, problem, error, detail } = /** @type {any} */ (trouble);
  if (kind === 'tooLong') return [strings.share.tooLong];
  if (kind === 'own') {
    const { problems, stays } = strings.own;
    // The browser says where.
    const where = problem.problem === 'json' ? problem.given : undefined;
    return [`${problems[problem.problem](problem)} ${stays}`, where];
  }
  const words = /** @type {any} */ (strings.messages);
  const { options } = words;
  const text = kind === 'option' && field in options ? options[field] : words[nameOf(trouble)];
  const said = typeof text === 'string' ? text : text(trouble);
  return error ? [said, `${error.name}: ${error.message}`] : [said, detail];
}

/** Returns the name of a trouble's words. @param {Trouble} trouble */
function nameOf(trouble) {
  const { kind } = trouble;
  if (kind === 'option') return 'refused';
  if (kind === 'link' && trouble.field === 'scene') return 'noScene';
  if (kind === 'assign') {
    /** @type {Record<string, string>} */
    const names = { LockedElementError: 'locked', BoundError: 'outside' };
    return names[trouble.error.name] ?? 'failed';
  }
  // Without an origin, the page is in a sandboxed frame; from a disk, workers do start.
  return kind === 'broken' && origin === 'null' ? 'sandboxed' : kind;
}
