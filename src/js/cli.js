// The command `gradlock`: fits a curve to a file of data, in double precision. It prints a report,
// writes CSV, JSON and SVG. Errors are one line; it exits with 1 for data, 2 for usage.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { readColumns } from './cli/columns.js';
import { DataError, HELP, readCommand, UsageError } from './cli/command.js';
import { namedModel } from './cli/models.js';
import { editParameters } from './cli/parameters.js';
import { toSVG } from './cli/svg.js';
import { GradlockError, init } from './double.js';
import { fitting } from './fit.js';

/** @import { Gradlock } from './gradlock.js' */
/** @typedef {NonNullable<ReturnType<typeof readCommand>>} Command */

const CURVE_POINTS = 401;

/** @param {unknown} error */
const reasonOf = (error) => {
  const { code, message } = /** @type {any} */ (error);
  return code === 'ENOENT' ? 'there is no such file or folder' : String(message ?? error);
};

/** @param {string} file */
const readBytes = async (file) => {
  if (file === '-') return buffer(process.stdin);
  return readFile(file).catch((error) => {
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
    /** @param {Gradlock} g */
    const model = (g) => {
      // model(x, parameters) would fail far from its cause.
      const made = own.model.length > 1 ? undefined : own.model(g);
      if (typeof made === 'function') return made;
      throw new DataError(
        `${file}: model gets g and must return the curve: export const model = (g) => (x, { a }) => g.mul(a, x)`,
      );
    };
    return { model, guess: () => /** @type {Record<string, any>} */ (own.parameters) };
  }
  throw new DataError(`${file} must export parameters, an object of starts, and model(g)`);
};

/** A cell of a CSV file. @param {unknown} cell */
const quoted = (cell) => {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** @param {Command} command */
const runFit = async (command) => {
  const { file, model: name, sigma: given, loss, lossScale, scale, csv, json, svg } = command;
  const isFile = /[/\\]|\.[cm]?js$/.test(name);
  const { model, guess } = isFile ? await loadModel(name) : namedModel(name);
  const bytes = await readBytes(file);
  const data = readColumns(bytes, file === '-' ? 'the standard input' : file, command);
  const { x, y } = data;
  const sigma = data.sigma?.values ?? (given && Number(given));
  const g = await init();
  const parameters = editParameters(g, guess(g, x.values, y.values), command);
  const fit = fitting(g).curve(model(g), {
    ...{ x: x.values, y: y.values, parameters },
    ...{ loss: /** @type {any} */ (loss), lossScale },
    ...(sigma !== undefined && { sigma: /** @type {number | number[]} */ (sigma) }),
    ...(scale && { scale }),
  });
  process.stdout.write(`${data.line}\n${fit.report()}\n`);
  await writeText(csv, () => {
    const { values, lower, upper } = fit.band(x.values);
    const head = [x.name, y.name, 'fit', 'residual', 'lower', 'upper'];
    const rows = y.values.map((seen, i) => {
      const at = Number(values[i]);
      return [x.values[i], seen, at, seen - at, lower[i], upper[i]];
    });
    return [head, ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join('');
  });
  await writeText(json, () => {
    const used = { file, x: x.name, y: y.name, rows: x.values.length, skipped: data.skipped };
    return `${JSON.stringify({ model: name, data: used, ...fit }, null, 2)}\n`;
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
  const text = isOurs ? /** @type {Error} */ (error).message : String(error);
  process.stderr.write(`gradlock: ${text.replace(/\s*\n\s*/g, ' ')}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
