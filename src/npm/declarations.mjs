/* Makes the published declarations. They contain the types that users can reach from an entry, out
 * of all that TypeScript emits from the JSDoc, each under its own name. There is one file for each
 * entry and one for shared types, so that a `Variable` of gradlock is also one of gradlock/layers.
 * They need TypeScript 5.0 and no library beyond es2022: no dom, no Node.js. */
import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { COMMENT, withoutTypes } from './type-comments.mjs';

/**
 * Declares Symbol.dispose, which `using` needs. TypeScript has had it since 5.2, in a library that
 * few projects include. TypeScript merges it with an identical declaration elsewhere.
 */
const DISPOSE = `declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}
`;

/** The types of the element for TypeScript, in a file that needs dom anyway. */
const ELEMENT = readFileSync(new URL('../js/grid/globals.d.ts', import.meta.url), 'utf8').replace(
  /[\s\S]*?(?=\ndeclare global)/,
  '',
);

/** Rewrites emitted declarations for users. @param {string} text */
const simplify = (text) => {
  const bare = text.replace(COMMENT, (comment) => {
    // Comments of typedefs are those of the types by now.
    if (comment.includes('@typedef')) return '';
    // A tag without text does not help, nor does an empty line between two tags.
    return withoutTypes(comment)
      .replace(/^ *\* @(?:returns|type|override|(?:param|template) \S+)\s*$\n/gm, '')
      .replace(/^( *\/\*\*.*?) *@(?:type|returns|override) *\*\//gm, '$1 */')
      .replace(/^ *\/\*\*\s*\*\/\n/gm, '')
      .replace(/^ *\/\*\*\n *\*\/\n/gm, '');
  });
  return (
    bare
      // `type A = import('./a').A` is another type of that name: the name itself.
      .replace(
        /^export type (\w+)(?:<.*>)? = import\((['"])(.*?)\2\)\.(\w+)(?:<[\w, ]+>)?;$/gm,
        (_, name, _quote, path, source) => {
          const pair = source === name ? name : `${source} as ${name}`;
          return `import type { ${pair} } from '${path}'; export type { ${name} };`;
        },
      )
      // Arrays have been generic since TypeScript 5.7; `of` gives that with a buffer of its own, in
      // all versions.
      .replace(/\b(\w+\d+Array)<ArrayBuffer>/g, 'ReturnType<typeof $1.of>')
      .replace(/\b(\w+\d+Array)<\w+>/g, '$1')
      .replaceAll('[disposeKey]', '[Symbol.dispose]')
      .replace(/^\/\/\/ <reference lib="esnext.disposable".*\n/gm, '')
  );
};

/**
 * Marks exports as types only: classes whose objects users get but do not construct.
 * @param {string} text
 * @param {readonly string[]} values The names that the entry exports at run time.
 */
const markTypes = (text, values) =>
  text.replace(/^export \{([^}]*)\};$/m, (_, list) => {
    const names = list.split(',').map((/** @type {string} */ name) => name.trim());
    const marked = names.map((/** @type {string} */ name) =>
      values.includes(name) || /^(type |$)/.test(name) ? name : `type ${name}`,
    );
    return `export { ${marked.join(', ')} };`;
  });

/**
 * Rewrites the types of f32 for gradlock/double, which has the same names.
 * @param {string} text
 */
export const inDouble = (text) =>
  text
    .replaceAll('Float32Array', 'Float64Array')
    .replace(/\bf32(?!\??:)/g, 'f64')
    .replaceAll('Float64Array | Float64Array', 'Float32Array | Float64Array');

/**
 * @param {string} from The folder of TypeScript's output.
 * @param {string} to The folder of the published declarations.
 * @param {Readonly<Record<string, readonly string[]>>} entries The names of modules in the folder,
 *   and the names that each exports at run time.
 * @param {(text: string) => string} [rewrite] Rewrites each module. Default: not at all.
 */
export const bundleDeclarations = async (from, to, entries, rewrite = (text) => text) => {
  const input = Object.fromEntries(
    Object.keys(entries).map((name) => [name, join(from, `${name}.d.ts`)]),
  );
  const bundle = await rolldown({
    input,
    external: /^(@|node:|[a-z])/,
    plugins: [
      {
        name: 'simplify',
        load: async (id) =>
          id.endsWith('.d.ts') ? rewrite(simplify(await readFile(id, 'utf8'))) : undefined,
      },
      dts({ dtsInput: true, tsconfig: false }),
    ],
  });
  await bundle.write({
    dir: to,
    chunkFileNames: 'parts/[name].d.ts',
    minifyInternalExports: false,
  });
  for (const name of await readdir(to, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(to, name);
    const text = await readFile(path, 'utf8');
    // rolldown names the modules of a file by their paths here.
    const clean = text
      .replace(/^\/\/(?!\/).*\n/gm, '')
      // Inside types it puts comments in the wrong place: after the previous member.
      .replace(
        /(;) (\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n *|(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)(?=\w)/g,
        (_, end = '', behind, before) => `${end && `${end}\n    `}${behind ?? before}\n    `,
      );
    const values = entries[name.replace('.d.ts', '')];
    const marked = values ? markTypes(clean, values) : clean;
    const more = [
      clean.includes('Symbol.dispose') ? DISPOSE : '',
      name === 'grid.d.ts' ? ELEMENT : '',
    ];
    await writeFile(path, marked + more.join(''));
  }
};
