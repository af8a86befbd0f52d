// HDF5 by h5wasm, which the caller brings: the HDF5 group's own library as WebAssembly.
import { describe } from '../base/check.js';
import { FormatError, LoadError } from '../base/errors.js';
import { roundArray } from './dtypes.js';

/** @typedef {import('./weights.js').Entry} Entry */
/**
 * @typedef {object} Tree What a file has.
 * @property {Map<string, Entry>} datasets By their paths, without a slash before them.
 * @property {string[]} skipped Paths of what was not wanted.
 * @property {(path: string, name: string) => unknown} attribute Of a group; undefined if it has
 *   none.
 */

/** What gzip makes smaller at most, and so what a file may stand for. */
const MOST_RATIO = 1032;
const MOST_GROUPS = 1e5;

/**
 * The library: as it was given, or by its name, where that is found.
 * @param {any} given
 */
const openLibrary = async (given) => {
  let found = given;
  if (given === undefined) {
    const name = 'h5wasm'; // not for bundlers, which would take a missing package for an error
    try {
      found = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    } catch (error) {
      throw new LoadError('Keras keeps weights in HDF5, and h5wasm is not installed', {
        hint: 'npm install h5wasm, or give the module: { hdf5 }',
        cause: error,
      });
    }
  }
  const library = found?.File && found?.FS !== undefined ? found : found?.default;
  if (typeof library?.File !== 'function') {
    throw new TypeError(`hdf5 must be the module h5wasm, got ${describe(given)}`);
  }
  await library.ready;
  return { File: library.File, FS: (await library.ready)?.FS ?? found.FS ?? library.FS };
};

/**
 * @param {any} dataset
 * @param {string} path
 * @param {number} most
 * @returns {Entry}
 */
const readDataset = (dataset, path, most) => {
  const shape = Array.from(dataset.shape ?? [], Number);
  const count = shape.reduce((product, size) => product * size, 1);
  if (!(count * 4 <= most)) throw new FormatError(`HDF5: ${path} is larger than its file can be`);
  let list = dataset.value;
  if (typeof list === 'number') list = Float64Array.of(list);
  if (typeof list === 'bigint') list = BigInt64Array.of(list);
  const isNumeric = ArrayBuffer.isView(list) && !(list instanceof DataView);
  if (!isNumeric || /** @type {any} */ (list).length !== count) {
    throw new FormatError(
      `HDF5: ${path} is of a type that cannot be read: ${describe(dataset.dtype)}`,
    );
  }
  const isF32 = list instanceof Float32Array;
  return {
    name: path,
    dtype: isF32 ? 'float32' : String(dataset.dtype),
    shape,
    toFloat32: () => roundArray(/** @type {any} */ (list)),
  };
};

let serial = 0;

/**
 * All of a file that numbers are in.
 * @param {Uint8Array} bytes
 * @param {unknown} given h5wasm.
 * @param {(path: string) => boolean} isWanted Which datasets to read.
 * @returns {Promise<Tree>}
 */
export const readHDF5 = async (bytes, given, isWanted) => {
  const { File, FS } = await openLibrary(given);
  const name = `gradlock-${serial++}.h5`;
  const most = 1e6 + bytes.length * MOST_RATIO;
  /** @type {Map<string, Entry>} */
  const datasets = new Map();
  /** @type {string[]} */
  const skipped = [];
  /** @type {Map<string, unknown>} */
  const attributes = new Map();
  let file;
  try {
    FS.writeFile(name, bytes);
    file = new File(name, 'r');
    let groups = 0;
    /** @type {[string, any][]} */
    const open = [['', file]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [path, group] = next;
      if (++groups > MOST_GROUPS) throw new FormatError('HDF5: it has too many groups');
      for (const key of Object.keys(group.attrs)) {
        attributes.set(`${path}@${key}`, group.attrs[key].value);
      }
      for (const key of group.keys()) {
        const child = group.get(key);
        const at = path ? `${path}/${key}` : key;
        if (at.length > 4096) throw new FormatError('HDF5: its groups are nested too deep');
        if (typeof child?.keys === 'function') open.push([at, child]);
        else if (child?.type !== 'Dataset') continue;
        else if (isWanted(at)) datasets.set(at, readDataset(child, at, most));
        else skipped.push(at);
      }
    }
  } catch (error) {
    if (error instanceof FormatError) throw error;
    const isTrap = error instanceof WebAssembly.RuntimeError;
    throw new FormatError(
      `HDF5: h5wasm cannot read the file${isTrap ? ', and may refuse others now: load it anew' : ''}`,
      undefined,
      { cause: error },
    );
  } finally {
    try {
      file?.close();
      FS.unlink(name);
    } catch {
      // What h5wasm could not open it may not be able to close.
    }
  }
  return { datasets, skipped, attribute: (path, key) => attributes.get(`${path}@${key}`) };
};
