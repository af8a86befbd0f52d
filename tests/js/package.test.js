/* The package as its users get it: packed, installed into an empty project without a network, run,
 * and type-checked. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { STEADY } from './steady.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** What the package has of JavaScript. */
const names = [
  ...['index', 'external', 'double', 'layers', 'formats', 'tfjs', 'fit', 'grid'],
  ...['keep', 'worker'],
];
const modules = names.map((name) => `${name}.js`);
const scripts = ['gradlock.js', ...modules.slice(1)];
const built = [...modules, 'cli.js', 'workerd.js', ...scripts.map((name) => `umd/${name}`)];

/** @type {string} */
let project;

/** @param {string} name @param {string} text */
const write = (name, text) => writeFile(join(project, name), text);

/** @param {string[]} parameters */
const node = (...parameters) => run(process.execPath, [...STEADY, ...parameters], { cwd: project });

before(async () => {
  project = await mkdtemp(join(tmpdir(), 'gradlock-consumer-'));
  const npm = (/** @type {string[]} */ ...parameters) =>
    run('npm', [...parameters, '--silent'], { cwd: project, shell: process.platform === 'win32' });
  await npm('pack', join(root, 'build/npm'));
  const [tarball] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await write('package.json', '{ "private": true, "type": "module" }');
  await npm('install', '--offline', '--no-audit', '--no-fund', `./${tarball}`);
});
after(() => rm(project, { recursive: true, force: true }));

test('the tarball holds the library, its types and its licence, and nothing else', async () => {
  const installed = join(project, 'node_modules/gradlock');
  const files = await readdir(installed, { recursive: true });
  const unexpected = files.filter(
    (name) =>
      !/^((index|external|double|layers|formats|tfjs|fit|grid|keep|worker|thread|cli)\.js(\.map)?|workerd\.js|gradlock\.wasm|package\.json|umd|umd[/\\]package\.json|umd[/\\](gradlock|external|double|layers|formats|tfjs|fit|grid|keep|worker|thread)\.js(\.map)?|(README|CHANGELOG|LICENSE)(\.md)?|(umd[/\\])?types([/\\]\w+){0,2}([/\\][\w-]+\.d\.ts)?|docs([/\\]recipes)?([/\\][\w-]+\.(md|png))?)$/.test(
        name,
      ),
  );
  assert.deepEqual(unexpected, []);
  for (const name of [...built, 'gradlock.wasm', 'LICENSE', 'types', 'umd/types']) {
    assert.ok(files.includes(name), name);
  }
  const { dependencies, scripts, sideEffects } = JSON.parse(
    await readFile(join(installed, 'package.json'), 'utf8'),
  );
  assert.deepEqual(
    [dependencies, scripts, sideEffects],
    [undefined, undefined, ['./grid.js', './umd/grid.js', './thread.js', './umd/thread.js']],
  );
});

for (const page of ['README.md', 'docs/npm.md']) {
  test(`the first example of ${page} runs as written from the installed package, and prints what it says`, async () => {
    const text = await readFile(join(root, page), 'utf8');
    const example = text.match(/```js\n([\s\S]*?)```/)?.[1] ?? '';
    assert.ok(example.includes("from 'gradlock'"), 'it has no example that imports gradlock');
    await write(
      'example.js',
      example.replace('console.log(x.array())', 'console.log(JSON.stringify(x.array()))'),
    );
    const { stdout, stderr } = await node('example.js');
    assert.equal(stderr, '');
    const [, said] = example.match(/\/\/ ≈ (\[.*\]\])/) ?? [];
    const digits = (/** @type {string} */ json) =>
      JSON.stringify(
        JSON.parse(json)
          .flat()
          .map((/** @type {number} */ v) => Number(v.toPrecision(6))),
      );
    assert.equal(digits(stdout), digits(said ?? 'null'));
  });
}

test('npx gradlock fits a file', async () => {
  await write('line.csv', 'x,y\n0,1\n1,3\n2,4\n3,7\n');
  const line = 'exec --offline -- gradlock fit line.csv --model line --json line.json';
  const options = { cwd: project, shell: process.platform === 'win32' };
  const { stdout, stderr } = await run('npm', line.split(' '), options);
  assert.equal(stderr, '');
  assert.match(stdout, /^Fit\n/);
  const { values } = JSON.parse(await readFile(join(project, 'line.json'), 'utf8'));
  assert.deepEqual(
    [values.slope.toFixed(9), values.level.toFixed(9)],
    ['1.900000000', '0.900000000'],
  );
});

