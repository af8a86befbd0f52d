// Reads the arguments of the command `gradlock fit`. It opens no file and runs no fit.
import { parseArgs } from 'node:util';
import { LOSSES } from '../fit/losses.js';
import { UNITS } from '../table/dates.js';

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

/** Data that cannot be used: exit code 1. */
export class DataError extends Error {}

const NAMES = Object.keys(LOSSES);

/** @typedef {{ name: string, value: number | undefined }} Edit For one parameter or a kind. */

const OPTIONS = /** @type {const} */ ({
  model: { type: 'string' },
  lock: { type: 'string', multiple: true },
  min: { type: 'string', multiple: true },
  max: { type: 'string', multiple: true },
  start: { type: 'string', multiple: true },
  tie: { type: 'string', multiple: true },
  scale: { type: 'boolean' },
  sigma: { type: 'string' },
  loss: { type: 'string' },
  'loss-scale': { type: 'string' },
  x: { type: 'string' },
  y: { type: 'string' },
  header: { type: 'string' },
  separator: { type: 'string' },
  decimal: { type: 'string' },
  missing: { type: 'string' },
  elapsed: { type: 'string' },
  csv: { type: 'string' },
  json: { type: 'string' },
  svg: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
});

// The tag keeps line breaks in the built file.
export const HELP = String.raw`gradlock fit <data.csv> --model <model>

Fits a curve to columns of a file, in double precision, and prints a report.
<data.csv> is a table of text, as spreadsheets and programs write it; - reads the standard input.

  --model MODEL           gauss, gauss2 … gauss99, lorentz, lorentz2 …, line, decay,
                          michaelisMenten, logistic, a sum such as gauss2+line,
                          or your own module: ./my-model.mjs
  --lock NAME[=VALUE]     a parameter that is known; without VALUE, at its start
  --start NAME=VALUE      where a parameter starts; without it, a guess from the data
  --min, --max NAME=VALUE bounds
  --tie NAME=[FACTOR*]NAME  a parameter that follows another: --tie width2=width1;
                          --tie width: all widths are the first one
  --x, --y COLUMN         a column's name or number; default: the first two columns of numbers
  --sigma VALUE|COLUMN    standard deviation of y: a number, a column's name, or #3
  --scale                 scales errors by the residuals though sigma is given
  --loss LOSS             ${NAMES.join(', ')}
  --loss-scale VALUE      residuals above it count less; default: 1
  --header yes|no         whether the first line has names; default: found
  --separator SEPARATOR   comma, semicolon, tab, bar, blank, or a character; default: found
  --decimal point|comma   the decimal mark; the other one groups digits; default: found
  --missing error|skip    what happens to rows with an empty cell or NA; default: error
  --elapsed s|min|h|d|a   x has dates or times of day: takes the time since the first row
  --csv FILE              writes a table: x, y, fit, residual, and the 95 % band
  --json FILE             writes the result as JSON
  --svg FILE              writes a plot: points, curve, 95 % band
  --help

  gauss            height exp(-((x - centre) / width)^2); half its height at 0.833 width
  lorentz          height / (1 + ((x - centre) / width)^2); half its height at width
  line             slope x + level
  decay            amplitude exp(-rate x) + background
  michaelisMenten  speed x / (half + x)
  logistic         top / (1 + exp(-rate (x - middle)))

Peaks have numbers: gauss2 has height1, centre1, width1, height2, centre2, width2. A name without
a number means all of them: --lock width=0.4. Lock, start, min and max may be given many times.
Exit codes: 0, 1 for data that cannot be read or fitted, 2 for wrong usage.
`;

