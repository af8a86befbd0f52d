/* Supplies the modules of src/js that have another form in the package. */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, transform } from 'esbuild';
import { minify } from 'terser';
import { kitParts } from '../js/base/kit-parts.js';
import { packWasm } from './packed.mjs';
import { source } from './paths.mjs';

/** @typedef {import('./entries.mjs').Entry} Entry */

/** The placeholder in code for the text of gradlock.wasm, which follows after all code. */
export const PACKED = 'GLK_PACKED';

/** The modules whose names `kitParts` has. */
const KIT_PARTS = /^base\/(bind|check|errors|none-free|strict|suggest|text|instance-kit)\.js$/;

/** @param {Entry} entry */
const wasmModule = async ({ wasm = 'single' }) => {
  const { joinBytes } = await packWasm(wasm);
  return `export const packed = () => ${PACKED}, joinBytes = ${joinBytes};`;
};

/** thread.js, as text. */
const threadModule = async () => {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(source, 'thread.js')], bundle: true, write: false },
    ...{ format: 'iife', platform: 'neutral', target: 'es2022', logLevel: 'warning' },
    ...{ minifySyntax: true, tsconfigRaw: {} }, // no repository's tsconfig.json
    define: { 'globalThis.GLK_REQUIRE': 'undefined' },
  });
  const { code = '' } = await minify(outputFiles[0]?.text ?? '', {
    compress: { passes: 2, directives: false },
    format: { comments: /webpackIgnore|@vite-ignore/ },
  });
  return `export const threadText = ${JSON.stringify(code)};`;
};

/** The rules of grid/stylesheet.css, minified. */
const rulesModule = async () => {
  const path = join(source, 'grid/stylesheet.css');
  const { code } = await transform(await readFile(path, 'utf8'), {
    ...{ loader: 'css', sourcefile: path, target: 'es2022' },
    ...{ minifySyntax: true, minifyWhitespace: true, logLevel: 'warning' },
  });
  // One rule per line, since lines of the built file have a limit. A tag keeps terser from
  // joining them.
  const rules = code
    .trim()
    .replace(/(--[\w-]+:) | ?([,/*]) /g, '$1$2')
    .replace(/[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '\n$&');
  return `export const rules = String.raw\`${rules}\`;`;
};

/** All names of `kitParts`, and a function that takes those in `used`. @param {string[]} used */
const kitModule = (used) => `export let ${Object.keys(kitParts).join(', ')};
  export const useKit = (parts) => { ({ ${used.join(', ')} } = parts); };`;

/** The names of `kitParts` that an entry uses: esbuild removes the others. @param {Entry} entry */
const usedParts = async (entry) => {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(source, `${entry.name}.js`)], bundle: true, write: false },
    ...{ format: 'esm', platform: 'neutral', external: ['node:*'] },
    plugins: [madeModules(entry, [])],
  });
  const code = outputFiles[0]?.text ?? '';
  return Object.keys(kitParts).filter((name) => code.includes(`\nvar ${name};\n`));
};

/**
 * @param {Entry} entry
 * @param {string[]} [used] The names of `kitParts` to take. Default: those that the entry uses.
 * @returns {import('esbuild').Plugin}
 */
export const madeModules = (entry, used) => ({
  name: 'made-modules',
  setup({ onResolve, onLoad }) {
    /** @type {Record<string, () => Promise<string>>} */
    const makers = {
      'base/instance-kit.js': async () => kitModule(used ?? (await usedParts(entry))),
      'grid/rules.js': rulesModule,
      'wasm/thread-text.js': threadModule,
      'wasm/wasm-inline.js': () => wasmModule(entry),
    };
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const name = relative(source, join(resolveDir, path)).replaceAll('\\', '/');
      // Other entries are files next to the command.
      if (entry.name === 'cli' && /^(double|fit)\.js$/.test(name)) return { path, external: true };
      if (KIT_PARTS.test(name)) {
        return entry.onInstance ? { path: 'base/instance-kit.js', namespace: 'made' } : undefined;
      }
      return makers[name] ? { path: name, namespace: 'made' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'made' }, async ({ path }) => ({
      contents: await makers[path]?.(),
    }));
  },
});