test('what the npm page links of the package is in it', async () => {
  const text = await readFile(join(root, 'docs/npm.md'), 'utf8');
  const links = [...text.matchAll(/https:\/\/cdn\.jsdelivr\.net\/npm\/gradlock\/([\w./-]+)/g)];
  assert.ok(links.length >= 5);
  const installed = join(project, 'node_modules/gradlock');
  const files = await readdir(installed, { recursive: true });
  for (const [, path] of links) assert.ok(files.includes(path), path);
});

test('links of the packed pages lead to packed files, and no link lost its place', async () => {
  const installed = join(project, 'node_modules/gradlock');
  const files = (await readdir(installed, { recursive: true })).filter((name) =>
    name.endsWith('.md'),
  );
  assert.ok(files.length > 15, `${files.length} pages`);
  for (const page of files) {
    const text = await readFile(join(installed, page), 'utf8');
    const links = text
      .replace(/```[\s\S]*?```/g, '')
      .matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g);
    for (const [, path] of links) {
      await access(join(installed, page, '..', path)).catch(() =>
        assert.fail(`${page} links ${path}`),
      );
    }
    const named = text.matchAll(/\(`([^`\s]+)` of the repository\)/g);
    for (const [, path] of named) {
      await access(join(root, path)).catch(() => assert.fail(`${page} names ${path}`));
    }
  }
});

test("links of the repository's pages lead somewhere", async () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...(await readdir(join(root, 'docs'), { recursive: true }))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, path] of text
      .replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
      .matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
      await access(join(root, page, '..', path)).catch(() => assert.fail(`${page} links ${path}`));
    }
  }
});

for (const entry of ['gradlock', 'gradlock/external', 'gradlock/double']) {
  test(`${entry} trains what is free from the installed package`, async () => {
    await write(
      'train.js',
      `import { init, LockedElementError, version } from '${entry}';
      const g = await init();
      const x = g.variable([[0, 0], [0, 0]], { name: 'x' });
      x.lock([[0, 1], [1, 0]]);
      const loss = g.compile(() => g.mean(g.square(g.sub(x, [[1, 2], [3, 4]]))));
      g.optimizers.adam({ learningRate: 0.1 }).minimize(loss, { variables: [x], steps: 500 });
      let refused = false;
      try {
        x.assign([[1, 1], [1, 1]]);
      } catch (error) {
        refused = error instanceof LockedElementError && error.name === 'LockedElementError';
      }
      console.log(JSON.stringify([x.array().map((row) => row.map(Math.round)), refused, version]));`,
    );
    const { stdout } = await node('train.js');
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    assert.deepEqual(JSON.parse(stdout), [
      [
        [1, 0],
        [0, 4],
      ],
      true,
      version,
    ]);
  });
}

test('no built line of code is longer than 600 characters, so an uncaught error prints the error', async () => {
  for (const name of built) {
    const text = await readFile(join(root, 'build/npm', name), 'utf8');
    const lines = text.replace(/^var GLK_PACKED = `[^`]*`/m, '').split('\n');
    assert.ok(Math.max(...lines.map((line) => line.length)) <= 600, name);
  }
  await write(
    'uncaught.js',
    "import { init } from 'gradlock';\n(await init()).add([1, 2], [1, 2, 3]);\n",
  );
  const { stderr } = await node('uncaught.js').catch((error) => error);
  assert.match(stderr, /\[ShapeError\]: add: .*\[2\].*\[3\]/);
  assert.ok(stderr.length < 2500, `${stderr.length} characters`);
});

for (const entry of ['layers.js', 'tfjs.js']) {
  test(`${entry} has no copies of what it takes from the instance`, async () => {
    const text = await readFile(join(root, 'build/npm', entry), 'utf8');
    for (const own of [
      'GLK_ERROR_SHAPE',
      'must be true or false',
      'an array of length',
      'writable',
    ]) {
      assert.ok(!text.includes(own), own);
    }
  });
}

