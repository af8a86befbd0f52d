/* The storeys of the house: what may include or import what. Dependencies run one way,
 * core <- lock, kernels <- ops <- graph <- slots <- optim <- solve <- bind <- js <- web. Solvers
 * know optimizers only because one file, solve/state.c, saves and loads both. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Which folders' headers each C folder may include, beside its own and the public gradlock.h. */
const allowed = {
  include: [],
  core: [],
  lock: ['core'],
  kernels: ['core'],
  ops: ['core', 'lock', 'kernels'],
  graph: ['core', 'lock', 'kernels', 'ops'],
  slots: ['core', 'lock', 'kernels'],
  optim: ['core', 'lock', 'kernels', 'ops', 'graph', 'slots'],
  solve: ['core', 'lock', 'kernels', 'ops', 'graph', 'slots', 'optim'],
  bind: ['core', 'lock', 'kernels', 'ops', 'graph', 'slots', 'optim', 'solve'],
};

/**
 * What a C file may not include and does: "file:line: reason".
 * @param {string} file path from src/c/, such as "ops/unary.c"
 * @param {string} text
 */
function wrongIncludes(file, text) {
  const folder = /** @type {keyof typeof allowed} */ (file.split('/')[0]);
  const may = /** @type {string[]} */ ([...allowed[folder], folder]);
  return text.split('\n').flatMap((line, index) => {
    const path = line.match(/^\s*#\s*include\s+"([^"]+)"/)?.[1];
    if (path === undefined || path === 'gradlock.h') return [];
    const where = `src/c/${file}:${index + 1}: `;
    if (!path.includes('/')) return [`${where}"${path}" is not a path from src/c/`];
    const target = path.split('/')[0];
    return may.includes(target) ? [] : [`${where}${folder} must not know "${path}"`];
  });
}

/**
 * The modules a JavaScript file imports, statically or by import().
 * @param {string} text
 */
function importsOf(text) {
  const pattern =
    /(?:^|[\s;}])(?:import|export)\s*(?:[\w*{}\s,$]*\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*[,)]/g;
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(pattern)].map((match) => match[1] ?? match[2]);
}

/**
 * Files below a folder, as paths from the repository's root; none if the folder does not exist.
 * @param {string} folder
 * @param {RegExp} name
 */
async function filesBelow(folder, name) {
  const entries = await readdir(join(root, folder), { recursive: true });
  return entries.map((path) => `${folder}/${path}`).filter((path) => name.test(path));
}

/** @param {string} file */
const read = (file) => readFile(join(root, file), 'utf8');

test('no C file includes a folder above or beside its own', async () => {
  const files = (await filesBelow('src/c', /\.[ch]$/)).map((f) => f.slice('src/c/'.length));
  assert.notEqual(files.length, 0);
  const unknown = files.filter((file) => !(file.split('/')[0] in allowed));
  assert.deepEqual(unknown, [], 'these files lie in no known folder');
  const wrong = await Promise.all(
    files.map(async (f) => wrongIncludes(f, await read(`src/c/${f}`))),
  );
  assert.deepEqual(wrong.flat(), []);
});

/** C without comments: includes stay. @param {string} text */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '');

/**
 * What C modules need of each other. A module is x.c with x.h; it needs what it includes, and the
 * module whose .c defines a function that it names: a header such as graph/program.h may declare
 * functions of many, and be no arrow to any of them. Functions that a macro defines are not seen.
 * @param {Map<string, string>} files text of each file by its path from src/c/
 */
