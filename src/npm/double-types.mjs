/* Lets the entries that compute with an instance take one of gradlock/double, whose types have the
 * same names as those of gradlock, in a folder of their own. Overloads keep what the editor shows
 * short: the other precision is one more signature. That of f32 stands first, for instances of type
 * any, and last, for ReturnType. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The functions that return something of the precision they are given, and the files with both. */
const OVERLOADED = [
  { file: 'parts/layers.d.ts', name: 'layers', types: ['Gradlock', 'Layers'] },
  { file: 'fit.d.ts', name: 'fitting', types: ['Gradlock', 'Fitting'] },
  { file: 'formats.d.ts', name: 'loadModel', types: ['Layers', 'Model'] },
];

/** The files where types are that `double.d.ts` does not have. @type {Record<string, string>} */
const HOMES = { Layers: 'layers', Model: 'layers', Fitting: 'fit' };

/**
 * Returns imports of types under names of their own.
 * @param {string[]} types
 * @param {string} to The path to the folder of `double`.
 */
const importDouble = (types, to) =>
  types
    .map(
      (type) =>
        `import { type ${type} as Double${type} } from "${to}double/${HOMES[type] ?? 'double'}.js";\n`,
    )
    .join('');

/** The entries from which users take the names of types in double precision. */
const NAMED = ['layers', 'fit'];

/** Models as parameters, of functions that return nothing of their precision. */
const ANY_MODEL = `/** A model of \`gradlock\` or of \`gradlock/double\`. */
type AnyModel = Model | DoubleModel;
`;

/**
 * @param {string} text
 * @param {string | RegExp} from
 * @param {string | ((...parts: string[]) => string)} to
 */
const replace = (text, from, to) => {
  const replaced = text.replaceAll(from, /** @type {any} */ (to));
  if (replaced === text) throw new Error(`the declarations have no ${from}`);
  return replaced;
};

/**
 * Types of what a grid shows or a worker trains, with those in double precision.
 * @type {Record<string, string[]>}
 */
const EITHER = {
  Generator: ['Generator'],
  Gradlock: ['Gradlock'],
  Optimizer: ['Optimizer'],
  Program: ['Program'],
  Solver: ['LbfgsOptimizer', 'LevenbergMarquardtOptimizer'],
  Tensor: ['Tensor'],
  Variable: ['Variable'],
};
const EITHER_NAME = new RegExp(`\\b(${Object.keys(EITHER).join('|')})\\b(?=[ |;)[\\]])`, 'g');

/** The type parameter of a job: what its values are in. */
const VALUES = 'Data extends Float32Array | Float64Array = Float32Array';

/**
 * Lets some of a file's declarations take types of either precision.
 * @param {string} text
 * @param {RegExp} declarations
 */
const takeEither = (text, declarations) => {
  /** @type {Set<string>} */
  const used = new Set();
  const taken = replace(text, declarations, (one = '') =>
    one.replace(EITHER_NAME, (type) => {
      used.add(type);
      return `Any${type}`;
    }),
  );
  const types = [...used].map((type) => {
    const others = (EITHER[type] ?? []).map((other) => `Double${other}`);
    return `/** In either precision. */\ntype Any${type} = ${[type, ...others].join(' | ')};\n`;
  });
  const imported = [...used].flatMap((type) => EITHER[type] ?? []);
  return importDouble(imported, './') + taken.replace(/^(?!import)/m, types.join(''));
};

/** @param {string} folder The published declarations, with a folder \`double\`. */
export const addDouble = async (folder) => {
  for (const { file, name, types } of OVERLOADED) {
    const path = join(folder, file);
    const one = new RegExp(`^declare const ${name}: (.*) => (.*);$`, 'gm');
    const text = replace(await readFile(path, 'utf8'), one, (_, given = '', result = '') => {
      const signature = `declare function ${name}${given}: ${result};`;
      const other = types.reduce(
        (all, type) => replace(all, new RegExp(`\\b${type}\\b`, 'g'), `Double${type}`),
        signature,
      );
      return `${signature}\n/** The same in double precision. */\n${other}\n${signature}`;
    });
    await writeFile(path, importDouble(types, file.includes('/') ? '../' : './') + text);
  }
  for (const name of NAMED) {
    const path = join(folder, `${name}.d.ts`);
    const line = `
/** The types in double precision. */\nexport type * as double from "./double/${name}.js";\n`;
    await writeFile(path, (await readFile(path, 'utf8')) + line);
  }
  const grid = join(folder, 'grid.d.ts');
  const variable = /^ {2}[gs]et variable\(.*$/gm;
  await writeFile(grid, takeEither(await readFile(grid, 'utf8'), variable));
  const worker = join(folder, 'worker.d.ts');
  const tasks = /^type (?:Loss|Calls)Task = \{\n[\s\S]*?^\};/gm;
  const job = [
    ['declare class Job {', `declare class Job<${VALUES}> {`],
    ['values: Float32Array;', 'values: Data;'],
    ['declare const start: (', `declare const start: <${VALUES}>(`],
    ['Promise<Job>;', 'Promise<Job<Data>>;'],
  ];
  const untyped = takeEither(await readFile(worker, 'utf8'), tasks);
  await writeFile(
    worker,
    job.reduce((text, [from = '', to = '']) => replace(text, from, to), untyped),
  );
  const path = join(folder, 'formats.d.ts');
  const text = await readFile(path, 'utf8');
  const taken = replace(text, /(\(model|base\?): Model\b/g, '$1: AnyModel');
  await writeFile(path, replace(taken, /^type StoredArray/gm, `${ANY_MODEL}type StoredArray`));
};
