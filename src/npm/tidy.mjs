/* Tidies the declarations that TypeScript emitted from the JSDoc. */

const COMMENT = String.raw`/\*\*(?:(?!\*/)[\s\S])*\*/\n`;

/** What stands between braces, which may have others inside. */
const INSIDE = [1, 2, 3].reduce((inner) => `(?:[^{}]|\\{${inner}*\\})`, '[^{}]');
const TYPE_OF_TAG = new RegExp(
  `(@(?:param|returns|template|type|typedef|property)\\s+)\\{${INSIDE}*\\} *`,
  'g',
);

/**
 * Returns the name that a typedef's comment defines, and its text before any tag.
 * @param {string} comment
 */
const readTypedef = (comment) => {
  const text = comment.replace(/^ *\/\*\*|\*\/\s*$/g, '').replace(/^ *\* ?/gm, '');
  const [before, name, after] = text.replace(TYPE_OF_TAG, '$1').split(/@typedef\s+(\w+)/);
  const words = [before, after].map((part) => part?.replace(/@\w[\s\S]*/, '').trim());
  return name ? [/** @type {const} */ ([name, words.filter(Boolean).join('\n')])] : [];
};

/**
 * Gives types the comments of their typedefs. TypeScript only does so if the next statement of the
 * source is exported.
 * @param {string} text
 * @param {string} written The source.
 */
const restoreComments = (text, written) => {
  const comments = new Map((written.match(new RegExp(COMMENT, 'g')) ?? []).flatMap(readTypedef));
  return text.replace(/(\*\/\n)?^export type (\w+)/gm, (line, comment, name) => {
    const words = comment ? '' : comments.get(name);
    return words ? `/**\n${words.replace(/^/gm, ' * ').replace(/ +$/gm, '')}\n */\n${line}` : line;
  });
};

/**
 * Removes comments of typedefs, which their types have now, and tags that say nothing: types in
 * braces, since the declaration is more exact, and tags without text.
 * @param {string} comment
 */
const tidyComment = (comment) =>
  /@typedef|@import/.test(comment)
    ? ''
    : comment
        .replace(TYPE_OF_TAG, '$1')
        .replace(/^ *\* @(?:returns|type|override|overload|(?:param|template) \S+)\s*$\n/gm, '')
        .replace(/ @(?:returns|type|override|(?:param|template) \S+)(?= +(?:@|\*\/))/g, '')
        .replace(/^ *\/\*\*\s*(?:\*\s*)?\*\/\n/gm, '');

/** Puts each mark that stands before its member on a line of its own. @param {string} text */
const separateMarks = (text) => text.replace(/^( *)(\/\*\* @override \*\/) /gm, '$1$2\n$1');

/**
 * Keeps one comment for each overload: TypeScript writes all of them before each.
 * @param {string} text
 */
const separateOverloads = (text) => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return text.replace(new RegExp(`(?:^    ${COMMENT}){2,}`, 'gm'), (all) => {
    if (!all.includes('@overload')) return all;
    const count = counts.get(all) ?? 0;
    counts.set(all, count + 1);
    return all.match(new RegExp(`    ${COMMENT}`, 'g'))?.[count] ?? '';
  });
};

/**
 * Removes members that only override, since the base has their comments, and internal fields that
 * constructors assign, which TypeScript keeps. The tables of options become internal: only types
 * use them.
 * @param {string} text
 */
const hideMembers = (text) =>
  text.replace(new RegExp(`^    (${COMMENT})    (.*)\n`, 'gm'), (all, comment, line) => {
    if (/^static (fields|aliases)/.test(line)) return `    /** @internal */\n    ${line}\n`;
    const isHidden = /@internal|^\/\*\*[\s*]*@override(?![\s\S]*@example)/.test(comment);
    return isHidden && line.endsWith(';') ? '' : all;
  });

/**
 * @param {string} text A module of TypeScript's declarations.
 * @param {string} written Its source.
 */
export const tidy = (text, written) =>
  hideMembers(separateOverloads(restoreComments(separateMarks(text), written)))
    .replace(new RegExp(`^ *${COMMENT}`, 'gm'), tidyComment)
    // `type A = import('./a').A` is another type of that name: the name itself.
    .replace(
      /^export type (\w+)(?:<.*>)? = import\((['"])([^'"]*)\2\)\.(\w+)(?:<[\w, ]+>)?;$/gm,
      (_, name, _quote, path, source) =>
        `import type { ${source === name ? name : `${source} as ${name}`} } from '${path}'; export type { ${name} };`,
    )
    // Editors always show the names of interfaces.
    .replace(
      /^export type (\w+) = (field\.OptionsOf<typeof \w+>);$/gm,
      'export interface $1 extends $2 {\n}',
    )
    // Arrays have been generic since TypeScript 5.7; `of` gives that with a buffer of its own, in
    // all versions.
    .replace(/\b(\w+\d+Array)<ArrayBuffer>/g, 'ReturnType<typeof $1.of>')
    .replace(/\b(\w+\d+Array)<\w+>/g, '$1')
    .replaceAll('[disposeKey]', '[Symbol.dispose]')
    .replace(/^\/\/\/ <reference lib="esnext.disposable".*\n/gm, '');

/**
 * The methods of `Layers` and the options of each layer, from the table of layers.
 * @param {string} text The tidy declarations of layers/factory.js.
 * @param {string} written Its source.
 * @param {Record<string, { className: string, fields: object }>} table
 * @param {ReadonlySet<string>} classes The names of classes with their own declaration. The others
 *   are made by functions and have the type Layer.
 */
export const declareLayers = (text, written, table, classes) => {
  const [, rows = ''] = written.match(/^export const LAYERS = \{\n([\s\S]*?)^\};/m) ?? [];
  /** @type {Set<string>} */
  const names = new Set();
  const methods = rows.replace(/^ {2}(\w+): kinds\.(\w+),$/gm, (_, method, name) => {
    names.add(name);
    const isNeeded = Object.values(table[method]?.fields ?? {}).some(
      (f) => f.initial === undefined,
    );
    const result = classes.has(name) ? name : 'Layer';
    return `  ${method}(config${isNeeded ? '' : '?'}: ${name}Config): ${result};`;
  });
  const configs = [...names].map(
    (name) =>
      `/** What \`${name}\` takes. */\nexport interface ${name}Config extends ConfigOf<typeof ${name}> {\n}\n`,
  );
  return [
    `import type { ${[...names].join(', ')} } from './kinds/kinds.js';\n`,
    `export type { ${[...names].filter((name) => classes.has(name)).join(', ')} };\n`,
    text
      .replace(/^import \* as kinds from .*\n/m, '')
      .replace(/^export type Makers = \{\n[\s\S]*?^\};\n/m, '')
      .replace(/^export type Maker<[\s\S]*?InstanceType<C>;\n/m, '')
      .replace(
        /^(export declare class Layers \{\n[\s\S]*?)^\}/m,
        `$1${methods.replace(/^/gm, '  ')}\n}`,
      ),
    ...configs,
  ].join('');
};
