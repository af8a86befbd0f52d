/* What the package has: one row an entry. A new entry is a row here and one of `exports` in the
 * repository's package.json. */
import { inlineWasm, takeShared } from './plugins.mjs';

/**
 * @typedef {object} Entry
 * @property {string} file Its name in the package.
 * @property {string} [umd] That of its UMD file; none where only another entry loads it, whose UMD
 *   file has it inside.
 * @property {string} from Its module in src/js.
 * @property {readonly string[]} [first] Modules that come first.
 * @property {readonly import('esbuild').Plugin[]} plugins
 * @property {boolean} [holdsWasm] Whether gradlock.wasm is inside.
 * @property {boolean} [isWhole] Whether nothing of it is of use without the rest, so that bundlers
 *   take all or, where only `version` is read, nothing.
 * @property {boolean} [isElement] Whether importing it defines an element, which bundlers must
 *   keep.
 */

/**
 * Modules of src/js/layers, alike ones near one another: gzip looks back 32 kB, a third of
 * layers.js, which takes 0.6 kB less in this order than in that of its imports.
 */
const layersInOrder = [
  ...['names', 'serial', 'symbolic'],
  ...['activations', 'initializers', 'regularizers', 'constraints', 'fields'],
  ...['losses', 'metrics', 'optimizers', 'compile', 'batches', 'data', 'feed', 'logs'],
  ...['evaluate', 'sources', 'breath', 'watch', 'fit', 'callbacks', 'pressure'],
  ...['shapes', 'weighted', 'layer', 'order', 'write-graph', 'summary', 'plot', 'model'],
  ...['sequential', 'json', 'trainer'],
  ...['core', 'activation-layers', 'noise', 'reshaping', 'embedding', 'normalization', 'pooling'],
  ...['convolution', 'merge', 'attention', 'recurrent', 'wrappers'],
].map((name) => `layers/${name}.js`);

/** What gradlock/tfjs uses of base/shared.js. */
const usedByTfjs = [
  ...['decodeText', 'describe', 'encodeText', 'formatShape'],
  ...['DisposedError', 'FormatError', 'GradlockError', 'HandleError'],
  ...['OptionError', 'ShapeError'],
];

/** @type {readonly Entry[]} */
export const entries = [
  {
    file: 'index.js',
    umd: 'umd/gradlock.js',
    from: 'index.js',
    plugins: [inlineWasm],
    holdsWasm: true,
    isWhole: true,
  },
  {
    file: 'external.js',
    umd: 'umd/external.js',
    from: 'external.js',
    plugins: [],
    isWhole: true,
  },
  {
    file: 'layers.js',
    umd: 'umd/layers.js',
    from: 'layers.js',
    first: layersInOrder,
    plugins: [takeShared()],
  },
  {
    file: 'pressure.js',
    from: 'layers/pressure-measure.js',
    plugins: [takeShared()],
  },
  { file: 'formats.js', umd: 'umd/formats.js', from: 'formats.js', plugins: [] },
  { file: 'tfjs.js', umd: 'umd/tfjs.js', from: 'tfjs.js', plugins: [takeShared(usedByTfjs)] },
  { file: 'grid.js', umd: 'umd/grid.js', from: 'grid.js', plugins: [], isElement: true },
];

/** Entries that users import. */
export const publicEntries = entries.filter(({ umd }) => umd);
