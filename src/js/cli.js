// The command `gradlock`: fits a curve to a file of data, in double precision. It prints the
// report, and writes JSON and SVG. Errors are one line; exit code 1 for data, 2 for wrong usage.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { HELP, readCommand, UsageError } from './cli/command.js';
import { DataError, Table } from './cli/csv.js';
import { namedModel } from './cli/models.js';
import { toSVG } from './cli/svg.js';
import { GradlockError, init } from './double.js';
import { fitting } from './fit.js';

/** @typedef {NonNullable<ReturnType<typeof readCommand>>} Command */
/** @typedef {Record<string, any>} Specs Parameters' descriptions by names. */

const CURVE_POINTS = 401;

/** @param {unknown} error */
const reasonOf = (error) => {
  const { code, message } = /** @type {any} */ (error);
  return code === 'ENOENT' ? 'there is no such file or folder' : String(message ?? error);
};

/** @param {string} file */
const readText = async (file) => {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((error) => {
    throw new DataError(`cannot read ${file}: ${reasonOf(error)}`);
  });
};

/** @param {string | undefined} file @param {() => string} make */
const writeText = async (file, make) => {
  if (file === undefined) return;
  await writeFile(file, make()).catch((error) => {
    throw new DataError(`cannot write ${file}: ${reasonOf(error)}`);
  });
};

/** A model from the user's module. @param {string} file */
const loadModel = async (file) => {
  const own = await import(
    /* @vite-ignore */ /* webpackIgnore: true */ pathToFileURL(resolve(file)).href
  ).catch((error) => {
    throw new DataError(`cannot load the model ${file}: ${reasonOf(error)}`);
  });
  if (typeof own.model === 'function' && typeof own.parameters === 'object' && own.parameters) {
    return { model: own.model, guess: () => /** @type {Specs} */ (own.parameters) };
  }
  throw new DataError(`${file} must export parameters, an object of starts, and model(g)`);
};

/**
 * Parameters as the command wants them. A guess is moved into its bounds; a start that was given is
 * left as it is.
 * @param {Specs} starts
 * @param {Command['edits']} edits
 */
const editParameters = (starts, edits) => {
  /** @type {Specs} */
  const specs = Object.fromEntries(
    Object.entries(starts).map(([name, spec]) => [
      name,
      typeof spec === 'number' ? { value: spec } : { ...spec },
    ]),
  );
  const names = Object.keys(specs);
  const isGiven = new Set();
  for (const option of /** @type {const} */ (['start', 'min', 'max', 'lock'])) {
    for (const { name, value } of edits[option]) {
      const every = names.filter((other) => other.replace(/\d+$/, '') === name);
      const meant = names.includes(name) ? [name] : every;
      if (meant.length === 0) {
        throw new UsageError(
          `--${option}: unknown parameter "${name}"; known: ${names.join(', ')}`,
        );
      }
      for (const one of meant) {
        const spec = specs[one];
        if ('tie' in spec) throw new UsageError(`--${option}: ${one} is tied to others`);
        if (option === 'min' || option === 'max') spec[option] = value;
        else if (value !== undefined) {
          spec.value = value;
          isGiven.add(one);
        }
        if (option === 'lock') spec.lock = true;
      }
    }
  }
  for (const [name, spec] of Object.entries(specs)) {
    const { min = -Infinity, max = Infinity } = spec;
    if (!isGiven.has(name) && min <= max) spec.value = Math.min(max, Math.max(min, spec.value));
    if ('tie' in spec) delete spec.value;
  }
  return specs;
};

/** @param {Command} command */
const runFit = async (command) => {
  const { file, model: name, sigma: given, loss, lossScale, json, svg } = command;
  const isFile = /[/\\]|\.[cm]?js$/.test(name);
  const { model, guess } = isFile ? await loadModel(name) : namedModel(name);
  const table = new Table(await readText(file), file === '-' ? 'the standard input' : file);
  const x = { name: table.nameOf(command.x, 'x'), values: table.column(command.x, 'x') };
  const y = { name: table.nameOf(command.y, 'y'), values: table.column(command.y, 'y') };
  const isColumn = given !== undefined && !(Number(given) > 0);
  const sigma = isColumn ? table.column(given, 'sigma') : given && Number(given);
  const g = await init();
  const parameters = editParameters(guess(g, x.values, y.values), command.edits);
  const fit = fitting(g).curve(model(g), {
    ...{ x: x.values, y: y.values, parameters },
    ...{ loss: /** @type {any} */ (loss), lossScale, steps: 1000 },
    ...(sigma === undefined ? {} : { sigma: /** @type {number | number[]} */ (sigma) }),
  });
  process.stdout.write(`${fit.report()}\n`);
  await writeText(json, () => {
    const data = { file, x: x.name, y: y.name, rows: x.values.length };
    return `${JSON.stringify({ model: name, data, ...fit }, null, 2)}\n`;
  });
  await writeText(svg, () => {
    const low = x.values.reduce((a, b) => Math.min(a, b));
    const high = x.values.reduce((a, b) => Math.max(a, b));
    const step = (high - low) / (CURVE_POINTS - 1);
    const at = Array.from({ length: CURVE_POINTS }, (_, i) => low + i * step);
    const title = `${isFile ? 'fit' : name}: ${y.name} by ${x.name}`;
    return toSVG({ title, x, y, at, band: fit.band(at) });
  });
  if (!fit.converged) throw new DataError(`${fit.message}; give better values by --start`);
};

try {
  const command = readCommand(process.argv.slice(2));
  if (command) await runFit(command);
  else process.stdout.write(HELP);
} catch (error) {
  const isOurs = [UsageError, DataError, GradlockError].some((type) => error instanceof type);
  const said = isOurs ? /** @type {Error} */ (error).message : String(error);
  process.stderr.write(`gradlock: ${said.replace(/\s*\n\s*/g, ' ')}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
