/* What the package has: one row an entry. A new entry is a row here and one of `exports` in the
 * repository's package.json. */
import { readFileSync } from 'node:fs';
import { inlineRules, inlineWasm, takeShared } from './plugins.mjs';

/**
 * @typedef {object} Entry
 * @property {string} file Its name in the package.
 * @property {string} umd The name of its UMD file.
 * @property {string} from Its module in src/js.
 * @property {readonly string[]} [first] Modules that come first.
 * @property {readonly import('esbuild').Plugin[]} plugins
 * @property {readonly string[]} [inner] Names of properties that nothing outside sees, to be
 *   shortened.
 * @property {boolean} [holdsWasm] Whether gradlock.wasm is inside.
 * @property {boolean} [isWhole] Whether nothing of it is of use without the rest, so that bundlers
 *   take all or, where only `version` is read, nothing.
 * @property {boolean} [isElement] Whether importing it defines an element, which bundlers must
 *   keep.
 */

/**
 * Modules in an order in which gzip, which looks back 32 kB, finds what they repeat: 2 % less than
 * in that of their imports. find-order.mjs looks for one.
 * @type {Record<string, string[]>}
 */
const orders = JSON.parse(readFileSync(new URL('order.json', import.meta.url), 'utf8'));

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
    first: orders['index.js'],
    plugins: [inlineWasm],
    holdsWasm: true,
    isWhole: true,
  },
  {
    file: 'external.js',
    umd: 'umd/external.js',
    from: 'external.js',
    first: orders['index.js'],
    plugins: [],
    isWhole: true,
  },
  {
    file: 'layers.js',
    umd: 'umd/layers.js',
    from: 'layers.js',
    first: orders['layers.js'],
    plugins: [takeShared()],
  },
  { file: 'formats.js', umd: 'umd/formats.js', from: 'formats.js', plugins: [] },
  { file: 'tfjs.js', umd: 'umd/tfjs.js', from: 'tfjs.js', plugins: [takeShared(usedByTfjs)] },
  {
    file: 'grid.js',
    umd: 'umd/grid.js',
    from: 'grid.js',
    first: orders['grid.js'],
    plugins: [inlineRules],
    inner: [
      ...['before', 'cells', 'close', 'edition', 'fail', 'first', 'fit', 'gesture', 'hasChanged'],
      ...['isDue', 'isLabelling', 'isLive', 'isLocking', 'largest', 'last', 'leave', 'read'],
      ...['timer', 'touch', 'warnOfNaN'],
    ],
    isElement: true,
  },
];
