/**
 * A state as text for the URL's hash, short and readable where it can be, and back. Reading gives a candidate for the
 * validator and decides nothing; what cannot be read is left as it stands, so that the validator names it.
 */

import { fromText, packMask, packValues, toText, unpackValues } from './codec.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {import('./history.js').Event} Event */
/** @typedef {import('./rules.js').OptimizerSettings} OptimizerSettings */

/** Longer links are cut off by mail and chat; a file holds any run. */
export const MOST_CHARACTERS = 16_000;

/** @param {OptimizerSettings} settings */
const optimizerText = ({ rule, learningRate, momentum, weightDecay }) =>
  [rule, learningRate, momentum, weightDecay].join(',');

/** @param {string} text */
function readOptimizer(text) {
  const [rule, ...numbers] = text.split(',');
  const [learningRate, momentum, weightDecay] = numbers.map(readNumber);
  return { rule, learningRate, momentum, weightDecay };
}

/** @param {string} text */
const readNumber = (text) => (text.trim() === '' ? Number.NaN : Number(text));

/** Brightnesses of an image fit a byte each; other numbers take four. @param {Float32Array} values */
function ownText(values) {
  const bytes = Uint8Array.from(values, (value) => Math.round((value + 1) * 127.5));
  const isImage = values.every((value, i) => Math.fround(bytes[i] / 127.5 - 1) === value);
  return isImage ? `i${toText(bytes)}` : `f${packValues(values)}`;
}

/** @param {string} text */
function readOwn(text) {
  const [rows, cols, data = ''] = text.split('x');
  const bytes = data[0] === 'i' ? fromText(data.slice(1)) : null;
  const values = bytes
    ? Float32Array.from(bytes, (byte) => byte / 127.5 - 1)
    : unpackValues(data.slice(1));
  return { rows: readNumber(rows ?? ''), cols: readNumber(cols ?? ''), values };
}

/** @param {Event} event */
function eventText(event) {
  switch (event.do) {
    case 'locks':
      return `${event.step}l${toText(event.mask)}`;
    case 'optimizer':
      return `${event.step}o${optimizerText(event.settings)}`;
    case 'assign':
      return `${event.step}a${event.index},${event.value}`;
    case 'prune':
      return `${event.step}p${event.fraction}`;
    case 'unprune':
      return `${event.step}u`;
    case 'hold':
      return `${event.step}h${event.cells.join(',')}`;
    case 'place':
      return `${event.step}m${event.values.join(',')}`;
    case 'release':
      return `${event.step}r`;
  }
}

/** @param {string} text @returns {unknown} */
function readEvent(text) {
  const [, step, kind, rest] = text.match(/^(\d+)([loapuhmr])(.*)$/) ?? [];
  if (!kind) return null;
  const base = { step: Number(step) };
  if (kind === 'l') return { ...base, do: 'locks', mask: fromText(rest) };
  if (kind === 'o') return { ...base, do: 'optimizer', settings: readOptimizer(rest) };
  if (kind === 'u') return { ...base, do: 'unprune' };
  if (kind === 'p') return { ...base, do: 'prune', fraction: readNumber(rest) };
  if (kind === 'r') return { ...base, do: 'release' };
  const numbers = rest.split(',').map(readNumber);
  if (kind === 'h') return { ...base, do: 'hold', cells: numbers };
  if (kind === 'm') return { ...base, do: 'place', values: numbers };
  const [index, value] = numbers;
  return { ...base, do: 'assign', index, value };
}

/** @param {State} state @returns {string} without the # */
export function toLink(state) {
  /** @type {[string, string | number][]} */
  const fields = [
    ['v', state.version],
    ['scene', state.scene],
    ['size', `${state.rows}x${state.cols}`],
    ...Object.entries(state.choices),
    ['seed', state.seed],
    ['optimizer', optimizerText(state.optimizer)],
    ['speed', state.speed],
    ['beside', state.beside],
    ['cell', state.selected],
    ['step', state.step],
  ];
  if (state.beside === 'rule') fields.push(['rival', optimizerText(state.rival)]);
  if (!state.logLoss) fields.push(['axis', 'linear']);
  if (state.locks) fields.push(['locks', toText(packMask(state.locks))]);
  if (state.zeros) fields.push(['zeros', toText(packMask(state.zeros))]);
  if (state.own) {
    const { rows, cols, values } = state.own;
    fields.push(['own', `${rows}x${cols}x${ownText(values)}`]);
  }
  if (state.events.length) fields.push(['log', state.events.map(eventText).join('~')]);
  return fields.map(([name, value]) => `${name}=${value}`).join('&');
}

/**
 * @param {string} hash with or without the #
 * @returns {Record<string, unknown> | null} a candidate; null if there is none
 */
export function fromLink(hash) {
  const text = hash.replace(/^#/, '');
  if (!text) return null;
  /** @type {Record<string, string>} */
  const fields = {};
  for (const field of text.split('&')) {
    const at = field.indexOf('=');
    if (at > 0) fields[field.slice(0, at)] = decode(field.slice(at + 1));
  }
  const {
    v,
    scene,
    size,
    seed,
    optimizer,
    rival,
    speed,
    beside,
    cell,
    step,
    axis,
    own,
    locks,
    zeros,
    log,
  } = fields;
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
    own: own === undefined ? undefined : readOwn(own),
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
