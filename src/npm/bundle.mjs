/* Makes one file of an entry's modules: esbuild puts them together, terser makes them small, and
 * wrap.mjs says what stands around them, in an ES module or in a UMD file (decision 38). */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { minify } from 'terser';
import { packWasm } from './packed.mjs';
import { source, target } from './places.mjs';
import { PACKED } from './plugins.mjs';
import { asModule, asUmd, banner, HERE, LIBRARY, REQUIRE, umdHead } from './wrap.mjs';

/** @typedef {import('./entries.mjs').Entry} Entry */
/** @typedef {{ version: number, sources: string[], mappings: string }} SourceMap */

/**
 * Characters of a built line of code at most: an engine that meets an uncaught error prints the
 * line, and then the error. Lines of gradlock.wasm, where nothing fails, cost a byte each.
 */
const MOST_COLUMNS = 600;
const MOST_PACKED = 4000;

/** What stays of comments: what bundlers are told. */
const KEPT = /webpackIgnore|@vite-ignore/;
const PURE = '/* @__PURE__ */';

/**
 * The modules of an entry as one, and its map.
 * @param {Entry} entry
 * @param {boolean} isUmd
 */
const collect = async ({ file, from, plugins, holdsWasm = false }, isUmd) => {
  /** @type {import('esbuild').BuildResult<{ write: false, metafile: true }>} */
  const { outputFiles, metafile } = await build({
    entryPoints: [join(source, from)],
    outfile: join(target, file),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    // Not white space, since esbuild would take what bundlers are told along.
    minifyIdentifiers: true,
    minifySyntax: true,
    external: ['node:*'],
    define: isUmd
      ? { 'import.meta.url': HERE, [`globalThis.${REQUIRE}`]: REQUIRE }
      : { [`globalThis.${REQUIRE}`]: 'undefined' },
    plugins: [...plugins],
    sourcemap: 'external',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const isInlined = Object.keys(metafile.inputs).some((input) => input.startsWith('inline:'));
  if (isInlined !== holdsWasm) throw new Error(`${file} must${holdsWasm ? '' : ' not'} hold wasm`);
  const end = (/** @type {string} */ name) =>
    outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
  return { code: end('.js'), map: /** @type {SourceMap} */ (JSON.parse(end('.map'))) };
};

/**
 * The same as one expression, `const LIBRARY = (() => { … return { init, … }; })();`, and the names
 * in it.
 * @param {{ code: string, map: SourceMap }} module
 */
const enclose = ({ code, map }) => {
  const [exported = '', list = ''] = code.match(/export\s*\{([^}]*)\};?\s*$/) ?? [];
  const names = list.split(',').map((pair) => {
    const [local = '', name = local] = pair.trim().split(' as ');
    return { local, name };
  });
  const members = names.map(({ local, name }) => `${name}: ${local}`).join(', ');
  // Only one call is to be marked as pure, and no column to move.
  const body = code
    .slice(0, code.length - exported.length)
    .replaceAll(PURE, ' '.repeat(PURE.length));
  return {
    code: `const ${LIBRARY} = ${PURE} (() => {\n${body}\nreturn { ${members} };\n})();`,
    map: { ...map, mappings: `;${map.mappings}` },
    names: names.map(({ name }) => name),
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
    // Lines end where statements do, which costs nothing: a line break stands for a semicolon. A
    // line may pass the limit by a token.
    format: {
      semicolons: false,
      max_line_len: MOST_COLUMNS - 60,
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
 * gradlock.wasm behind all code, where gzip takes 400 bytes less than amid it.
 * @param {Entry} entry
 */
const packedTail = async ({ holdsWasm }) => {
  if (!holdsWasm) return '';
  const { text } = await packWasm();
  const lines = text.match(new RegExp(`.{1,${MOST_PACKED}}`, 'g')) ?? [];
  return `var ${PACKED} = \`\n${lines.join('\n')}\`;\n`;
};

/**
 * Write a file and its map, whose sources are in it.
 * @param {string} name
 * @param {readonly string[]} parts A line; the code that the map is of; and what follows.
 * @param {SourceMap} map
 */
const write = async (name, [head = '', code = '', tail = ''], map) => {
  const path = join(target, name);
  const comment = `//# sourceMappingURL=${name.split('/').at(-1)}.map\n`;
  const text = `${head}\n${code}\n${tail}${comment}`;
  const longest = Math.max(...code.split('\n').map((line) => line.length));
  if (longest > MOST_COLUMNS) throw new Error(`${name} has a line of ${longest} characters`);
  // As if the sources were in the package, at src/js.
  const up = '../'.repeat(name.split('/').length - 1);
  const sources = map.sources.map((from) => up + from.replace(/^(\.\.\/)+/, ''));
  const moved = { ...map, file: undefined, sources, mappings: `;${map.mappings}` };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await writeFile(`${path}.map`, JSON.stringify(moved));
};

/**
 * The code of an entry's ES module, its map, and the names that it exports, if it is whole.
 * @param {Entry} entry
 */
export const shortModule = async (entry) => {
  const module = await collect(entry, false);
  if (!entry.isWhole) return { ...(await shorten(module)), names: [] };
  const { names, ...enclosed } = enclose(module);
  return { ...(await shorten(enclosed)), names };
};

/** An entry as an ES module. @param {Entry} entry */
export const writeModule = async (entry) => {
  const { code, map, names } = await shortModule(entry);
  const tail = entry.isWhole ? asModule(names) + (await packedTail(entry)) : '';
  return write(entry.file, [banner, code, tail], map);
};

/** An entry for `require` and classic scripts. @param {Entry} entry */
export const writeUmd = async (entry) => {
  const { names, ...enclosed } = enclose(await collect(entry, true));
  const { code, map } = await shorten(enclosed);
  const tail = asUmd(names, await packedTail(entry));
  return write(entry.umd, [umdHead(code), code, tail], map);
};
