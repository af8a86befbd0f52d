/* Bundles an entry's modules into one file: esbuild joins them, terser minifies them, and wrap.mjs
 * adds the wrapper of an ES module or of a UMD file (decision 38). */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { madeModules, PACKED } from './made-modules.mjs';
import { packWasm } from './packed.mjs';
import { source, target } from './paths.mjs';
import { asModule, asUmd, banner, HERE, LIBRARY, REQUIRE, umdHead } from './wrap.mjs';

/** @typedef {import('./entries.mjs').Entry} Entry */
/** @typedef {{ version: number, sources: string[], mappings: string }} SourceMap */

/**
 * The length of a built line of code, which a token may pass: engines print the whole line before
 * an uncaught error. In the text of gradlock.wasm no error occurs, and each line costs a byte.
 */
const MOST_COLUMNS = 540;
const MOST_PACKED = 4000;

/** The comments that stay: annotations for bundlers. */
const KEPT = /webpackIgnore|@vite-ignore/;
const PURE = '/* @__PURE__ */';

/**
 * Joins the modules of an entry, and returns the code and its map.
 * @param {Entry} entry
 * @param {boolean} isUmd
 */
const collect = async (entry, isUmd) => {
  /** @type {import('esbuild').BuildResult<{ write: false, metafile: true }>} */
  const { outputFiles, metafile } = await build({
    entryPoints: [join(source, `${entry.name}.js`)],
    outfile: join(target, `${entry.name}.js`),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // White space stays, since esbuild would remove annotations for bundlers with it.
    minifyIdentifiers: true,
    minifySyntax: true,
    external: ['node:*'],
    define: isUmd
      ? { 'import.meta.url': HERE, [`globalThis.${REQUIRE}`]: REQUIRE }
      : { [`globalThis.${REQUIRE}`]: 'undefined' },
    plugins: [madeModules(entry)],
    sourcemap: 'external',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const end = (/** @type {string} */ name) =>
    outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  const inputs = Object.keys(metafile.inputs);
  const packages = inputs.flatMap(
    (input) => input.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
  );
  return { code: end('.js'), map: /** @type {SourceMap} */ (JSON.parse(end('.map'))), packages };
};

/**
 * Wraps the code as one expression, `const LIBRARY = (() => { … return { init, … }; })();`, and
 * returns the names in it.
 * @param {{ code: string, map: SourceMap }} module
 */
const enclose = ({ code, map }) => {
  const [exported = '', list = ''] = code.match(/export\s*\{([^}]*)\};?\s*$/) ?? [];
  const pairs = list
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.trim().split(' as '));
  const names = pairs.map(([local = '', name = local]) => name);
  const members = pairs.map(([local = '', name = local]) => `${name}: ${local}`).join(', ');
  // Only one call may be marked as pure, and no column may move.
  const body = code
    .slice(0, code.length - exported.length)
    .replaceAll(PURE, ' '.repeat(PURE.length));
  return {
    code: `const ${LIBRARY} = ${PURE} (() => {\n${body}\nreturn { ${members} };\n})();`,
    map: { ...map, mappings: `;${map.mappings}` },
    names,
  };
};

/**
 * On top of esbuild's names terser takes 3 % off the compressed code; statements compress better
 * than sequences.
 * @param {{ code: string, map: SourceMap }} module
 */
const shorten = async ({ code, map }) => {
  const result = await minify(code, {
    ecma: 2020,
    module: true,
    compress: { passes: 2, sequences: false, reduce_funcs: false, top_retain: LIBRARY },
    mangle: { reserved: [LIBRARY] },
    // Lines end where statements do, which costs nothing: a line break stands for a semicolon.
    format: {
      semicolons: false,
      max_line_len: MOST_COLUMNS,
      comments: KEPT,
      preserve_annotations: code.includes(LIBRARY),
    },
    sourceMap: { content: JSON.stringify(map), includeSources: true },
  });
  return {
    code: result.code ?? '',
    map: /** @type {SourceMap} */ (JSON.parse(`${result.map}`)),
  };
};

/**
 * The text of gradlock.wasm comes after all code: gzip needs 400 bytes less than with it in the
 * middle.
 * @param {Entry} entry
 */
const packedTail = async ({ wasm }) => {
  if (!wasm) return '';
  const { text } = await packWasm(wasm);
  const lines = text.match(new RegExp(`.{1,${MOST_PACKED}}`, 'g')) ?? [];
  return `var ${PACKED} = \`\n${lines.join('\n')}\`;\n`;
};

/**
 * Write a file and its map, which contains the sources.
 * @param {string} name
 * @param {readonly string[]} parts A line, the code that belongs to the map, and the rest.
 * @param {SourceMap} map
 */
const write = async (name, [head = '', code = '', tail = ''], map) => {
  const path = join(target, name);
  const comment = `//# sourceMappingURL=${name.split('/').at(-1)}.map\n`;
  const text = `${head}\n${code}\n${tail}${comment}`;
  // The paths are as if the sources were in the package, at src/js.
  const up = '../'.repeat(name.split('/').length - 1);
  const sources = map.sources.map(
    (from) => up + from.replace(/^.*(?=node_modules\/)|^(\.\.\/)+/, ''),
  );
  const moved = { ...map, file: undefined, sources, mappings: `;${map.mappings}` };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await writeFile(`${path}.map`, JSON.stringify(moved));
};

/**
 * Returns the code of an entry's ES module, its map, and its exported names, if the entry is whole.
 * @param {Entry} entry
 */
export const shortModule = async (entry) => {
  const module = await collect(entry, false);
  if (!entry.isWhole) return { ...(await shorten(module)), names: [] };
  const { names, ...enclosed } = enclose(module);
  return { ...(await shorten(enclosed)), names };
};

/** Write an entry as an ES module. @param {Entry} entry */
export const writeModule = async (entry) => {
  const { code, map, names } = await shortModule(entry);
  const tail = entry.isWhole ? asModule(names) + (await packedTail(entry)) : '';
  return write(`${entry.name}.js`, [banner, code, tail], map);
};

/** The licence of a package that is in a bundle, as a comment. @param {string} folder */
const noticeOf = async (folder) => {
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const text = await readFile(join(folder, 'LICENSE'), 'utf8');
  return `/*! Contains ${name} ${version}:\n\n${text.trim()} */\n`;
};

/**
 * Write the command `gradlock`: it imports the entries that are files next to it. No page loads it,
 * so it is not shortened.
 * @param {Entry} entry
 */
export const writeCommand = async (entry) => {
  const { code, map, packages } = await collect(entry, false);
  const named = /^\/\/ .*\.m?js$/gm; // esbuild's comments: paths that depend on the current folder
  const moved = { ...map, mappings: `;${map.mappings}` };
  const notices = await Promise.all(packages.map(noticeOf));
  const parts = [`#!/usr/bin/env node\n${banner}`, code.replace(named, ''), notices.join('')];
  return write(`${entry.name}.js`, parts, moved);
};

/** Write an entry as a UMD file, for `require` and classic scripts. @param {Entry} entry */
export const writeUmd = async (entry) => {
  const { names, ...enclosed } = enclose(await collect(entry, true));
  const { code, map } = await shorten(enclosed);
  const tail = asUmd(names, await packedTail(entry), entry.global);
  return write(`umd/${entry.umd ?? entry.name}.js`, [umdHead(code), code, tail], map);
};