test('one file in the old form of a worker, which cannot be split, has models and pressure', async () => {
  await write(
    'worker.js',
    `import { init } from 'gradlock';
    import { layers } from 'gradlock/layers';
    const main = async () => {
      const nn = layers(await init());
      const net = nn.sequential([
        nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' }),
      ]);
      net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
      const { rows } = await net.pressure([[2]], [[0]], { learningRate: 0.5 });
      console.log(rows[0].firstOrder);
    };
    main();`,
  );
  // Vite's default for workers is one file in the form iife: it refuses to split, and a dynamic
  // import of another file of the package would be a split.
  const outdir = join(project, 'worker');
  const entryPoints = [join(project, 'worker.js')];
  const format = /** @type {const} */ ('esm');
  const { metafile } = await build({
    ...{ entryPoints, bundle: true, format, splitting: true, outdir },
    ...{ platform: 'node', metafile: true },
  });
  assert.equal(Object.keys(metafile.outputs).length, 1);
  await build({ entryPoints, bundle: true, format: 'iife', outdir, platform: 'node' });
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }');
  const { stdout } = await node(join(outdir, 'worker.js'));
  // p = 2: dL/dk = 8, dL/db = 4.
  assert.equal(stdout, '40\n');
});

test('importing any entry does nothing by itself', async () => {
  await write(
    'import.js',
    `const compile = WebAssembly.compile;
    let calls = 0;
    WebAssembly.compile = (...parameters) => (calls++, compile(...parameters));
    const names = Object.getOwnPropertyNames(globalThis).length;
    await import('gradlock');
    await import('gradlock/external');
    await import('gradlock/layers');
    await import('gradlock/formats');
    await import('gradlock/tfjs');
    await import('gradlock/grid');
    console.log(calls, Object.getOwnPropertyNames(globalThis).length - names);`,
  );
  const { stdout } = await node('import.js');
  assert.equal(stdout.trim(), '0 0');
});

test('formats says that h5wasm is missing where it is, and how to get it', async () => {
  await write(
    'missing.js',
    `import { init, LoadError, FormatError } from 'gradlock';
    import { layers } from 'gradlock/layers';
    import { loadModel, readSafetensors } from 'gradlock/formats';
    const nn = layers(await init());
    const hdf5 = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10);
    const error = await loadModel(nn, hdf5).catch((error) => error);
    let other;
    try {
      readSafetensors(new Uint8Array(3));
    } catch (error) {
      other = error;
    }
    console.log(error instanceof LoadError, error.message, other instanceof FormatError);`,
  );
  const { stdout } = await node('missing.js');
  assert.match(stdout, /^true .*npm install h5wasm.* true\n$/);
});

test('formats has types, strict and complete', async () => {
  await write(
    'formats.ts',
    `import { init } from 'gradlock';
    import {
      applyDelta, loadModel, loadWeights, pytorchMapping, readSafetensors, saveDelta,
      saveLayersModel, saveModel, saveWeights, writeSafetensors,
      type AppliedDelta, type LoadReport, type Mapping, type Rule, type StoredTensor,
    } from 'gradlock/formats';
    import { layers, type Model } from 'gradlock/layers';
    export async function run(file: File): Promise<number> {
      const nn = layers(await init());
      const model: Model = await loadModel(nn, file, { compile: false, partial: true });
      const rule: Rule = { to: 'a/kernel', transpose: [1, 0] };
      const mapping: Mapping = { 'fc.weight': rule, 'fc.bias': 'a/bias', step: null };
      const torch: Mapping = pytorchMapping(model, { fc: 'a' });
      const report: LoadReport = await loadWeights(model, new URL('https://x.de'), { mapping });
      await loadWeights(model, await file.arrayBuffer(), { mapping: torch, force: true });
      await loadModel(nn, { modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(0) });
      const bytes: Uint8Array = saveModel(model, { optimizer: false, metadata: { by: 'me' } });
      const delta: AppliedDelta = applyDelta(model, saveDelta(model, bytes), { force: true });
      delta.remove();
      const files: { 'model.json': string } = saveLayersModel(model);
      const { tensors, metadata } = readSafetensors(saveWeights(model));
      const tensor: StoredTensor | undefined = tensors.get('a/kernel');
      writeSafetensors({ x: { shape: [2], data: [1, 2] } }, metadata);
      new Blob([writeSafetensors(tensors)]);
      // @ts-expect-error A misspelt option.
      await loadModel(nn, file, { partially: true });
      // @ts-expect-error A rule has a target.
      await loadWeights(model, bytes, { mapping: { a: { transpose: [1, 0] } } });
      // @ts-expect-error Numbers are no metadata.
      saveWeights(model, { metadata: { epoch: 3 } });
      return report.loaded.length + files['model.json'].length + (tensor?.data.length ?? 0);
    }
    `,
  );
  const strict = ['--strict', '--noEmit', '--noUncheckedIndexedAccess', '--target', 'es2022'];
  const lib = ['--lib', 'es2023,dom,esnext.disposable', '--types', '', '--module', 'nodenext'];
  await node(tsc, ...strict, ...lib, '--ignoreConfig', 'formats.ts').catch((error) =>
    assert.fail(error.stdout || error.message),
  );
});

