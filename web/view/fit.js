/**
 * The report of a scene's fit, in a fold: what gradlock/fit has found from where the run is, with
 * fields for each parameter's bounds, and the library's own report as text.
 */

import { namesOf, strings } from '../strings/index.js';
import { button, fold, h, setText, tools } from './dom.js';
import { formatInput, parseNumber } from './format.js';

/** @import { FitNews, FitRow } from '../engine/protocol.js' */

/** A reduced chi square above this is far from 1, which the noise alone gives. */
const POOR = 3;

/**
 * @typedef {object} FitIntents
 * @property {() => void} take  moves the cells to the fit
 * @property {(index: number, min: number | null, max: number | null) => void} bound  in units of the cell
 * @property {(name: string) => void} refuse  what was typed is no range of this parameter
 */

/** Writes a value to the second digit of its error. @param {number} value @param {number | null} error */
function rounded(value, error) {
  if (error === null || !(error > 0 && error < Infinity)) return sixDigits(value).replace('-', '−');
  const most = Math.max(Math.abs(value), error);
  const digits = Math.floor(Math.log10(most)) - Math.floor(Math.log10(error)) + 2;
  return value.toPrecision(Math.min(Math.max(digits, 2), 12)).replace('-', '−');
}

/** @param {number} value */
const sixDigits = (value) => formatInput(Number(value.toPrecision(6)));

/**
 * Shows a row's bounds in its fields.
 * @param {HTMLInputElement[]} fields
 * @param {FitRow} row
 * @param {Element | null} [kept] a field that keeps its text
 */
function fill(fields, { min, max }, kept = null) {
  [min, max].forEach((end, side) => {
    if (fields[side] !== kept) fields[side].value = Number.isFinite(end) ? sixDigits(end) : '';
  });
}

/** @param {FitRow} row */
function foundText({ value, error, status }) {
  const words = strings.fit;
  const off = error === null ? '' : error.toPrecision(2);
  if (status === 'locked') return `${rounded(value, null)} ${words.exact}`;
  if (error === null) return rounded(value, null);
  if (error === Infinity) return `${rounded(value, null)} ± ∞`;
  if (status === 'min' || status === 'max') {
    return `${rounded(value, null)} ${status === 'min' ? '+' : '−'} ${off}, ${words.heldAt[status]}`;
  }
  return `${rounded(value, error)} ± ${off}`;
}

export class FitPanel {
  #intents;
  #told = h('p');
  #undetermined = h('p', { hidden: true });
  #rows = h('tbody');
  #text = h('pre', { class: 'code', lang: 'en', tabindex: 0, role: 'group' });
  #take;
  /** The shown parameters. @type {{ name: string, found: HTMLElement, ends: HTMLInputElement[] }[]} */
  #shown = [];
  /** @type {FitNews | null} */
  #fit = null;

  /** @param {HTMLElement} host @param {FitIntents} intents */
  constructor(host, intents) {
    const words = strings.fit;
    this.#intents = intents;
    this.#take = button(words.take, intents.take);
    this.#text.setAttribute('aria-label', words.text);
    host.setAttribute('aria-label', words.label);
    const heads = [words.parameter, words.found, words.min, words.max];
    const head = h('tr', {}, ...heads.map((name) => h('th', { scope: 'col' }, name)));
    const caption = h('caption', {}, words.caption);
    const table = h('table', { class: 'fit-table' }, caption, h('thead', {}, head), this.#rows);
    const text = fold('down', words.text, () => {}, this.#text);
    const parts = [this.#told, this.#undetermined, tools(this.#take), table, text];
    host.append(fold('down', words.label, () => {}, ...parts));
  }

  /** @param {FitNews | null} fit @param {string} scene */
  draw(fit, scene) {
    if (!fit || fit === this.#fit) return;
    this.#fit = fit;
    const words = strings.fit;
    const nameOf = namesOf(scene);
    const names = fit.rows.map(({ row, col }) => `${nameOf(col)} ${nameOf(row)}`);
    if (String(this.#shown.map(({ name }) => name)) !== String(names)) this.#build(names);
    fit.rows.forEach((row, i) => {
      const { found, ends } = this.#shown[i];
      setText(found, fit.refusal ? '–' : foundText(row));
      // Not over what a person is typing.
      fill(ends, row, document.activeElement);
    });
    const { reducedChiSquare, degreesOfFreedom, isScaled, undetermined } = fit;
    const told = fit.refusal
      ? [words.refused, fit.refusal.message]
      : [
          words.stopped[fit.stopReason],
          words.chi(reducedChiSquare.toPrecision(3), degreesOfFreedom),
          isScaled ? words.fromResiduals : words.fromSigma,
          !isScaled && reducedChiSquare > POOR ? words.poor : '',
        ];
    setText(this.#told, told.filter(Boolean).join(' '));
    const groups = undetermined.map((cells) => cells.map((cell) => names[cell]).join(', '));
    setText(this.#undetermined, groups.length ? words.undetermined(groups.join('; ')) : '');
    this.#undetermined.hidden = groups.length === 0;
    setText(this.#text, fit.text);
    this.#take.hidden = fit.refusal !== null;
  }

  /** @param {string[]} names */
  #build(names) {
    const { min, max } = strings.fit;
    this.#shown = names.map((name, index) => ({
      name,
      found: h('td', { class: 'fit-found' }),
      ends: [min, max].map((end) =>
        h('input', {
          ...{ type: 'text', inputmode: 'decimal', autocomplete: 'off', class: 'fit-end' },
          'aria-label': `${name}: ${end}`,
          onchange: () => this.#read(index),
        }),
      ),
    }));
    const rows = this.#shown.map(({ name, found, ends }) =>
      h('tr', {}, h('th', { scope: 'row' }, name), found, ...ends.map((end) => h('td', {}, end))),
    );
    this.#rows.replaceChildren(...rows);
  }

  /** Reads the bounds that a person typed. @param {number} index */
  #read(index) {
    const { name, ends } = this.#shown[index];
    const row = this.#fit?.rows[index];
    if (!row) return;
    const [min, max] = ends.map(({ value }) =>
      value.trim() === '' ? null : (parseNumber(value) - row.offset) / row.unit,
    );
    const isNumber = (/** @type {number | null} */ end) =>
      end === null || Number.isFinite(Math.fround(end));
    if (isNumber(min) && isNumber(max) && (min === null || max === null || min <= max)) {
      this.#intents.bound(index, min, max);
      return;
    }
    fill(ends, row);
    this.#intents.refuse(name);
  }
}
