/* Tier: test. */
/* What is published as types: no more than users can reach, in words that TypeScript 5.0 knows,
 * with no library beyond es2022. tests/consumers compiles it by old TypeScripts. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'build/npm/types');
/** @type {Map<string, string>} */
const files = new Map(
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);
const entries = [
  'index',
  'external',
  'layers',
  'formats',
  'tfjs',
  'fit',
  'grid',
  'keep',
  'worker',
  'thread',
];

/** Files of declarations without their comments. */
const code = [...files].map(([name, text]) => [name, text.replace(/\/\*[\s\S]*?\*\//g, '')]);

test('types name nothing of the inside, and nothing twice', () => {
  const inside = /\bglk_|\bGLK_(?!ERROR)|[Bb]ridge|\bInstance\b|\bExports\b|\$\d|import\(/;
  for (const [name, text] of code) {
    assert.equal(inside.exec(text ?? '')?.[0], undefined, name);
  }
});

test('comments of types have no types in braces, which old tools would read', () => {
  for (const [name, text] of files) {
    assert.equal(/@(param|returns|typedef|type|property) *\{.*/.exec(text)?.[0], undefined, name);
  }
});

test('types have the words of their typedefs, whatever statement follows in the source', () => {
  /** Whether each typedef of a name has words before its tag. @type {Map<string, boolean>} */
  const hasWords = new Map();
  const sources = join(root, 'src/js');
  for (const name of readdirSync(sources, { recursive: true }).map(String)) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(sources, name), 'utf8');
    for (const [comment] of text.matchAll(/^\/\*\*(?:(?!\*\/)[\s\S])*\*\//gm)) {
      const [, before = '', type] =
        /^([\s\S]*?)@typedef [\s\S]*\} (\w+)\s*\*\//.exec(comment) ?? [];
      if (!type || comment.includes('@typedef {import(')) continue;
      const words = before.replace(/@template[\s\S]*/, '');
      hasWords.set(type, /\w/.test(words) && hasWords.get(type) !== false);
    }
  }
  /** @type {string[]} */
  const bare = [];
  let count = 0;
  for (const [name, text] of files) {
    for (const [, comment, type = ''] of text.matchAll(/(\*\/\n)?^(?:export )?type (\w+)/gm)) {
      if (!hasWords.get(type)) continue;
      count++;
      if (!comment) bare.push(`${name}: ${type}`);
    }
  }
  assert.ok(count > 30, `${count} types`);
  assert.deepEqual(bare, []);
});

/** Members of a class or interface, with the comments before them. */
const MEMBER =
  /^ {2}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2})?((?:[gs]et |static |readonly )*)(\w+|\[Symbol\.dispose\])\??([(<:])/gm;

test('every member of what users get is documented, and every method has an example', () => {
  /** Other names of layers, whose examples stand at Keras's own. */
  const isAlias = (/** @type {string} */ name) => /(Pool(ing)?[123]d|2D)$/.test(name);
  let count = 0;
  /** Of setters and overloads, the first is documented. @type {Map<string, boolean>} */
  const documented = new Map();
  /** @type {Map<string, boolean>} */
  const shown = new Map();
  for (const text of files.values()) {
    for (const [, owner, body = ''] of text.matchAll(
      /^(?:declare )?(?:class|interface) (\w+)[^{\n]*\{\n([\s\S]*?)^\}/gm,
    )) {
      for (const [, words, kind, name = '', sign] of body.matchAll(MEMBER)) {
        if (name === 'constructor') continue;
        count++;
        const full = `${owner}.${name}`;
        documented.set(full, Boolean(documented.get(full) || words));
        if (sign === ':' || /[gs]et /.test(kind ?? '') || (owner === 'Layers' && isAlias(name))) {
          continue;
        }
        // Of overloads, one has it.
        shown.set(name, Boolean(shown.get(name) || words?.includes('@example')));
      }
    }
  }
  assert.ok(count > 600, `${count} members`);
  const lacking = (/** @type {Map<string, boolean>} */ map) =>
    [...map].filter(([, has]) => !has).map(([name]) => name);
  assert.deepEqual(lacking(documented), []);
  // That is TensorFlow.js's own (as `read`, a name that others give an example).
  assert.deepEqual(lacking(shown), ['engine']);
});

test('every method of layers() has its type, and needs options where the type says so', async () => {
  const nn = layers(await init());
  const [, body = ''] =
    /^declare class Layers \{\n([\s\S]*?)^\}/m.exec([...files.values()].join('\n')) ?? [];
  const declared = new Map(
    Array.from(body.matchAll(/^ {2}(?:get )?(\w+)\((config\?)?/gm), ([, name = '', open]) => [
      name,
      Boolean(open),
    ]),
  );
  const own = [...Object.keys(nn), ...Object.getOwnPropertyNames(Object.getPrototypeOf(nn))];
  const names = [...new Set(own)].filter((name) => name !== 'constructor');
  assert.ok(Object.keys(nn).length > 60, `${Object.keys(nn).length} makers`);
  assert.deepEqual([...declared.keys()].sort(), names.sort());
  for (const [name, maker] of Object.entries(nn)) {
    if (!/^[a-z]/.test(name) || ['input', 'model'].includes(name)) continue;
    if (!(name in Object.getPrototypeOf(nn))) {
      assert.equal(
        isRefused(() => maker({})),
        !declared.get(name),
        name,
      );
    }
  }
});

/** Whether a call says that it needs an option. @param {() => unknown} call */
const isRefused = (call) => {
  try {
    call();
    return false;
  } catch (error) {
    return / needs the option \w+$/.test(String(error));
  }
};

test('a class that is not exported is only a type in the declarations', async () => {
  for (const entry of entries) {
    const values = Object.keys(await import(`../../build/npm/${entry}.js`))
      .filter((name) => name !== 'default')
      .sort();
    const list = /^export \{ ([^}]*) \};$/m.exec(files.get(`${entry}.d.ts`) ?? '')?.[1] ?? '';
    const exported = list.split(', ').filter((name) => !name.startsWith('type '));
    assert.deepEqual(exported.filter(Boolean).sort(), values, entry);
  }
});

test('the types compile with the lib es2020 alone: no dom, no Node.js, no esnext; and with all of these', () => {
  const project = mkdtempSync(join(tmpdir(), 'gradlock-types-'));
  try {
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(join(root, 'build/npm'), join(project, 'node_modules/gradlock'));
    writeFileSync(
      join(project, 'user.ts'),
      `${entries
        .filter((name) => !/^(grid|thread)$/.test(name))
        .map((name, i) => `import * as e${i} from 'gradlock${name === 'index' ? '' : `/${name}`}';`)
        .join('\n')}
      const g = await e0.init({ wasm: new Uint8Array(8) });
      const v: e0.Variable = g.variable([[1, 2]], { name: 'v' }).lock([[0, 1]]);
      const net: e2.Model = e2.layers(g).sequential([e2.layers(g).dense({ units: 1 })]);
      const saved: Uint8Array = e3.saveModel(net);
      await net.fit(v, v, { signal: { aborted: false } });
      v[Symbol.dispose]();
      export { e1, e4, saved };`,
    );
    // An element asks for dom, and nothing else does.
    writeFileSync(
      join(project, 'page.ts'),
      `import { GradlockGrid, type GridProperties, type GridSource } from 'gradlock/grid';
      import type { Variable } from 'gradlock';
      declare const variable: Variable;
      const grid: GradlockGrid = document.createElement('gradlock-grid');
      grid.variable = variable;
      declare const inDouble: import('gradlock/double').Variable;
      grid.variable = inDouble;
      grid.variable?.lock('all');
      const properties: GridProperties = { variable: inDouble };
      // @ts-expect-error That is no variable.
      grid.variable = properties;
      const source: GridSource = { rows: 1, cols: 2, values: [1, 2], locks: () => [true, false] };
      grid.source = source;
      grid.reach = 'auto';
      grid.reach = 2;
      grid.addEventListener('lockschange', ({ detail }) => detail.indices.length);
      // @ts-expect-error It has two scales.
      grid.scale = 'rainbow';`,
    );
    // Instances of gradlock/double are taken without a cast, and give f64.
    writeFileSync(
      join(project, 'double.ts'),
      `import { init, type Variable } from 'gradlock/double';
      import * as single from 'gradlock';
      import { layers, type double as nets, type Model } from 'gradlock/layers';
      import { fitting, type double as fits } from 'gradlock/fit';
      import * as files from 'gradlock/formats';
      import { keep } from 'gradlock/keep';
      import { start, train, type Job } from 'gradlock/worker';
      const g = await init({ wasm: new Uint8Array(8) });
      const nn = layers(g, { seed: 1 });
      const dense: nets.Dense = nn.dense({ units: 1, inputShape: [1] });
      const net: nets.Model = nn.sequential([dense]);
      const kernel: Variable | null = dense.kernel;
      const values: Float64Array | undefined = kernel?.data();
      await net.fit(g.tensor([[1]]), [[2]], { epochs: 1 });
      const opened: nets.Model = await files.loadModel(nn, files.saveModel(net));
      await files.loadWeights(opened, files.saveWeights(net));
      files.applyDelta(opened, files.saveDelta(opened, net)).remove();
      const { parameters, curve } = fitting(g);
      const p: fits.Parameters<'rate'> = parameters({ rate: 1 });
      const data: Float64Array = p.variable.data();
      const fit: fits.Fit<'rate'> = curve((x, { rate }) => g.mul(rate, x), {
        x: [1, 2], y: [3, 4], parameters: p,
      });
      const f = await single.init({ wasm: new Uint8Array(8) });
      const mf: Model = layers(f).sequential([layers(f).dense({ units: 1, inputShape: [1] })]);
      // @ts-expect-error A layer in f32 is no part of a model in f64.
      nn.sequential([layers(f).dense({ units: 1 })]);
      // @ts-expect-error A model in f64 is none in f32.
      const wrong: Model = opened;
      // @ts-expect-error The values are Float64Array.
      const narrow: Float32Array = data;
      const loss = g.compile(() => g.sum(p.variable));
      const optimizer = g.optimizers.lbfgs();
      await (await keep('fit')).save(optimizer.toBytes({ also: [loss] }));
      const variables = [p.variable];
      await train(() => ({ g, loss, optimizer: g.optimizers.adam(), variables, also: [loss] }));
      await train(() => ({ loss: () => g.sum(p.variable), optimizer, variables }), { keep });
      await train(() => ({ calls: {}, variables }));
      await train(() => ({ g: f, loss: f.compile(() => f.sum(1)), optimizer: f.optimizers.adam() }));
      // @ts-expect-error A number is no loss.
      await train(() => ({ loss: 3, optimizer }));
      const job: Job<Float64Array> = await start<Float64Array>({});
      const read: Float64Array = (await job.read('w')).values;
      const plain: Job = await start({});
      const short: Float32Array = (await plain.read('w')).values;
      const { step, history }: { step: number; history?: { loss?: number[] } } = await plain.result;
      export { step, history, values, fit, mf, wrong, narrow, read, short };`,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    for (const lib of [['es2020'], ['es2020', 'dom'], ['esnext', 'dom']]) {
      const compilerOptions = {
        ...{ noEmit: true, strict: true, target: 'es2022', module: 'nodenext', lib, types: [] },
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
      };
      const files = ['user.ts', 'double.ts', ...(lib.includes('dom') ? ['page.ts'] : [])];
      const config = JSON.stringify({ compilerOptions, files });
      writeFileSync(join(project, 'tsconfig.json'), config);
      try {
        execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
      } catch (error) {
        assert.fail(`${lib}: ${/** @type {any} */ (error).stdout}`);
      }
    }
  } finally {
    rmSync(project, { recursive: true });
  }
});
