/**
 * Converts a state to short text for the URL's hash, and back. Reading returns a candidate for the
 * validator; unreadable parts stay in it, so that the validator reports them.
 */

import { fromText, packMask, packValues, toText, unpackValues } from './codec.js';
import { WRITE } from './history.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./history.js').Event} Event */

/** Mail and chat cut longer links off; a file holds any run. */
export const MOST_CHARACTERS = 16_000;

/** Returns a number as text that reads back to the same bits: −0 too, and no "+", which some readers take for a space. @param {number} value */
export const numberText = (value) => (Object.is(value, -0) ? '-0' : String(value).replace('+', ''));

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
    const json = new TextDecoder().decode(fromText(text) ?? undefined);
    const { rowNames, colNames } = JSON.parse(json);
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

/** How a value is written, null if a link leaves it out, and read. @typedef {{ write: (value: any) => string | null, read: (text: string, fields: Record<string, string>) => any }} Kind */

/** @type {Record<string, Kind>} */
const kinds = {
  text: { write: String, read: String },
  number: { write: numberText, read: readNumber },
  // An end of a range, which is empty where there is none.
  end: {
    write: (end) => (end === null ? '' : numberText(end)),
    read: (text) => (text === '' ? null : readNumber(text)),
  },
  numbers: {
    write: (values) => values.map(numberText).join(','),
    read: (text) => text.split(',').map(readNumber),
  },
  bytes: { write: toText, read: fromText },
  mask: {
    write: (mask) => mask && toText(packMask(mask)),
    read: (text) => ({ packed: fromText(text) }),
  },
  optimizer: inOrder('rule text', 'learningRate number', 'momentum number', 'weightDecay number'),
  axis: { write: (isLog) => (isLog ? null : 'linear'), read: (text) => text !== 'linear' },
  own: {
    write: (own) => own && `${own.rows}x${own.cols}x${ownText(own.values)}`,
    read: (text, { names }) => readOwn(text, names),
  },
  log: {
    write: (events) => events.map(eventText).join('~') || null,
    read: (text) => text.split('~').map(readEvent),
  },
};

/** Returns the kind of a record: fields with commas between them; one alone may have commas itself. @param {string[]} fields each with its kind @returns {Kind} */
function inOrder(...fields) {
  const parts = fields.map((field) => field.split(' '));
  return {
    write: (record) =>
      record && parts.map(([name, kind]) => kinds[kind].write(record[name])).join(),
    read(text) {
      const texts = parts.length > 1 ? text.split(',') : [text];
      // What is missing at the end is no field.
      const there = parts.slice(0, texts.length);
      const read = there.map(([name, kind], i) => [name, kinds[kind].read(texts[i], {})]);
      return Object.fromEntries(read);
    },
  };
}

/** The events by the letters that stand for them: what they do, and their fields. @type {Record<string, [what: Event['do'], kind: Kind]>} */
const EVENTS = {
  l: ['locks', inOrder('mask bytes')],
  o: ['optimizer', inOrder('settings optimizer')],
  a: ['assign', inOrder('index number', 'value number')],
  p: ['prune', inOrder('fraction number')],
  u: ['unprune', inOrder()],
  h: ['hold', inOrder('cells numbers')],
  m: [WRITE, inOrder('values numbers')],
  r: ['release', inOrder()],
  s: ['switch', inOrder('to text')],
  b: ['bound', inOrder('index number', 'min end', 'max end')],
};
const LETTERS = Object.fromEntries(
  Object.entries(EVENTS).map(([letter, [what]]) => [what, letter]),
);

/** @param {Event} event */
const eventText = (event) =>
  event.step + LETTERS[event.do] + EVENTS[LETTERS[event.do]][1].write(event);

/** @param {string} text @returns {unknown} */
function readEvent(text) {
  const [, step, letter, rest] = text.match(/^(\d+)([loapuhmrsb])(.*)$/) ?? [];
  if (!letter) return null;
  const [what, kind] = EVENTS[letter];
  return { step: Number(step), do: what, ...kind.read(rest, {}) };
}

/** The fields of a link, but its size, a scene's choices, and names: each a field of the state, and its kind. */
const FIELDS = Object.entries({
  ...{ v: 'version number', scene: 'scene text', seed: 'seed number' },
  ...{ optimizer: 'optimizer optimizer', speed: 'speed number', beside: 'beside text' },
  ...{ cell: 'selected number', step: 'step number', rival: 'rival optimizer' },
  ...{ axis: 'logLoss axis', locks: 'locks mask', zeros: 'zeros mask', own: 'own own' },
  log: 'events log',
}).map(([name, field]) => [name, ...field.split(' ')]);

/** Returns a state as named texts, for links and files. @param {State} state @returns {Record<string, string>} */
export function toFields({ rows, cols, choices, ...state }) {
  const { own, beside, rival } = state;
  /** @type {Record<string, unknown>} */
  const shown = { ...state, rival: beside === 'rule' ? rival : null };
  const texts = FIELDS.map(([name, field, kind]) => [name, kinds[kind].write(shown[field])]);
  const { v, scene, ...rest } = Object.fromEntries(texts.filter(([, text]) => text !== null));
  const names = (own?.rowNames || own?.colNames) && { names: namesText(own) };
  return { v, scene, size: `${rows}x${cols}`, ...choices, ...rest, ...names };
}

/** Escapes characters that would end a field or change its meaning. @param {string} value */
const encode = (value) => value.replace(/[%&#+\s]/g, encodeURIComponent);

/** @param {State} state @returns {string} without the # */
export const toLink = (state) =>
  Object.entries(toFields(state))
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&');

/** @param {string} hash with or without the # @returns {Record<string, unknown> | null} a candidate; null if there is none */
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
  const [rows, cols] = fields.size?.split('x').map(readNumber) ?? [];
  const given = FIELDS.filter(([name]) => fields[name] !== undefined);
  const read = given.map(([name, field, kind]) => [field, kinds[kind].read(fields[name], fields)]);
  // A whole link without locks has the scene's own, not those that it opens with.
  const own = fields.v && { locks: null };
  return { scene: '', rows, cols, choices: fields, ...own, ...Object.fromEntries(read) };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