test('tfjs has types, strict and complete, which are those of the TensorFlow.js that is given', async () => {
  await mkdir(join(project, 'node_modules/@tensorflow'), { recursive: true });
  for (const name of ['tfjs-core', 'tfjs-layers']) {
    const path = join(project, 'node_modules/@tensorflow', name);
    await symlink(join(root, 'node_modules/@tensorflow', name), path, 'junction');
  }
  await write(
    'tfjs.ts',
    `import * as tf from '@tensorflow/tfjs-core';
    import { layers, sequential } from '@tensorflow/tfjs-layers';
    import { init, type Variable } from 'gradlock';
    import { tfjs, type TensorFlowLocks } from 'gradlock/tfjs';
    export async function run(): Promise<number> {
      const g = await init();
      const kit: TensorFlowLocks<typeof tf> = tfjs(g, tf);
      const { optimizers, locksOf, forced, dispose } = kit;
      const dense = layers.dense({ units: 2, inputShape: [3] });
      const model = sequential({ layers: [dense] });
      const adam = optimizers.adam({ learningRate: 0.01, clipNorm: 1, useEma: true });
      const theirs: tf.Optimizer = adam;
      model.compile({ optimizer: adam, loss: 'meanSquaredError' });
      const x: tf.Variable = tf.variable(tf.scalar(1));
      const own: Variable = locksOf(x).lock('all');
      for (const weight of model.trainableWeights) locksOf(weight).lock({ rows: [0] });
      adam.learningRate = g.schedules.exponentialDecay({
        initialLearningRate: 0.1, decaySteps: 2, decayRate: 0.5,
      });
      adam.beta1 = 0.5;
      const cost: tf.Scalar | null = adam.minimize(() => tf.sum(x), true, [x]);
      const slot: Float32Array = adam.gradlock.slot(own, 'm');
      // @ts-expect-error A misspelt option.
      optimizers.sgd({ lr: 1 });
      // @ts-expect-error Tensors have no locks.
      locksOf(tf.scalar(1));
      // @ts-expect-error That is no TensorFlow.js.
      tfjs(g, {});
      dispose();
      return forced(x) + theirs.iterations + slot.length + (cost?.size ?? 0);
    }
    `,
  );
  const strict = ['--strict', '--noEmit', '--noUncheckedIndexedAccess', '--target', 'es2022'];
  const lib = ['--lib', 'es2023,dom,esnext.disposable', '--types', '', '--module', 'nodenext'];
  // TensorFlow.js's own declarations are not strict.
  const theirs = ['--skipLibCheck', '--moduleResolution', 'bundler', '--module', 'esnext'];
  await node(tsc, ...strict, ...lib, ...theirs, '--ignoreConfig', 'tfjs.ts').catch((error) =>
    assert.fail(error.stdout || error.message),
  );
});

