/**
 * Converts a state to short text for the URL's hash, and back. Reading returns a candidate for the
 * validator; unreadable parts stay in it, so that the validator reports them.
 */

import { fromText, packMask, packValues, toText, unpackValues } from './codec.js';
import { WRITE } from './history.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./history.js').Event} Event */
/** @typedef {import('./rules.js').OptimizerSettings} OptimizerSettings */

/** Mail and chat cut longer links off; a file holds any run. */
export const MOST_CHARACTERS = 16_000;

/** Returns a number as text that reads back to the same bits: −0 too, and no "+", which some readers take for a space. @param {number} value */
export const numberText = (value) => (Object.is(value, -0) ? '-0' : String(value).replace('+', ''));

/** @param {readonly number[]} values */
const numbersText = (values) => values.map(numberText).join(',');

/** @param {OptimizerSettings} settings */
const optimizerText = ({ rule, learningRate, momentum, weightDecay }) =>
  `${rule},${numbersText([learningRate, momentum, weightDecay])}`;

/** @param {string} text */
function readOptimizer(text) {
  const [rule, ...numbers] = text.split(',');
  const [learningRate, momentum, weightDecay] = numbers.map(readNumber);
  return { rule, learningRate, momentum, weightDecay };
}

/** @param {string} text */
export const readNumber = (text) => (text.trim() === '' ? Number.NaN : Number(text));

/** Brightnesses of an image take a byte each; other numbers take four. @param {Float32Array} values */
function ownText(values) {
  const bytes = Uint8Array.from(values, (value) => Math.round((value + 1) * 127.5));
  const isImage = values.every((value, i) => Math.fround(bytes[i] / 127.5 - 1) === value);
  return isImage ? `i${toText(bytes)}` : `f${packValues(values)}`;
}

/** Returns names as base64, since browsers escape most letters in addresses. @param {import('./own.js').Own} own */
const namesText = ({ rowNames, colNames }) =>
  toText(new TextEncoder().encode(JSON.stringify({ rowNames, colNames })));

/** Returns no names for text that is damaged. @param {string} text @returns {{ rowNames?: unknown, colNames?: unknown }} */
function readNames(text) {
  try {
    const { rowNames, colNames } = JSON.parse(
      new TextDecoder().decode(fromText(text) ?? undefined),
    );
    return { ...(rowNames && { rowNames }), ...(colNames && { colNames }) };
  } catch {
    return {};
  }
}

/** Reads the sides, a letter for the kind, and base64, which may contain an "x" itself. @param {string} text @param {string} [names] */
function readOwn(text, names = '') {
  const [, rows, cols, kind, data] = text.match(/^(\d+)x(\d+)x([if])(.*)$/) ?? [];
  if (!kind) return text;
  const bytes = kind === 'i' ? fromText(data) : null;
  const values = bytes ? Float32Array.from(bytes, (byte) => byte / 127.5 - 1) : unpackValues(data);
  return { rows: Number(rows), cols: Number(cols), values, ...readNames(names) };
}

/** @param {Event} event */
function eventText(event) {
  switch (event.do) {
    case 'locks':
      return `${event.step}l${toText(event.mask)}`;
    case 'optimizer':
      return `${event.step}o${optimizerText(event.settings)}`;
    case 'assign':
      return `${event.step}a${numbersText([event.index, event.value])}`;
    case 'prune':
      return `${event.step}p${numberText(event.fraction)}`;
    case 'unprune':
      return `${event.step}u`;
    case 'hold':
      return `${event.step}h${numbersText(event.cells)}`;
    case WRITE:
      return `${event.step}m${numbersText(event.values)}`;
    case 'release':
      return `${event.step}r`;
    case 'switch':
      return `${event.step}s${event.to}`;
    case 'bound': {
      const ends = [event.min, event.max].map((end) => (end === null ? '' : numberText(end)));
      return `${event.step}b${event.index},${ends.join(',')}`;
    }
  }
}

