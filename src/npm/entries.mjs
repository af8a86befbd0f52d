/* The entries of the package, one row each. A new entry needs a row here and one in `exports` of
 * the repository's package.json. */
import { importEntries, inlineRules, inlineThread, inlineWasm, takeShared } from './plugins.mjs';

/**
 * @typedef {object} Entry
 * @property {string} file The name of its file in the package.
 * @property {string} umd The name of its UMD file.
 * @property {string} from Its module in src/js.
 * @property {readonly import('esbuild').Plugin[]} plugins
 * @property {import('./packed.mjs').WasmName} [holds] The WebAssembly module that it contains.
 * @property {string} [global] The global of a classic script. Default: `gradlock`.
 * @property {boolean} [isWhole] True if no part is useful without the rest. Bundlers then take all
 *   of it, or nothing if only `version` is read.
 * @property {boolean} [hasEffects] True if importing it does something by itself, such as define
 *   an element: bundlers must keep it.
 */

/** The parts of base/shared.js that gradlock/tfjs uses. */
const usedByTfjs = [
  ...['decodeText', 'describe', 'encodeText', 'formatShape'],
  ...['DisposedError', 'FormatError', 'GradlockError', 'HandleError'],
  ...['LockedElementError', 'OptionError', 'ShapeError', 'unflatten'],
];

/** The parts of base/shared.js that gradlock/fit uses. */
const usedByFit = [
  ...[
    'bindMethods',
    'describe',
    'GradlockError',
    'isList',
    'isRecord',
    'makeStrict',
    'optionError',
  ],
  ...['OptionError', 'readCount', 'readEach', 'readFlag', 'readNumber', 'readOptions'],
  ...['ShapeError', 'typeError'],
];

/** @type {readonly Entry[]} */
export const entries = [
  {
    file: 'index.js',
    umd: 'umd/gradlock.js',
    from: 'index.js',
    plugins: [inlineWasm('single'), inlineThread],
    holds: 'single',
    isWhole: true,
  },
  {
    file: 'double.js',
    umd: 'umd/double.js',
    from: 'double.js',
    plugins: [inlineWasm('double'), inlineThread],
    holds: 'double',
    global: 'gradlockDouble',
    isWhole: true,
  },
  {
    file: 'external.js',
    umd: 'umd/external.js',
    from: 'external.js',
    plugins: [inlineThread],
    isWhole: true,
  },
  {
    file: 'layers.js',
    umd: 'umd/layers.js',
    from: 'layers.js',
    plugins: [takeShared()],
  },
  { file: 'formats.js', umd: 'umd/formats.js', from: 'formats.js', plugins: [] },
  { file: 'tfjs.js', umd: 'umd/tfjs.js', from: 'tfjs.js', plugins: [takeShared(usedByTfjs)] },
  { file: 'fit.js', umd: 'umd/fit.js', from: 'fit.js', plugins: [takeShared(usedByFit)] },
  {
    file: 'grid.js',
    umd: 'umd/grid.js',
    from: 'grid.js',
    plugins: [inlineRules],
    hasEffects: true,
  },
  { file: 'keep.js', umd: 'umd/keep.js', from: 'keep.js', plugins: [] },
  { file: 'worker.js', umd: 'umd/worker.js', from: 'worker.js', plugins: [] },
  { file: 'thread.js', umd: 'umd/thread.js', from: 'thread.js', plugins: [], hasEffects: true },
];

/** The command `gradlock`: no entry, since nobody imports it. @type {Entry} */
export const command = { file: 'cli.js', umd: '', from: 'cli.js', plugins: [importEntries] };