function moduleArrows(files) {
  const moduleOf = (/** @type {string} */ file) => file.replace(/\.[ch]$/, '');
  const texts = [...files].map(([file, text]) => ({
    file,
    module: moduleOf(file),
    text: withoutComments(text),
  }));
  /** @type {Map<string, string>} the module that defines a function */
  const home = new Map();
  for (const { file, module, text } of texts) {
    if (!file.endsWith('.c')) continue;
    for (const [, name] of text.matchAll(
      /^(?!static\b|typedef\b|extern\b)[a-z][\w *]*?\b(glk_\w+)\([^;{}]*\)\s*\{/gm,
    )) {
      home.set(name, module);
    }
  }
  const prototype = /^(?!static\b|typedef\b)[a-z][\w *]*?\bglk_\w+\([^;{}]*\);/gm;
  /** @type {Map<string, string[]>} */
  const arrows = new Map();
  for (const { module, text } of texts) {
    const included = [...text.matchAll(/^\s*#\s*include\s+"([^"]+\/[^"]+)"/gm)].map(([, path]) =>
      moduleOf(path),
    );
    const called = [...text.replace(prototype, '').matchAll(/\bglk_\w+/g)].flatMap(
      ([name]) => home.get(name) ?? [],
    );
    const needed = new Set([...(arrows.get(module) ?? []), ...included, ...called]);
    needed.delete(module);
    arrows.set(module, [...needed]);
  }
  return { arrows, home };
}

/** The C files of the library, by their paths from src/c/. */
async function cFiles() {
  const files = await filesBelow('src/c', /\.[ch]$/);
  const texts = files.map(
    async (file) => /** @type {const} */ ([file.slice('src/c/'.length), await read(file)]),
  );
  return new Map(await Promise.all(texts));
}

test('no C files need each other in a circle, by includes or by calls', async (t) => {
  const files = await cFiles();
  const { arrows, home } = moduleArrows(files);
  const count = [...arrows.values()].flat().length;
  t.diagnostic(
    `${files.size} files, ${arrows.size} modules, ${home.size} functions, ${count} arrows`,
  );
  const exported = (await read('src/c/bind/exports.txt')).match(/^glk_\w+/gm) ?? [];
  assert.ok(exported.length > 0);
  assert.deepEqual(
    exported.filter((name) => !home.has(name)),
    [],
    'functions whose file is not found',
  );
  assert.deepEqual(circlesOf(arrows), []);
});

test('the public header includes nothing of the project', async () => {
  assert.doesNotMatch(await read('src/c/include/gradlock.h'), /#\s*include\s+"/);
});

/**
 * The folders of src/js, each above those before it; what lies in none, the entries, is above all.
 */
const ORDER = [
  'base',
  'wasm',
  'tensors',
  'locks',
  'ops',
  'graph',
  'optim',
  'layers',
  'formats',
  'tfjs',
  'fit',
  'grid',
  'keep',
  'worker',
  'table',
  'cli',
];

/** The folders of src/js/layers, likewise. */
const LAYERS_ORDER = ['config', 'layer', 'kinds', 'fit', 'pressure', 'model'];

/** What each file of the library imports, but for types, by paths from src/js. */
async function libraryImports() {
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  for (const file of await filesBelow('src/js', /\.js$/)) {
    const targets = importsOf(await read(file)).filter((path) => path.startsWith('.'));
    imports.set(
      file.slice('src/js/'.length),
      targets.map((path) => normalize(join(dirname(file), path)).slice('src/js/'.length)),
    );
  }
  return imports;
}

/**
 * Groups of names that reach each other.
 * @param {Map<string, string[]>} arrows
 */
function circlesOf(arrows) {
  /** @param {string} from */
  const reached = (from) => {
    const seen = new Set(/** @type {string[]} */ ([]));
    const open = [...(arrows.get(from) ?? [])];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...(arrows.get(name) ?? []));
    }
    return seen;
  };
  const reach = new Map([...arrows.keys()].map((name) => [name, reached(name)]));
  const groups = [...reach]
    .filter(([name, seen]) => seen.has(name))
    .map(([name, seen]) =>
      [...seen]
        .filter((other) => reach.get(other)?.has(name))
        .sort()
        .join(' '),
    );
  return [...new Set(groups)];
}

/**
 * Check that folders import only from themselves and from those before them.
 * @param {Map<string, string[]>} imports By paths from the folder that holds them.
 * @param {readonly string[]} order Files outside of a folder may import everything.
 */
function expectStoreys(imports, order) {
  /** @param {string} path */
  const storeyOf = (path) =>
    path.includes('/') ? order.indexOf(path.split('/')[0]) : order.length;
  for (const [file, targets] of imports) {
    assert.notEqual(storeyOf(file), -1, `${file} is in no known folder`);
    for (const target of targets) {
      assert.ok(storeyOf(target) <= storeyOf(file), `${file} must not know ${target}`);
    }
  }
}

test('a folder of JavaScript imports only from itself and those below it', async () => {
  expectStoreys(await libraryImports(), ORDER);
});

test('a folder of layers imports only from itself and those below it', async () => {
  const within = (/** @type {string} */ path) => path.startsWith('layers/');
  const cut = (/** @type {string} */ path) => path.slice('layers/'.length);
  const imports = [...(await libraryImports())].filter(([file]) => within(file));
  assert.ok(imports.length > 50);
  expectStoreys(
    new Map(imports.map(([file, targets]) => [cut(file), targets.filter(within).map(cut)])),
    LAYERS_ORDER,
  );
});

test('no files of the library import each other in a circle', async (t) => {
  const imports = await libraryImports();
  t.diagnostic(`${imports.size} files, ${[...imports.values()].flat().length} arrows`);
  assert.deepEqual(circlesOf(imports), []);
});

/** Packages that the build puts into the command, by the one file that imports each. */
const BUNDLED = { 'src/js/table/cells.js': 'd3-dsv' };

test('the npm library imports nothing from outside src/js but what Node.js and the build bring', async () => {
  const files = (await filesBelow('src/js', /\.js$/)).filter((f) => !f.endsWith('.test.js'));
  for (const file of files) {
    for (const path of importsOf(await read(file))) {
      if (path.startsWith('node:')) continue;
      if (path === BUNDLED[/** @type {'src/js/table/cells.js'} */ (file)]) continue;
      assert.match(path, /^\.\.?\//, `${file} imports the package "${path}"`);
      const target = normalize(join(dirname(file), path));
      assert.ok(target.startsWith('src/js/'), `${file} imports ${target}`);
    }
  }
});

test('every C file comes by core/exact.h, which holds its compiler to the bit', async () => {
  const files = await filesBelow('src/c', /\.[ch]$/);
  /** @type {Map<string, string[]>} */
  const includes = new Map();
  for (const file of files) {
    const paths = (await read(file)).matchAll(/^#include "([^"]+)"/gm);
    includes.set(
      file,
      [...paths].map(([, path]) => `src/c/${path}`),
    );
  }
  const reaches = (/** @type {string} */ file) =>
    file === 'src/c/core/exact.h' || (includes.get(file) ?? []).some(reaches);
  const sources = files.filter((file) => file.endsWith('.c'));
  assert.ok(sources.length > 90, `${sources.length} files`);
  assert.deepEqual(
    sources.filter((file) => !reaches(file)),
    [],
  );
});

/**
 * The lines on which a comment starts that the next comment starts in: its end is missing.
 * @param {string} text
 */
const unendedComments = (text) =>
  [...text.matchAll(/^[ \t]*\/\*(?:(?!\*\/)[\s\S])*?\n[ \t]*\/\*/gm)].map(
    ({ index }) => text.slice(0, index).split('\n').length,
  );

test('every comment ends before the next one starts', async () => {
  const name = /\.(?:[cm]?js|ts|c|h|css)$/;
  const folders = ['src', 'web', 'tests'].map((folder) => filesBelow(folder, name));
  const files = (await Promise.all(folders)).flat().filter((file) => !/node_modules/.test(file));
  assert.ok(files.length > 800, `${files.length} files`);
  const wrong = files.map(async (file) =>
    unendedComments(await read(file)).map((line) => `${file}:${line}`),
  );
  assert.deepEqual((await Promise.all(wrong)).flat(), []);
});

/**
 * Which folders of web each may import from, beside itself. Engine and view, the worker and the
 * page, know nothing of each other.
 */
const WEB = {
  scenes: [],
  state: ['scenes'],
  engine: ['scenes', 'state'],
  strings: ['scenes'],
  view: ['scenes', 'state', 'strings'],
  app: ['scenes', 'state', 'engine', 'strings', 'view'],
  build: [],
};

/**
 * What a file of the demo may not import and does.
 * @param {string} file path from web/, such as "view/grid.js"
 * @param {string[]} imports
 */
function wrongInWeb(file, imports) {
  const folder = /** @type {keyof typeof WEB} */ (file.split('/')[0]);
  const may = /** @type {string[]} */ ([...WEB[folder], folder]);
  return imports
    .filter((path) => /^\.\.?\//.test(path))
    .map((path) => normalize(join(dirname(file), path)))
    .filter((target) => !may.includes(target.split('/')[0]))
    .map((target) => `web/${file} must not know ${target}`);
}

test('a folder of the demo imports only from those it may know, and the library by its name', async () => {
  const files = (await filesBelow('web', /\.m?js$/)).map((file) => file.slice('web/'.length));
  // What runs before the page, and what tells Vite how to build it.
  const outside = ['public/unstarted.js', 'vite.config.js'];
  const inside = files.filter((file) => !outside.includes(file));
  const unknown = inside.filter((file) => !(file.split('/')[0] in WEB));
  assert.deepEqual(unknown, [], 'these files lie in no known folder');
  const wrong = await Promise.all(
    inside.map(async (file) => wrongInWeb(file, importsOf(await read(`web/${file}`)))),
  );
  assert.deepEqual(wrong.flat(), []);
});

test('no files of the demo import each other in a circle', async () => {
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  for (const file of await filesBelow('web', /\.m?js$/)) {
    const targets = importsOf(await read(file)).filter((path) => path.startsWith('.'));
    imports.set(
      file,
      targets.map((path) => normalize(join(dirname(file), path))),
    );
  }
  assert.deepEqual(circlesOf(imports), []);
});

test('the checks above notice what they are for', () => {
  assert.deepEqual(unendedComments("a('/*');\n/* b\n/** c */\n/* d */"), [2]);
  assert.equal(wrongIncludes('kernels/a.c', '#include "lock/locks.h"').length, 1);
  assert.equal(wrongIncludes('core/a.c', '#include <x.h>\n  #  include "ops/table.h"').length, 1);
  assert.equal(wrongIncludes('ops/a.c', '#include "table.h"').length, 1);
  assert.equal(
    wrongIncludes('ops/a.c', '#include "kernels/vec.h"\n#include "gradlock.h"').length,
    0,
  );
  assert.deepEqual(
    importsOf(
      "import a from 'x';\nimport 'y';\nexport {\n b,\n} from \"z\";\nawait import('w');/* import 'v' */",
    ),
    ['x', 'y', 'z', 'w'],
  );
  assert.deepEqual(wrongInWeb('view/a.js', ['./b.js', '../state/c.js', 'gradlock', 'node:fs']), []);
  assert.equal(wrongInWeb('view/a.js', ['../engine/c.js']).length, 1);
  assert.equal(wrongInWeb('app/a.js', ['../../src/js/index.js', '../styles/b.js']).length, 2);
  const arrows = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b', 'd']],
    ['d', []],
    ['e', ['e']],
  ]);
  assert.deepEqual(circlesOf(arrows), ['b c', 'e']);
  const included = moduleArrows(
    new Map([
      ['a/x.h', '#include "a/y.h"'],
      ['a/y.h', ''],
      ['a/y.c', '  # include "a/x.h"\n#include <string.h>\n#include "gradlock.h"'],
    ]),
  );
  assert.deepEqual(circlesOf(included.arrows), ['a/x a/y']);
  const called = moduleArrows(
    new Map([
      ['a/all.h', 'int glk_x(int n);\nint *glk_y(int n,\n           int m);'],
      ['a/x.c', '#include "a/all.h"\nint glk_x(int n) { return glk_y(n, 1); } /* glk_z() */'],
      ['a/y.c', '#include "a/all.h"\nint *glk_y(int n,\n  int m) {\n  return user(glk_x);\n}'],
      ['a/z.c', 'static int glk_s(void) { return 1; }\nint glk_z(void) {\n  return glk_s();\n}'],
    ]),
  );
  assert.deepEqual([...called.home.keys()], ['glk_x', 'glk_y', 'glk_z']);
  assert.deepEqual(circlesOf(called.arrows), ['a/x a/y']);
  assert.deepEqual(called.arrows.get('a/all'), []);
  assert.deepEqual(called.arrows.get('a/z'), []);
});
