/* Where the bytes of index.js and layers.js are (make sizes): what each source file adds to the compressed library, in C as
 * it travels inside JavaScript (src/npm/inline/split.mjs), and in JavaScript.
 *
 * A file's cost is the size with everything minus the size without it. What files share costs none of them, so costs add up
 * to less than the whole. wasm-opt, which forgets what came from where, has not been over this module: compressed, it
 * makes 1 % of a difference. zlib stands in for zopfli, which is 5 % smaller and takes hundreds of times as long. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { split } from '../../src/npm/inline/split.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const CODE_SECTION = 10;

/** @typedef {{ file: string, layer: string, bytes: number, cost: number }} Row */

/** @param {Uint8Array} bytes */
const deflated = (bytes) => deflateSync(bytes, { level: 9 }).length;

/** @param {number} value */
const leb = (value) => {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
};

/** @param {Uint8Array} wasm @param {number} at @returns {[number, number]} The number, and where it ends. */
const number = (wasm, at) => {
  let value = 0;
  for (let shift = 1; ; shift *= 128) {
    const byte = wasm[at++] ?? 0;
    value += (byte & 127) * shift;
    if (byte < 128) return [value, at];
  }
};

/** The code of a module as functions, and what is before and after. @param {Uint8Array} wasm */
const functionsOf = (wasm) => {
  let at = 8;
  for (let size = 0; wasm[at] !== CODE_SECTION; at += size) [size, at] = number(wasm, at + 1);
  const start = at;
  let [count, next] = number(wasm, number(wasm, at + 1)[1]);
  const functions = [];
  for (; count > 0; count--) {
    const [size, body] = number(wasm, next);
    functions.push({ at: next, end: body + size });
    next = body + size;
  }
  return { start, functions, end: next };
};

/**
 * How the module compresses without what lies in some ranges.
 * @param {Uint8Array} wasm
 * @param {[number, number][]} ranges
 */
const costWithout = (wasm, ranges) => {
  const { start, functions, end } = functionsOf(wasm);
  /** @param {number} at */
  const goes = (at) => ranges.some(([from, to]) => at >= from && at < to);
  const kept = functions.filter(({ at, end }) => !goes(at) && !goes(end - 1));
  const count = Buffer.from(leb(kept.length));
  const code = Buffer.concat([count, ...kept.map(({ at, end }) => wasm.subarray(at, end))]);
  const head = Buffer.from([CODE_SECTION, ...leb(code.length)]);
  const tail = wasm.subarray(end).filter((_, i) => !goes(end + i));
  return deflated(split(Buffer.concat([wasm.subarray(0, start), head, code, tail])));
};

/** What each C file takes in a linked module, by the linker's map. */
const rowsOfC = async () => {
  const wasm = await readFile(`${root}build/bench/sizes.wasm`);
  const map = await readFile(`${root}build/bench/sizes.map`, 'utf8');
  /** @type {Map<string, [number, number][]>} */
  const files = new Map();
  for (const line of map.split('\n')) {
    const [, at, size, from] =
      line.match(/^\s*\S+\s+([0-9a-f]+)\s+([0-9a-f]+) {9}(\S+?):\(.*\)$/) ?? [];
    if (!at || !size || !from) continue;
    const file = from.match(/src\/c\/(\w+\/\w+)\.o$/)?.[1];
    const name = file ? `${file}.c` : 'texts of all files';
    const start = Number.parseInt(at, 16);
    files.set(name, [...(files.get(name) ?? []), [start, start + Number.parseInt(size, 16)]]);
  }
  if (files.size < 2) throw new Error('the map of build/bench/sizes.wasm names no source of C');
  const whole = costWithout(wasm, []);
  const rows = [...files].map(([file, ranges]) => ({
    file,
    layer: file.includes('/') ? String(file.split('/')[0]) : 'texts',
    bytes: ranges.reduce((sum, [from, to]) => sum + to - from, 0),
    cost: whole - costWithout(wasm, ranges),
  }));
  return { whole, rows };
};

/**
 * What each JavaScript file takes, minified by itself.
 * @param {string} entry
 * @param {RegExp} own Paths of files that the entry does not take from elsewhere.
 */
const rowsOfJavaScript = async (entry, own) => {
  const { metafile } = await build({
    entryPoints: [`${root}src/js/${entry}`],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    external: ['node:*'],
  });
  const parts = await Promise.all(
    Object.keys(metafile.inputs)
      .filter((path) => own.test(path))
      .map(async (path) => {
        const { outputFiles } = await build({
          entryPoints: [path],
          write: false,
          minify: true,
          format: 'esm',
        });
        return { file: relative(`${root}src`, path), text: String(outputFiles[0]?.text) };
      }),
  );
  /** @param {string} [file] */
  const without = (file) =>
    gzipSync(parts.flatMap((part) => (part.file === file ? [] : part.text)).join('\n'), {
      level: 9,
    }).length;
  const whole = without();
  const rows = parts.map(({ file, text }) => {
    return { file, layer: 'js', bytes: text.length, cost: whole - without(file) };
  });
  return { whole, rows };
};

/** @param {string} title @param {Row[]} rows @param {number} whole */
const print = (title, rows, whole) => {
  console.log(`\n${title.padEnd(36)}   bytes   costs`);
  for (const { file, bytes, cost } of rows.sort((a, b) => b.cost - a.cost)) {
    const share = ((100 * cost) / whole).toFixed(1);
    console.log(
      `${file.padEnd(36)}${`${bytes}`.padStart(8)}${`${cost}`.padStart(8)}${share.padStart(7)} %`,
    );
  }
};

const [c, javaScript, models] = await Promise.all([
  rowsOfC(),
  rowsOfJavaScript('external.js', /./),
  rowsOfJavaScript('layers.js', /src\/js\/layers\//),
]);
const rows = [...c.rows, ...javaScript.rows];
const layers = [...new Set(rows.map(({ layer }) => layer))].map((layer) => {
  const files = rows.filter((row) => row.layer === layer);
  return {
    file: layer,
    layer,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    cost: files.reduce((sum, { cost }) => sum + cost, 0),
  };
});
const whole = c.whole + javaScript.whole;
/** @param {string} name */
const packed = async (name) =>
  gzipSync(await readFile(`${root}build/npm/${name}`), { level: 9 }).length;
console.log(
  `index.js ${await packed('index.js')} bytes of gzip; here ${c.whole} of C, ${javaScript.whole} of JavaScript`,
);
print('layer', layers, whole);
print('file', rows, whole);
console.log(
  `\nlayers.js ${await packed('layers.js')} bytes of gzip; here ${models.whole}, each file minified by itself`,
);
print('file', models.rows, models.whole);
