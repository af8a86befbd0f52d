// Arguments of the command `gradlock fit`. It reads them; it knows neither files nor fits.
import { parseArgs } from 'node:util';
import { LOSSES } from '../fit/losses.js';

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

const NAMES = Object.keys(LOSSES);

/** @typedef {{ name: string, value: number | undefined }} Edit Of one parameter, or of one kind. */

const OPTIONS = /** @type {const} */ ({
  model: { type: 'string' },
  lock: { type: 'string', multiple: true },
  min: { type: 'string', multiple: true },
  max: { type: 'string', multiple: true },
  start: { type: 'string', multiple: true },
  sigma: { type: 'string' },
  loss: { type: 'string' },
  'loss-scale': { type: 'string' },
  x: { type: 'string' },
  y: { type: 'string' },
  json: { type: 'string' },
  svg: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
});

// The tag keeps line breaks in the built file.
export const HELP = String.raw`gradlock fit <data.csv> --model <model>

Fits a curve to columns of a file, in double precision, and prints a report.
<data.csv> has commas, semicolons, tabs or blanks between columns; - reads the standard input.

  --model MODEL           gauss, gauss2 … gauss99, lorentz, lorentz2 …, line, decay,
                          michaelisMenten, logistic, a sum such as gauss2+line,
                          or your own module: ./my-model.mjs
  --lock NAME[=VALUE]     a parameter that is known; without VALUE, at its start
  --start NAME=VALUE      where a parameter starts; without it, a guess from the data
  --min, --max NAME=VALUE bounds
  --x, --y COLUMN         a column's name or number; default: 1 and 2
  --sigma VALUE|COLUMN    standard deviation of y: a number, a column's name, or #3
  --loss LOSS             ${NAMES.join(', ')}
  --loss-scale VALUE      residuals above it count less; default: 1
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

/**
 * Returns what the arguments say; null for help.
 * @param {string[]} args
 */
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
    if (name !== 'help' && !value) throw new UsageError(`${rawName} needs a value`);
  }
  if (values.help) return null;
  const [command, file, ...more] = positionals;
  if (command !== 'fit' || file === undefined) {
    throw new UsageError('use: gradlock fit data.csv --model gauss2; gradlock --help says more');
  }
  if (more.length > 0) throw new UsageError(`one file of data, please: what is "${more[0]}"?`);
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
  return {
    ...{ file, model, loss, lossScale, sigma: given.sigma, json: given.json, svg: given.svg },
    ...{ x: given.x ?? '1', y: given.y ?? '2' },
    edits: {
      ...{ start: edits('start'), lock: edits('lock'), min: edits('min'), max: edits('max') },
    },
  };
};
