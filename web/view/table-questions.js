/** Asks for a table's header and the kinds of its columns; detected answers are preselected. */

import { strings } from '../strings/index.js';
import { h } from './dom.js';
import { SelectField } from './fields.js';

/** @typedef {ReturnType<typeof import('../state/own.js').readNumbers> | ReturnType<typeof import('../state/points.js').readPoints>} Result */
/** @typedef {[value: unknown, text: string][]} Options */
/** A question, by the key of its answer. @typedef {Record<string, [label: string, value: unknown, options: Options]>} Questions */

/** Returns what may be asked about a table; of one that is refused, what would settle it. @param {Result} result @returns {Questions} */
function questionsOf(result) {
  const words = strings.own.questions;
  const headers = /** @type {Options} */ (words.headers.map((name, i) => [i === 0, name]));
  if ('problem' in result) {
    const marks = /** @type {Options} */ (words.marks.map((name, i) => ['.,'[i], name]));
    if (result.problem === 'header') return { header: [words.header, '', headers] };
    const isDecimal = ['grouped', 'decimals'].includes(result.problem);
    return isDecimal ? { decimal: [words.decimal, '', marks] } : {};
  }
  const { columns = [], hasHeader } = result.reading;
  if (columns.length === 0) return {};
  const offered = /** @type {Options} */ (columns.map((name, i) => [i, name]));
  const orNone = /** @type {Options} */ ([[-1, words.none], ...offered]);
  const header = /** @type {Questions[string]} */ ([words.header, hasHeader, headers]);
  if (!('taken' in result.reading)) {
    return { names: [words.names, result.reading.names, orNone], header };
  }
  const [x, y, sigma = -1] = result.reading.taken;
  return { x: ['x', x, offered], y: ['y', y, offered], sigma: ['σ', sigma, orNone], header };
}

export class TableQuestions {
  element = h('div', { class: 'own-questions row wrap' });

  /** @param {Result} result @param {(answer: Record<string, unknown>) => void} onAnswer */
  ask(result, onAnswer) {
    const fields = Object.entries(questionsOf(result)).map(([key, [label, value, options]]) => {
      const field = new SelectField(label, (text) => onAnswer({ [key]: JSON.parse(text) }));
      field.offer(options.map(([option, name]) => [JSON.stringify(option), name]));
      field.set(JSON.stringify(value));
      return field.element;
    });
    // An answer draws the questions again, and the keyboard stays where it was.
    const selects = () => Array.from(this.element.querySelectorAll('select'));
    const focused = selects().indexOf(/** @type {HTMLSelectElement} */ (document.activeElement));
    this.element.replaceChildren(...fields);
    selects()[focused]?.focus();
  }
}