/** Every type that the package exports, used as a reader of its documentation would. */
const CONSUMER = `
import {
  DisposedError, GradientError, GradlockError, HandleError, IndexError, init, LimitError, LockedElementError,
  OptionError, OutOfMemoryError, RecordingError, ShapeError, version,
  type AdamOptimizer, type Gradlock, type LockSet, type MemoryInfo, type MinimizeOptions, type Optimizer,
  type Program, type Selection, type SgdOptimizer, type StepEvent, type Tensor, type TensorLike, type Variable,
  type VariableOptions,
} from 'gradlock';
import { init as initExternal } from 'gradlock/external';

export async function train(): Promise<number> {
  const g: Gradlock = await init();
  const other: Gradlock = await initExternal({ wasm: new URL('https://example.com/gradlock.wasm') });
  const options: VariableOptions = { shape: [3, 4], name: 'w', trainable: true };
  const w: Variable = g.variable(new Float32Array(12), options);
  const x: Variable = g.variable([[0, 0], [0, 0]]);
  const t: Tensor = g.tensor([1, 2, 3, 4], [2, 2]);
  const like: TensorLike[] = [1, [1, 2], [[1], [2]], Float32Array.of(1), t, x];
  const selections: Selection[] = [
    'all', [[true, false], [false, true]], Uint8Array.of(0, 1, 0, 1), [[0, 1], [1, 0]], [0, 3], Uint32Array.of(1),
    { rows: [0] }, { cols: [1] }, { axis: 0, indices: [1] }, { slice: [[0, 1], [0, 2]] },
    (value, index) => value > 0 && index < 3, x.locks, x.locks.toJSON(),
  ];
  for (const selection of selections) x.lock(selection).unlock(selection).toggle(selection).trainOnly(selection);
  const locks: LockSet = x.locks.and('all').or([[0, 1]]).not();
  const mask: Uint8Array = locks.toMask();
  const indices: Uint32Array = locks.toIndices();
  const program: Program = g.compile(() => g.mean(g.square(g.sub(x, t))));
  const [a, b]: Tensor[] = g.compile(() => [g.sum(x), t]).run();
  const { value, grads } = g.valueAndGrad(program, [x]);
  const result: Tensor | undefined = value > 0 ? program.run() : a ?? b;
  const adam: AdamOptimizer = g.optimizers.adam({ learningRate: 0.1, onUnlock: 'reset' });
  const sgd: SgdOptimizer = g.optimizers.sgd({ momentum: 0.9, nesterov: true });
  const every: Optimizer[] = [adam, sgd, g.optimizers.adamW({ weightDecay: 0.01 })];
  adam.beta1 = 0.8;
  sgd.nesterov = false;
  adam.onUnlock = 'hold';
  const onStep = ({ step, loss }: StepEvent) => loss > 1e-3 && step < 100;
  const minimize: MinimizeOptions = { variables: [x], steps: 100, onStep };
  const last: number = adam.minimize(program, minimize) + sgd.minimize(() => g.sum(g.mul(x, like[0] ?? 1)));
  adam.applyGradients([[grads[0] ?? t, x], [[[1, 0], [0, 1]], x]]);
  const kept: { y: Tensor } = g.tidy(() => ({ y: g.matMul(x, t, { transposeB: true }) }));
  const memory: MemoryInfo = g.memory();
  const errors: (typeof GradlockError)[] = [GradlockError];
  const shape: readonly number[] = kept.y.shape;
  try {
    x.assign([[1, 2], [3, 4]], { force: true }).fix([0, 1], 3);
  } catch (error) {
    if (error instanceof LockedElementError) return error.index.length + error.flatIndex + error.count;
    if (error instanceof HandleError) return error.code.length;
  }
  result?.dispose();
  other.dispose();
  // @ts-expect-error A text is no shape.
  g.tensor([1], '1');
  // @ts-expect-error Options are spelt in full.
  g.optimizers.adam({ lr: 0.1 });
  // @ts-expect-error Adam has no momentum.
  adam.momentum = 0.9;
  // @ts-expect-error Shapes cannot be changed.
  x.shape[0] = 3;
  // @ts-expect-error A misspelt selection.
  x.lock({ row: [0] });
  // @ts-expect-error What is internal is not there.
  x.label;
  const data: Float32Array = w.data();
  // How deep arrays are is known of values and of shapes; else they can be read as what they are.
  const ranked: number[][][] = g.variable(new Float32Array(4), { shape: [1, 2, 2] }).lock('all').array();
  const [first] = g.tensor([[1, 2]]).array();
  const sums: number = g.tensor(3).array() + (first?.[0] ?? 0) + (g.tensor(data, [12]).array()[0] ?? 0);
  const product: number = g.mul(x, t).array()[0][1] + ranked.length + sums;
  // @ts-expect-error An array of arrays is no list of numbers.
  const flat: number[] = g.tensor([[1, 2]]).array();
  return value + last + mask.length + indices.length + every.length + memory.bytes + errors.length + shape.length + data.length + version.length
    + product + flat.length;
}
export const classes = [
  DisposedError, GradientError, IndexError, LimitError, OptionError, OutOfMemoryError, RecordingError, ShapeError,
];
`;

