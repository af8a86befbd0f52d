/* Makes the declarations of layers from the classes that TypeScript emitted. The table of layers
 * becomes methods of `Layers`, each with its comment. The options of each class get
 * their own name. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LAYERS } from '../js/layers/factory.js';
import { source } from './places.mjs';

const COMMENT = String.raw`/\*\*(?:(?!\*/)[\s\S])*\*/\n`;

/** A comment of a member, and the member's first line. */
const MEMBER = new RegExp(`^    (${COMMENT})    (.*)\n`, 'gm');

/**
 * Removes members that only override, since the base has their comments, and internal ones, since
 * TypeScript keeps members that constructors assign. Fields become internal: only types use them.
 * @param {string} text
 */
const withoutInside = (text) =>
  text.replace(MEMBER, (all, comment, line) => {
    if (/^static (fields|aliases)/.test(line)) return `    /** @internal */\n    ${line}\n`;
    const isInside = /@internal|^\/\*\*[\s*]*@override/.test(comment);
    return isInside && line.endsWith(';') ? '' : all;
  });

/**
 * Keeps one comment for each overload: TypeScript writes all of them before each.
 * @param {string} text
 */
const withOneComment = (text) => {
  /** @type {Map<string, number>} */
  const turns = new Map();
  return text.replace(new RegExp(`(?:^    ${COMMENT}){2,}`, 'gm'), (run) => {
    if (!run.includes('@overload')) return run;
    const turn = turns.get(run) ?? 0;
    turns.set(run, turn + 1);
    const one = run.match(new RegExp(`    ${COMMENT}`, 'g'))?.[turn] ?? '';
    return one.replace(/^ *\* @overload\n/m, '');
  });
};

/** Makes interfaces of options, so that editors always show their names. @param {string} text */
const asInterfaces = (text) =>
  text.replace(
    /^export type (\w+) = (field\.OptionsOf<typeof \w+>);$/gm,
    'export interface $1 extends $2 {\n}',
  );

/**
 * Replaces the table with the methods and types of all layers.
 * @param {string} text The declarations of factory.js.
 * @param {ReadonlySet<string>} classes The names of classes with their own declaration. The others
 *   are made by functions and have the type Layer.
 */
const withMakers = async (text, classes) => {
  const written = await readFile(join(source, 'layers/factory.js'), 'utf8');
  const table = written.match(/^export const LAYERS = \{\n([\s\S]*?)^\};/m)?.[1] ?? '';
  const imports = written.match(/^import \{[^}]*\} from '\.\/kinds\/.*\n/gm) ?? [];
  /** @type {Set<string>} */
  const named = new Set();
  const makers = table.replace(/^ {2}(\w+): (\w+),$/gm, (_, method, name) => {
    named.add(name);
    const { fields } = /** @type {any} */ (LAYERS)[method];
    const isNeeded = Object.values(fields).some(({ initial }) => initial === undefined);
    return `  ${method}(config${isNeeded ? '' : '?'}: ${name}Config): ${classes.has(name) ? name : 'Layer'};`;
  });
  const configs = [...named].map(
    (name) =>
      `/** What \`${name}\` takes. */\nexport interface ${name}Config extends ConfigOf<typeof ${name}> {\n}\n`,
  );
  const own = [...named].filter((name) => classes.has(name));
  return [
    ...imports,
    "import type { ConfigOf } from './config/fields.js';\n",
    `export type { ${own.join(', ')} };\n`,
    text
      .replace(/^import \{[^}]*\} from '\.\/kinds\/.*\n/gm, '')
      .replace(/^export type ConfigOf<[\s\S]*?ConfigOf<C>;\n/m, '')
      .replace(/^export type Makers = \{\n[\s\S]*?^\};\n/m, '')
      .replace(/^export type Maker<[\s\S]*?InstanceType<C>;\n/m, '')
      .replace(
        /^(export declare class Layers \{\n[\s\S]*?)^\}/m,
        `$1${makers.replace(/^/gm, '  ')}\n}`,
      ),
    ...configs,
  ].join('');
};

/**
 * Write them into TypeScript's output.
 * @param {string} emitted
 */
export const writeLayerTypes = async (emitted) => {
  const folder = join(emitted, 'layers');
  /** @type {Set<string>} */
  const classes = new Set();
  for (const name of (await readdir(folder, { recursive: true })).filter((n) =>
    n.endsWith('.ts'),
  )) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    for (const [, found] of text.matchAll(/^export declare class (\w+)/gm)) classes.add(found);
    await writeFile(path, asInterfaces(withOneComment(withoutInside(text))));
  }
  const factory = join(folder, 'factory.d.ts');
  await writeFile(factory, await withMakers(await readFile(factory, 'utf8'), classes));
  const entry = join(emitted, 'layers.d.ts');
  const text = await readFile(entry, 'utf8');
  await writeFile(
    entry,
    `import type { Layers } from './layers/factory.js';\n${text.replace(/^export type Layers = .*\n/m, '')}export type * from './layers/factory.js';\n`,
  );
};
