/* What the package has: one row an entry. A new entry is a row here and one of `exports` in the
 * repository's package.json. */
import { inlineRules, inlineWasm, takeShared } from './plugins.mjs';

/**
 * @typedef {object} Entry
 * @property {string} file Its name in the package.
 * @property {string} umd The name of its UMD file.
 * @property {string} from Its module in src/js.
 * @property {readonly import('esbuild').Plugin[]} plugins
 * @property {boolean} [holdsWasm] Whether gradlock.wasm is inside.
 * @property {boolean} [isWhole] Whether nothing of it is of use without the rest, so that bundlers
 *   take all or, where only `version` is read, nothing.
 * @property {boolean} [isElement] Whether importing it defines an element, which bundlers must
 *   keep.
 */

/** What gradlock/tfjs uses of base/shared.js. */
const usedByTfjs = [
  ...['decodeText', 'describe', 'encodeText', 'formatShape'],
  ...['DisposedError', 'FormatError', 'GradlockError', 'HandleError'],
  ...['LockedElementError', 'OptionError', 'ShapeError', 'unflatten'],
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
    plugins: [takeShared()],
  },
  { file: 'formats.js', umd: 'umd/formats.js', from: 'formats.js', plugins: [] },
  { file: 'tfjs.js', umd: 'umd/tfjs.js', from: 'tfjs.js', plugins: [takeShared(usedByTfjs)] },
  {
    file: 'grid.js',
    umd: 'umd/grid.js',
    from: 'grid.js',
    plugins: [inlineRules],
    isElement: true,
  },
];