/** @param {string} text @returns {unknown} */
function readEvent(text) {
  const [, step, kind, rest] = text.match(/^(\d+)([loapuhmrsb])(.*)$/) ?? [];
  if (!kind) return null;
  const base = { step: Number(step) };
  if (kind === 'l') return { ...base, do: 'locks', mask: fromText(rest) };
  if (kind === 'o') return { ...base, do: 'optimizer', settings: readOptimizer(rest) };
  if (kind === 'u') return { ...base, do: 'unprune' };
  if (kind === 'p') return { ...base, do: 'prune', fraction: readNumber(rest) };
  if (kind === 'r') return { ...base, do: 'release' };
  if (kind === 's') return { ...base, do: 'switch', to: rest };
  if (kind === 'b') return { ...base, do: 'bound', ...readBound(rest) };
  const numbers = rest.split(',').map(readNumber);
  if (kind === 'h') return { ...base, do: 'hold', cells: numbers };
  if (kind === 'm') return { ...base, do: WRITE, values: numbers };
  const [index, value] = numbers;
  return { ...base, do: 'assign', index, value };
}

/** @param {string} text a cell and its two ends, which are empty where there is none */
function readBound(text) {
  const [index, ...ends] = text.split(',');
  const [min, max] = ends.map((end) => (end === '' ? null : readNumber(end)));
  return { index: readNumber(index), min, max };
}

/** Returns a state as named texts, for links and files. @param {State} state @returns {Record<string, string>} */
export function toFields(state) {
  /** @type {Record<string, string>} */
  const fields = {
    v: String(state.version),
    scene: state.scene,
    size: `${state.rows}x${state.cols}`,
    ...state.choices,
    seed: String(state.seed),
    optimizer: optimizerText(state.optimizer),
    speed: String(state.speed),
    beside: state.beside,
    cell: String(state.selected),
    step: String(state.step),
  };
  if (state.beside === 'rule') fields.rival = optimizerText(state.rival);
  if (!state.logLoss) fields.axis = 'linear';
  if (state.locks) fields.locks = toText(packMask(state.locks));
  if (state.zeros) fields.zeros = toText(packMask(state.zeros));
  if (state.own) fields.own = `${state.own.rows}x${state.own.cols}x${ownText(state.own.values)}`;
  if (state.own?.rowNames || state.own?.colNames) fields.names = namesText(state.own);
  if (state.events.length) fields.log = state.events.map(eventText).join('~');
  return fields;
}

/** Escapes characters that would end a field or change its meaning. @param {string} value */
const encode = (value) => value.replace(/[%&#+\s]/g, encodeURIComponent);

/** @param {State} state @returns {string} without the # */
export const toLink = (state) =>
  Object.entries(toFields(state))
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');

/**
 * @param {string} hash with or without the #
 * @returns {Record<string, unknown> | null} a candidate; null if there is none
 */
export function fromLink(hash) {
  return hash.replace(/^#/, '') ? fromFields(fieldsOf(hash)) : null;
}

/**
 * Undoes what programs for chat and mail do to a link: they write & as &amp;, escape all of the hash,
 * even twice or three times, or take punctuation after the link for a part of it.
 * @param {string} hash
 * @returns {string} the same hash if nothing was done to it
 */
export function plainHash(hash) {
  let text = hash;
  for (let i = 0; i < 3 && !text.includes('='); i++) text = decode(text);
  return text.replaceAll('&amp;', '&').replace(/[.;:!?)\]>'"”’»]{1,9}$/, '');
}

/** Returns all fields of a link, known or not. @param {string} hash with or without the # @returns {Record<string, string>} */
export function fieldsOf(hash) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const field of plainHash(hash.replace(/^#/, '')).split('&')) {
    const at = field.indexOf('=');
    if (at > 0) fields[field.slice(0, at)] = decode(field.slice(at + 1));
  }
  return fields;
}

/** @param {Record<string, string>} fields @returns {Record<string, unknown>} a candidate */
export function fromFields(fields) {
  const { v, scene, size, seed, optimizer, rival, speed, beside } = fields;
  const { cell, step, axis, own, names, locks, zeros, log } = fields;
  const [rows, cols] = size?.split('x').map(readNumber) ?? [];
  const number = (/** @type {string | undefined} */ given) =>
    given === undefined ? undefined : readNumber(given);
  return {
    version: number(v),
    scene: scene ?? '',
    rows,
    cols,
    choices: fields,
    seed: number(seed),
    optimizer: optimizer && readOptimizer(optimizer),
    rival: rival && readOptimizer(rival),
    speed: number(speed),
    beside,
    selected: number(cell),
    step: number(step),
    logLoss: axis === undefined ? undefined : axis !== 'linear',
    own: own === undefined ? undefined : readOwn(own, names),
    locks: locks === undefined ? undefined : { packed: fromText(locks) },
    zeros: zeros === undefined ? undefined : { packed: fromText(zeros) },
    events: log?.split('~').map(readEvent),
  };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
