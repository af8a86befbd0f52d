/* The examples in the documentation of methods: code under `@example`, with what it gives in
 * comments. They are read from the declarations that the package publishes, and run against the
 * library, so that what a reader sees is what came out. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A line of an example: a statement, and what the comment behind it says that its expression gives.
 * @typedef {{ code: string, shown?: string }} Line
 */
/**
 * @typedef {object} Example
 * @property {string} method Such as `g.add`, `g.losses.huber` or `nn.dense`; of what instances
 *   make, `Variable.lock`.
 * @property {string} file
 * @property {Line[]} lines
 */

/** What a class of the declarations is to a user, if it is reached through an instance. */
export const OBJECTS = new Map([
  ['Losses', 'g.losses'],
  ['Initializers', 'g.initializers'],
  ['Optimizers', 'g.optimizers'],
  ['Schedules', 'g.schedules'],
  ['Gradlock', 'g'],
  ['Layers', 'nn'],
  ['Fitting', 'fits'],
]);

/** How many brackets are open at the end of code. @param {string} code */
const depthOf = (code) =>
  (code.match(/[([{]/g)?.length ?? 0) - (code.match(/[)\]}]/g)?.length ?? 0);

/**
 * Statements end their lines with a semicolon, or with the brace of a body. A comment behind one,
 * or on the line after it, is what it gives.
 * @param {string} text
 */
const readLines = (text) => {
  /** @type {Line[]} */
  const lines = [];
  let open = '';
  for (const line of text.split('\n')) {
    const [, code, shown] = line.match(/^(.*?)(?:\s*\/\/ (.*))?$/) ?? [];
    open += open ? `\n${code}` : code;
    if (open === '' && shown !== undefined) {
      const last = lines.at(-1);
      if (!last) throw new Error(`an example begins with what it gives: ${text}`);
      last.shown = last.shown === undefined ? shown : `${last.shown} ${shown.trim()}`;
    } else if (/[;}]$/.test(code) && depthOf(open) === 0) {
      lines.push({ code: open.replace(/;$/, ''), shown });
      open = '';
    }
  }
  if (open) throw new Error(`an example's last statement ends without a semicolon: ${text}`);
  return lines;
};

/**
 * All examples of methods.
 * @param {string} root The repository, in which build/npm is built.
 * @param {(file: string) => boolean} [isWanted] Default: those that store nothing and need
 *   no page, on an instance and its layers.
 * @returns {Promise<Example[]>}
 */
export const readExamples = async (
  root,
  isWanted = (file) => !/^(fit|grid|keep|worker)/.test(file),
) => {
  const folder = join(root, 'build/types');
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.d\.ts$/.test(name),
  );
  /** @type {Example[]} */
  const examples = [];
  for (const file of files.sort()) {
    if (!isWanted(file)) continue;
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, name, body] of text.matchAll(
      /^export (?:(?:declare|default) class|interface) (\w+)[^{\n]*\{\n([\s\S]*?)^\}/gm,
    )) {
      const object = name.endsWith('Ops') ? 'g' : (OBJECTS.get(name) ?? name);
      for (const [, , comment, method] of body.matchAll(
        /^( {2}| {4})\/\*\*\n((?:\1 \*.*\n)*?)\1 \*\/\n\1\[?(\w+)\]?[(<]/gm,
      )) {
        const words = comment.replace(/^ +\* ?/gm, '');
        const code = words.match(/^@example\n([\s\S]*?)(?=^@|$(?![\s\S]))/m)?.[1];
        if (code === undefined) continue;
        examples.push({ method: `${object}.${method}`, file, lines: readLines(code.trim()) });
      }
    }
  }
  return examples;
};

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** @param {number} value The shortest number that is the same f32. */
const formatNumber = (value) => {
  if (Object.is(value, -0)) return '-0';
  for (let digits = 1; digits < 10; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === Math.fround(value)) return String(text);
  }
  return String(value);
};

/**
 * A value as an example shows it: numbers to the precision of f32.
 * @param {unknown} value
 * @returns {string}
 */
export const format = (value) => {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `[${Array.from(/** @type {ArrayLike<unknown>} */ (value), format).join(', ')}]`;
  }
  return String(value);
};

/**
 * Run an example, and give what its lines show beside what came out.
 * @param {Example} example
 * @param {object} g
 * @param {object} nn
 * @param {Record<string, unknown>} formats What gradlock/formats exports.
 * @returns {Promise<{ code: string, shown: string, got: string }[]>}
 */
export const runExample = async ({ lines }, g, nn, formats) => {
  /** @type {{ code: string, shown: string, got: string }[]} */
  const results = [];
  const note = (/** @type {number} */ i, /** @type {unknown} */ value) => {
    const { code, shown } = lines[i];
    results.push({ code, shown: shown ?? '', got: format(value) });
  };
  const body = lines.map(({ code, shown }, i) =>
    shown === undefined ? `${code};` : `note(${i}, ${code});`,
  );
  const names = Object.keys(formats);
  await new AsyncFunction('g', 'nn', 'note', ...names, `'use strict';\n${body.join('\n')}`)(
    ...[g, nn, note],
    ...names.map((name) => formats[name]),
  );
  return results;
};

/**
 * What the examples show that did not come out, a line each.
 * @param {Example[]} examples
 * @param {() => Promise<{ disposed: boolean, dispose: () => void }>} init
 * @param {(g: any, options: { seed: number }) => object} layers
 * @param {Record<string, unknown>} formats
 */
export const findWrong = async (examples, init, layers, formats) => {
  const wrong = [];
  for (const example of examples) {
    const g = await init();
    const nn = layers(g, { seed: 1 });
    for (const { code, shown, got } of await runExample(example, g, nn, formats)) {
      if (shown !== got) wrong.push(`${example.method}: ${code} gives ${got}, not ${shown}`);
    }
    if (!g.disposed) g.dispose();
  }
  return wrong;
};
