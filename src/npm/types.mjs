/* Makes the published declarations. They contain the types that users can reach from an entry, out
 * of all that TypeScript emits from the JSDoc, each under its own name. There is one file for each
 * entry and one for shared types, so that a `Variable` of gradlock is also one of gradlock/layers.
 * They need TypeScript 5.0 and no library beyond es2022: no dom, no Node.js. TypeScript's own
 * output stays in build/types, where tests read examples from it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { LAYERS } from '../js/layers/factory.js';
import { entries } from './entries.mjs';
import { root, source, target } from './paths.mjs';
import { declareLayers, tidy } from './tidy.mjs';

const emitted = join(root, 'build/types');
const published = join(target, 'types');

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

/**
 * The declaration of `import wasm from 'gradlock/gradlock.wasm'`. Bundlers return different things
 * for it; init accepts all of them.
 */
const WASM = `import type { InitOptions } from './external.js';

/** The compiled module, its bytes or its address, by your bundler: for \`init({ wasm })\`. */
declare const wasm: NonNullable<InitOptions['wasm']>;
export default wasm;
`;

/** Declarations in a folder, by their paths. @param {string} folder */
const readDeclarations = async (folder) => {
  const names = (await readdir(folder, { recursive: true })).filter((n) => n.endsWith('.d.ts'));
  const read = async (/** @type {string} */ name) =>
    /** @type {const} */ ([name, await readFile(join(folder, name), 'utf8')]);
  return new Map(await Promise.all(names.sort().map(read)));
};

/** Writes the declarations of all modules into build/types. */
export const emitTypes = async () => {
  const options = `--allowJs --checkJs --declaration --emitDeclarationOnly --strict --stripInternal
    --skipLibCheck --target es2022 --lib es2023,dom,esnext.disposable --module nodenext --types node
    --ignoreConfig`.split(/\s+/);
  const folders = ['--rootDir', source, '--outDir', emitted];
  const modules = entries.map(({ name }) => join(source, `${name}.js`));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await rm(emitted, { recursive: true, force: true });
  const command = [tsc, ...options, ...folders, ...modules];
  const [status] = await once(
    spawn(process.execPath, command, { cwd: root, stdio: 'inherit' }),
    'close',
  );
  if (status !== 0) throw new Error('TypeScript found the errors above');
  await cp(join(source, 'tfjs/api.d.ts'), join(emitted, 'tfjs/api.d.ts'));

  const files = await readDeclarations(emitted);
  const all = [...files.values()].join('');
  const classes = new Set(
    Array.from(all.matchAll(/^export declare class (\w+)/gm), ([, name = '']) => name),
  );
  for (const [name, text] of files) {
    const written = await readFile(join(source, name.replace('.d.ts', '.js')), 'utf8').catch(
      () => '',
    );
    let tidied = tidy(text, written);
    if (name === 'layers/factory.d.ts') {
      tidied = declareLayers(tidied, written, /** @type {any} */ (LAYERS), classes);
    }
    if (name === 'layers.d.ts') {
      tidied = tidied.replace(/^export type Layers = .*\n/m, '');
      tidied +=
        "import type { Layers } from './layers/factory.js';\nexport type * from './layers/factory.js';\n";
    }
    await writeFile(join(emitted, name), tidied);
  }
};

/**
 * Rewrites the types of f32 for gradlock/double, which has the same names.
 * @param {string} text
 */
const inDouble = (text) =>
  text
    .replaceAll('Float32Array', 'Float64Array')
    .replace(/\bf32(?!\??:)/g, 'f64')
    .replaceAll('Float64Array | Float64Array', 'Float32Array | Float64Array');

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
 * Bundles the declarations of entries.
 * @param {readonly string[]} names The names of the entries' files.
 * @param {boolean} isDouble True for the types of gradlock/double, which go into a folder of their
 *   own.
 */
const bundle = async (names, isDouble) => {
  const to = isDouble ? join(published, 'double') : published;
  const bundled = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(emitted, `${name}.d.ts`)])),
    external: /^(@|node:|[a-z])/,
    plugins: [
      {
        name: 'double',
        resolveId: (id) => {
          if (!id.startsWith('#double/')) return undefined;
          const file = id.slice('#double/'.length).replace(/\.js$/, '');
          return isDouble
            ? join(emitted, `${file}.d.ts`)
            : { id: join(published, 'double', file === 'types' ? 'double' : file), external: true };
        },
        load: async (id) => (isDouble ? inDouble(await readFile(id, 'utf8')) : undefined),
      },
      dts({ dtsInput: true, tsconfig: false }),
    ],
  });
  await bundled.write({
    dir: to,
    chunkFileNames: 'parts/[name].d.ts',
    minifyInternalExports: false,
  });
  for (const [name, text] of await readDeclarations(to)) {
    if (!isDouble && name.startsWith('double/')) continue;
    const entry = name.replace('.d.ts', '');
    const clean = text
      // rolldown names the modules of a file by their paths here.
      .replace(/^\/\/(?!\/).*\n/gm, '')
      // Inside types it puts comments wrongly: after the previous member.
      .replace(
        /(;) (\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n *|(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)(?=\w)/g,
        (_, end = '', behind, before) => `${end && `${end}\n    `}${behind ?? before}\n    `,
      )
      // It has no relative path for them, and no name that reads well.
      .replace(/_\$_double_(\w+)_js\d/g, (_, file) => (file === 'types' ? 'double' : `${file}64`))
      .replace(/"[^"]*\/double\/(\w+)"/g, `"${dirname(name) === '.' ? '.' : '..'}/double/$1.js"`);
    const values = names.includes(entry)
      ? Object.keys(await import(join(target, `${entry}.js`)))
      : null;
    const globals = await readFile(join(source, 'grid/globals.d.ts'), 'utf8');
    const more = [
      clean.includes('Symbol.dispose') ? DISPOSE : '',
      // The types of the element, in a file that needs dom anyway.
      entry === 'grid' ? globals.slice(globals.indexOf('\ndeclare global')) : '',
      !isDouble && /^(layers|fit)$/.test(entry)
        ? `\n/** The types in double precision. */\nexport type * as double from "./double/${entry}.js";\n`
        : '',
    ];
    await writeFile(join(to, name), (values ? markTypes(clean, values) : clean) + more.join(''));
  }
};

/**
 * Writes the declarations of everything that users can reach from the entries, out of what
 * `emitTypes` made, twice: TypeScript uses those in umd/, a CommonJS folder, for `require`.
 */
export const writeTypes = async () => {
  const names = entries.map(({ name }) => name);
  await bundle(
    names.filter((name) => name !== 'double'),
    false,
  );
  await bundle(['double', 'layers', 'fit'], true);
  await writeFile(join(published, 'wasm.d.ts'), WASM);
  await cp(published, join(target, 'umd/types'), { recursive: true });
};
