/* The declarations of layers, from what TypeScript emitted of the classes: the table of layers as
 * methods of `Layers`, each with its comment, and the options of each class under its own name. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LAYERS } from '../js/layers/factory.js';
import { source } from './places.mjs';

const COMMENT = String.raw`/\*\*(?:(?!\*/)[\s\S])*\*/\n`;

/** A comment of a member, and the member's first line. */
const MEMBER = new RegExp(`^    (${COMMENT})    (.*)\n`, 'gm');

/**
 * Members that only override are their base's, which has the words. TypeScript does not strip what
 * constructors assign. What options are made of is there for types alone.
 * @param {string} text
 */
const withoutInside = (text) =>
  text.replace(MEMBER, (all, comment, line) => {
    if (/^static (fields|aliases)/.test(line)) return `    /** @internal */\n    ${line}\n`;
    const isInside = /@internal|^\/\*\*[\s*]*@override/.test(comment);
    return isInside && line.endsWith(';') ? '' : all;
  });

/**
 * TypeScript writes the comments of all overloads before each.
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

/** Options by fields, under their name wherever they are shown. @param {string} text */
const asInterfaces = (text) =>
  text.replace(
    /^export type (\w+) = (field\.OptionsOf<typeof \w+>);$/gm,
    'export interface $1 extends $2 {\n}',
  );

/**
 * Methods and types of all layers, in the place of the table.
 * @param {string} text The declarations of factory.js.
 * @param {ReadonlySet<string>} classes Names of what is a class by itself. Others are made by a
 *   function, and are layers as any.
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
 * Write them into what was emitted.
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