/** The module itself, for those who compile it or serve it. */
const WASM_CONSUMER = `
import { init } from 'gradlock/external';
import wasm from 'gradlock/gradlock.wasm';
export const g = await init({ wasm });
// @ts-expect-error It is no number.
export const number: number = wasm;
`;

/** The same of gradlock/layers. */
const LAYERS_CONSUMER = `
import { init, type Tensor, type Variable } from 'gradlock';
import {
  layers, type Callback, type CompileOptions, type Conv2DConfig, type Dense, type DenseConfig, type FitOptions,
  type FitResult, type LSTM,
  type LiftPressureOptions, type Pressure, type PressureOptions, type PressureRow,
  type Layer, type Layers, type Model, type Sequential, type Stage, type Summary, type SymbolicTensor, type WeightFilter,
} from 'gradlock/layers';

export async function train(xs: Tensor, ys: number[][]): Promise<number> {
  const g = await init();
  const nn: Layers = layers(g, { seed: 1 });
  const head: DenseConfig = { units: 10, activation: 'softmax', name: 'head', kernelRegularizer: 'l2' };
  const first: Conv2DConfig = { filters: 8, kernelSize: [3, 3], padding: 'same', inputShape: [28, 28, 1] };
  const net: Sequential = nn.sequential([
    nn.conv2d(first), nn.batchNormalization(), nn.maxPooling2d({ poolSize: 2 }), nn.flatten(), nn.dense(head),
  ]);
  const own = class extends nn.Layer {
    static className = 'Own';
    factor: Variable | undefined;
    override build(shape: number[]) {
      this.factor = this.addWeight('factor', [shape.at(-1)], { initializer: nn.initializer('ones') });
    }
    override call(x: Tensor) {
      return this.factor ? g.mul(x, this.factor) : x;
    }
  };
  nn.registerClass(own);
  net.add(new own({ name: 'own' })).add(nn.lambda((x) => g.mul(x, 2)));
  const dense: Dense = nn.dense({ units: 3, activation: (x) => g.relu(x) });
  const kernel: Variable = dense.kernel;
  const moving: Variable = nn.batchNormalization().movingMean;
  const x: SymbolicTensor = nn.input({ shape: [4] });
  const y: SymbolicTensor = nn.concatenate().apply([x, nn.reLU().apply(x)]);
  const model: Model = nn.model({ inputs: x, outputs: [y, x], name: 'two' });
  const options: CompileOptions = {
    optimizer: g.optimizers.adam({ learningRate: 0.01 }),
    loss: { head: 'sparseCategoricalCrossentropy', other: (a, b) => g.sub(a, b) },
    metrics: ['accuracy', { className: 'Precision', config: { thresholds: 0.5 } }],
  };
  net.compile(options);
  model.compile({ optimizer: 'adam', loss: ['mse', null], lossWeights: [1, 0.5] });
  const filters: WeightFilter[] = ['head', /bias$/, (weight) => weight.size > 3];
  for (const filter of filters) net.lock(filter, { rows: [0] });
  const stages: Stage[] = [{ atEpoch: 1, trainOnly: /^head/, rates: { conv2d: 0.1 } }];
  net.schedule(stages);
  const callbacks: Callback[] = [
    nn.callbacks.earlyStopping({ monitor: 'loss', patience: 3, restoreBestWeights: true }),
    { onEpochEnd: (epoch, logs) => epoch + (logs.loss ?? 0) },
  ];
  const fit: FitOptions = { epochs: 2, batchSize: 32, callbacks, yieldEvery: 'auto', signal: new AbortController().signal };
  const { history, audit, stopped }: FitResult = await net.fit(xs, ys, fit);
  const { total }: Summary = net.summary({ print: null });
  const asked: PressureOptions = { by: 'filter', sortBy: 'optimal', learningRate: 0.1, maxRows: 5 };
  const pressure: Pressure = await net.pressure(xs, ys, asked);
  const pressed: PressureRow[] = [...pressure.lift(2), ...pressure.layers];
  const lift: LiftPressureOptions = { data: [xs, ys], every: 2, by: 'weight' };
  callbacks.push(nn.callbacks.liftPressure(lift));
  const layer: Layer = net.getLayer('head');
  const own2: Variable = net.getLayer<Dense>('head').kernel;
  const names: string[] = net.layers.map(({ name, trainable }) => name + trainable);
  // What layers give is what they were given, tensors or what stands for them.
  const hidden: SymbolicTensor = nn.dense({ units: 3 }).apply(nn.dropout({ rate: 0.5 }).apply(x));
  const values: number[][] = dense.apply(g.tensor([[1, 2]])).array();
  const lstm: LSTM = nn.lstm({ units: 2, returnState: true });
  const [, state]: SymbolicTensor[] = lstm.apply(nn.input({ shape: [2, 3] }));
  const [one, other]: Tensor[] = model.predict([[1, 2, 3, 4]]);
  const predicted: number = net.predict(xs).array()[0][1] + net.predict(xs).data()[0]!;
  nn.model({ inputs: model.input as SymbolicTensor, outputs: [hidden, ...model.outputs] });
  nn.dense({ units: 1 }).apply(net.output);
  nn.leakyReLU({ alpha: 0.1 });
  nn.conv1d({ filters: 1, kernelSize: 3, padding: 'causal', dilationRate: [2] });
  nn.zeroPadding2d({ padding: [[1, 0], [0, 1]] });
  // @ts-expect-error It causes nothing: steps have an order, images have none.
  nn.conv2d({ filters: 1, kernelSize: 3, padding: 'causal' });
  // @ts-expect-error Two sizes for three axes.
  nn.maxPooling3d({ poolSize: [2, 2] });
  // @ts-expect-error What there is for files only is no option.
  nn.lstm({ units: 1, useCudnn: true });
  // @ts-expect-error kernelSize is missing.
  nn.conv2d({ filters: 1 });
  // @ts-expect-error A layer takes tensors, not layers.
  dense.apply(dense);
  // @ts-expect-error Not every layer has a kernel.
  net.getLayer('head').kernel;
  // @ts-expect-error What stands for values has none.
  hidden.data();
  // @ts-expect-error There is no such monitor's mode.
  nn.callbacks.earlyStopping({ mode: 'most' });
  layer.trainable = false;
  layer.setWeights(layer.getWeights(), { force: true });
  const again: Model = nn.modelFromJSON(JSON.stringify(net));
  // @ts-expect-error units is missing.
  nn.dense({});
  // @ts-expect-error A misspelt option.
  nn.dense({ unit: 3 });
  // @ts-expect-error A misspelt option, beside what is needed.
  nn.dense({ units: 3, activations: 'relu' });
  // @ts-expect-error There is no such padding.
  nn.conv2d({ filters: 1, kernelSize: 3, padding: 'full' });
  // @ts-expect-error A number is no activation.
  nn.activation({ activation: 3 });
  // @ts-expect-error A misspelt option of fit.
  void net.fit(xs, ys, { epoch: 2 });
  // @ts-expect-error There is no such unit.
  void net.pressure(xs, ys, { by: 'row' });
  // @ts-expect-error compile needs an optimizer.
  net.compile({ loss: 'mse' });
  // @ts-expect-error A layer has no such weight.
  nn.dense({ units: 1 }).kernels;
  // @ts-expect-error What is internal is not there.
  net.order;
  return (history.loss?.length ?? 0) + (audit?.changed ?? 0) + total.locked + kernel.size + moving.size
    + (stopped ?? '').length + again.countParams() + pressed.length + own2.size + names.length + values.length
    + (state?.rank ?? 0) + (one?.size ?? 0) + (other?.size ?? 0) + predicted;
}
`;

