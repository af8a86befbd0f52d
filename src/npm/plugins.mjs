/* Plugins for esbuild: they supply modules that exist only in the package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { minify } from 'terser';
import { shared } from '../js/base/shared.js';
import { packWasm } from './packed.mjs';
import { source } from './places.mjs';

/** The placeholder in code for the text of gradlock.wasm, which follows after all code. */
export const PACKED = 'GLK_PACKED';

/**
 * Supplies `wasm/wasm-inline.js`.
 * @param {import('./packed.mjs').WasmName} module
 * @returns {import('esbuild').Plugin}
 */
export const inlineWasm = (module) => ({
  name: 'inline-wasm',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/wasm-inline\.js$/ }, () => ({ path: 'wasm', namespace: 'inline' }));
    onLoad({ filter: /.*/, namespace: 'inline' }, async () => {
      const { joinBytes } = await packWasm(module);
      return { contents: `export const packed = () => ${PACKED}, joinBytes = ${joinBytes};` };
    });
  },
});

/** Supplies `wasm/thread-text.js`: thread.js, as text. @type {import('esbuild').Plugin} */
export const inlineThread = {
  name: 'inline-thread',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/thread-text\.js$/ }, () => ({ path: 'thread', namespace: 'thread' }));
    onLoad({ filter: /.*/, namespace: 'thread' }, async () => {
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
      return { contents: `export const threadText = ${JSON.stringify(code)};` };
    });
  },
};

/** Supplies `grid/rules.js`: grid/sheet.css, minified. @type {import('esbuild').Plugin} */
export const inlineRules = {
  name: 'inline-rules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/rules\.js$/ }, () => ({ path: 'sheet', namespace: 'rules' }));
    onLoad({ filter: /.*/, namespace: 'rules' }, async () => {
      const path = join(source, 'grid/sheet.css');
      const text = await readFile(path, 'utf8');
      const { code, warnings } = await transform(text, {
        ...{ loader: 'css', sourcefile: path, target: 'es2022' },
        ...{ minifySyntax: true, minifyWhitespace: true, logLevel: 'silent' },
      });
      // One rule per line, since lines of the built file have a limit. A tag keeps terser from
      // joining them.
      const rules = code
        .trim()
        .replace(/(--[\w-]+:) | ?([,/*]) /g, '$1$2')
        .replace(/[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '\n$&');
      return { contents: `export const rules = String.raw\`${rules}\`;`, warnings };
    });
  },
};

/** Leaves other entries of the package where they are. @type {import('esbuild').Plugin} */
export const importEntries = {
  name: 'import-entries',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(double|fit)\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * For entries that need an instance: they get the parts of base/ from it (decision 28).
 * @param {readonly string[]} [used] The names used from shared.js; esbuild reports missing ones.
 *   Default: all.
 * @returns {import('esbuild').Plugin}
 */
export const takeShared = (used = Object.keys(shared)) => ({
  name: 'take-shared',
  setup({ onResolve, onLoad }) {
    const names = used.join(', ');
    onResolve(
      { filter: /\/(bind|check|errors|none-free|strict|suggest|taken|text)\.js$/ },
      ({ path, resolveDir }) =>
        join(resolveDir, path, '..') === join(source, 'base')
          ? { path: 'taken', namespace: 'taken' }
          : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'taken' }, () => ({
      contents: `export let ${names};\nexport const takeShared = (shared) => { ({ ${names} } = shared); };`,
    }));
  },
});