/** @param {string} text @param {string} option */
const readNumber = (text, option) => {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--${option} needs a number, got "${text}"`);
};

/** @param {string} text @param {string} option @returns {Edit} */
const readEdit = (text, option) => {
  const at = text.indexOf('=');
  if (at > 0) {
    const name = text.slice(0, at);
    return { name, value: readNumber(text.slice(at + 1), `${option} ${name}=`) };
  }
  if (option === 'lock' && at < 0) return { name: text, value: undefined };
  throw new UsageError(`--${option} needs name=value, got "${text}"`);
};

/** The values of --separator that are words. */
const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t', bar: '|', blank: ' ' };

/**
 * @template {string} T
 * @param {string} option @param {string | undefined} given @param {readonly T[]} known
 */
const readChoice = (option, given, known) => {
  const found = known.find((one) => one === given);
  if (found !== undefined || given === undefined) return found;
  throw new UsageError(`--${option} must be ${known.join(' or ')}, got "${given}"`);
};

/** How to read the table. @param {Record<string, string | undefined>} given */
const readFormat = ({ header, separator, decimal }) => {
  const isHeader = readChoice('header', header, ['yes', 'no']);
  const mark = readChoice('decimal', decimal, ['point', 'comma', '.', ',']);
  const found = Object.entries(SEPARATORS).find(([word]) => word === separator)?.[1] ?? separator;
  if (found !== undefined && !/^[^\w"\r\n]$/.test(found)) {
    const words = Object.keys(SEPARATORS).join(', ');
    throw new UsageError(`--separator must be ${words} or one mark, got "${separator}"`);
  }
  return {
    ...(isHeader && { header: isHeader === 'yes' }),
    ...(mark && {
      decimal: /** @type {'.' | ','} */ (mark === 'comma' || mark === ',' ? ',' : '.'),
    }),
    ...(found !== undefined && { separator: found }),
  };
};

/**
 * Without `to`, all of the kind `name` follow its first.
 * @typedef {{ name: string, factor: number, to: string | undefined }} Tie
 */

/** @param {string} text @returns {Tie} */
const readTie = (text) => {
  const [, name, by, factor, to] = text.match(/^(\w+)(=(?:([^*]+)\*)?(\w+))?$/) ?? [];
  if (name === undefined) {
    throw new UsageError(`--tie needs name=name, name=factor*name or a name, got "${text}"`);
  }
  return { name, factor: by && factor ? readNumber(factor, `tie ${name}=`) : 1, to };
};

/** Returns what the arguments say; null for help. @param {string[]} args */
export const readCommand = (args) => {
  const { values, positionals, tokens } = parseArgs({
    ...{ args, options: OPTIONS, strict: false, tokens: true, allowPositionals: true },
  });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(OPTIONS, name)) {
      const known = Object.keys(OPTIONS).map((option) => `--${option}`);
      throw new UsageError(`unknown option ${rawName}; known: ${known.join(', ')}`);
    }
    if (name !== 'help' && name !== 'scale' && !value)
      throw new UsageError(`${rawName} needs a value`);
  }
  if (values.help) return null;
  const [command, file, ...more] = positionals;
  if (command !== 'fit' || file === undefined) {
    throw new UsageError('use: gradlock fit data.csv --model gauss2; gradlock --help says more');
  }
  if (more.length > 0) throw new UsageError(`only one file of data, got "${more[0]}" too`);
  const given = /** @type {Record<string, string | undefined>} */ (values);
  const { model, loss = 'linear' } = given;
  if (model === undefined) throw new UsageError('--model is missing, such as --model gauss2');
  if (!NAMES.includes(loss)) {
    throw new UsageError(`unknown loss "${loss}"; known: ${NAMES.join(', ')}`);
  }
  const scale = given['loss-scale'];
  const lossScale = scale === undefined ? 1 : readNumber(scale, 'loss-scale');
  if (lossScale <= 0) throw new UsageError(`--loss-scale must be above 0, got ${lossScale}`);
  if (scale !== undefined && given.loss === undefined) {
    throw new UsageError('--loss-scale needs --loss, such as --loss huber');
  }
  /** @param {'lock' | 'min' | 'max' | 'start'} option */
  const edits = (option) =>
    /** @type {string[]} */ (values[option] ?? []).map((text) => readEdit(text, option));
  const { x, y, sigma, csv, json, svg } = given;
  if (values.scale && sigma === undefined) {
    throw new UsageError('--scale needs --sigma; without it, errors are scaled anyway');
  }
  return {
    ...{ file, model, loss, lossScale, x, y, sigma, csv, json, svg },
    ...(values.scale && { scale: true }),
    reading: readFormat(given),
    missing: readChoice('missing', given.missing, ['error', 'skip']),
    elapsed: readChoice(
      'elapsed',
      given.elapsed,
      /** @type {(keyof typeof UNITS)[]} */ (Object.keys(UNITS)),
    ),
    ties: /** @type {string[]} */ (values.tie ?? []).map(readTie),
    edits: {
      ...{ start: edits('start'), lock: edits('lock'), min: edits('min'), max: edits('max') },
    },
  };
};