for (const [what, options] of [
  ['Node.js', ['--module', 'nodenext']],
  ['bundlers', ['--module', 'preserve', '--moduleResolution', 'bundler']],
]) {
  test(`its types are strict, complete, and need no other types, for ${what}`, async () => {
    await write('consumer.ts', CONSUMER);
    await write('layers-consumer.ts', LAYERS_CONSUMER);
    const strict = [
      '--strict',
      '--noEmit',
      '--noUncheckedIndexedAccess',
      '--exactOptionalPropertyTypes',
    ];
    const lib = ['--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
    await write('wasm-consumer.ts', WASM_CONSUMER);
    const programs = ['consumer.ts', 'layers-consumer.ts', 'wasm-consumer.ts'];
    await node(tsc, ...strict, ...lib, ...options, '--ignoreConfig', ...programs).catch((error) =>
      assert.fail(error.stdout || error.message),
    );
  });
}

/** What of frameworks' types the lines in docs/grid.md touch, and a page of each. */
const FRAMEWORKS = [
  ['react', 'react', 'jsx-runtime'],
  ['preact', 'preact', 'jsx-runtime'],
  ['solid', 'solid-js', 'jsx-runtime'],
  ['svelte', 'svelte/elements', ''],
].map(([name = '', module = '', runtime]) => ({ name, module, runtime }));

for (const { name, module, runtime } of FRAMEWORKS) {
  test(`docs/grid.md has the types of <gradlock-grid> for ${name}`, async () => {
    const page = await readFile(join(root, 'docs/grid.md'), 'utf8');
    const lines = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    const own = lines.find((code) => code.includes(`declare module '${module}'`));
    assert.ok(own, `docs/grid.md declares nothing of ${module}`);
    const folder = join(project, name);
    const package_ = join(folder, 'node_modules', module);
    await mkdir(package_, { recursive: true });
    await write(join(name, 'package.json'), '{ "type": "module" }');
    const attributes = 'interface HTMLAttributes<T> { id?: string; title?: string; own?: T }';
    await write(
      join(name, 'node_modules', module, 'index.d.ts'),
      `export ${attributes}
      export interface RefAttributes<T> { ref?: (element: T | null) => void }
      export interface SvelteHTMLElements { p: HTMLAttributes<HTMLElement> }
      export namespace JSX {
        ${attributes}
        interface IntrinsicElements { p: HTMLAttributes<HTMLElement> }
      }`,
    );
    if (runtime) {
      await write(
        join(name, 'node_modules', module, 'jsx-runtime.d.ts'),
        "export { JSX } from './index.js';\nexport declare const jsx: unknown;\nexport declare const jsxs: unknown;",
      );
    }
    await write(join(name, 'gradlock-grid.d.ts'), own);
    await write(
      join(name, 'page.tsx'),
      runtime
        ? `import { init } from 'gradlock';
        const variable = (await init()).variable([[1, 2]]);
        export const right = <gradlock-grid variable={variable} scale="sequential" editable id="w" />;
        // @ts-expect-error It has two scales.
        export const wrong = <gradlock-grid scale="rainbow" />;
        // @ts-expect-error A number is no variable.
        export const other = <gradlock-grid variable={3} />;`
        : `import type { SvelteHTMLElements } from 'svelte/elements';
        type Grid = SvelteHTMLElements['gradlock-grid'];
        export const right: Grid = { reach: 'auto', editable: true, id: 'w' };
        // @ts-expect-error It has two scales.
        export const wrong: Grid = { scale: 'rainbow' };`,
    );
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
    const jsx = ['--jsx', 'react-jsx', '--jsxImportSource', module];
    const how = ['--module', 'preserve', '--moduleResolution', 'bundler', '--types', ''];
    const files = ['gradlock-grid.d.ts', 'page.tsx'].map((file) => join(folder, file));
    await node(tsc, ...options, ...jsx, ...how, '--ignoreConfig', ...files).catch((error) =>
      assert.fail(error.stdout || error.message),
    );
  });
}

test('using works in TypeScript', async () => {
  await write(
    'using.ts',
    "import { init } from 'gradlock';\nusing g = await init();\nusing x = g.variable(1);\nexport default x.size;\n",
  );
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,esnext.disposable',
  ];
  await node(
    tsc,
    ...options,
    '--module',
    'nodenext',
    '--types',
    '',
    '--ignoreConfig',
    'using.ts',
  ).catch((error) => assert.fail(error.stdout || error.message));
});
