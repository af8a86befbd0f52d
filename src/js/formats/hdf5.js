// HDF5 by h5wasm, which the caller brings: the HDF5 group's own library as WebAssembly.
import { describe } from '../base/check.js';
import { FormatError, LoadError } from '../base/errors.js';
import { convertArray } from './dtypes.js';
import { refuseForeignValues } from './hdf5-header.js';

/** @import { Budget } from './budget.js' */
/** @import { Entry } from './weights.js' */
/**
 * @typedef {object} Tree What a file has.
 * @property {Map<string, Entry>} datasets By their paths, without a slash before them.
 * @property {string[]} skipped Paths of data that was not requested.
 * @property {(path: string, name: string) => unknown} attribute Of a group; undefined if none.
 */

/** Filters of HDF5's own; any other is a plugin, which is a file that would be run. */
const MOST_FILTER = 6;
/** Attributes that are read. */
const ATTRIBUTE = /^((layer|weight)_names\d*|model_config|keras_version)$/;

/** The library: as it was given, or by its name, where that is found. @param {any} given */
const openLibrary = async (given) => {
  let found = given;
  if (given === undefined) {
    const name = 'h5wasm'; // not for bundlers, which would take a missing package for an error
    try {
      found = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    } catch (error) {
      throw new LoadError('Keras keeps weights in HDF5, and h5wasm is not installed', {
        hint: 'npm install h5wasm, or pass the module as { hdf5 }',
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

/** @param {any} dataset @param {string} path @param {Budget} budget @returns {Entry} */
const readDataset = (dataset, path, budget) => {
  const { size, type } = dataset.metadata;
  const shape = Array.from(dataset.shape ?? [], Number);
  const count = shape.reduce((product, size) => product * size, 1);
  budget.take(count * Math.max(4, size), path);
  if (dataset.filters.some((/** @type {any} */ { id }) => id > MOST_FILTER)) {
    throw new FormatError(
      `HDF5: ${path} is compressed by a plugin: write it with gzip or uncompressed`,
    );
  }
  const isNumeric = type === 0 || type === 1 || type === 8; // integers, floats and enums
  let list = isNumeric ? dataset.value : null;
  if (typeof list === 'number') list = Float64Array.of(list);
  if (typeof list === 'bigint') list = BigInt64Array.of(list);
  const isList = ArrayBuffer.isView(list) && !(list instanceof DataView);
  if (!isList || /** @type {any} */ (list).length !== count) {
    throw new FormatError(
      `HDF5: ${path} has a type that cannot be read: ${describe(dataset.dtype)}`,
    );
  }
  return {
    name: path,
    dtype: type === 1 && size >= 4 ? `float${8 * size}` : String(dataset.dtype),
    shape,
    convert: (Type) => convertArray(/** @type {any} */ (list), Type),
  };
};

/** A free path for the copy; with `h5wasm/node` a file for this user only. @param {any} FS */
const freePath = (FS) => {
  const random = globalThis.crypto.getRandomValues(new Uint32Array(4));
  const name = `gradlock-${Array.from(random, (word) => word.toString(36)).join('')}.h5`;
  return FS.analyzePath('/tmp').exists ? `/tmp/${name}` : name;
};

/** Refuse what is only a link. @param {any} group @param {string} key @param {string} path */
const refuseLink = (group, key, path) => {
  if (key === '' || key === '.' || key === '..' || key.includes('/')) {
    throw new FormatError(`HDF5: a link has the invalid name ${describe(key)}`);
  }
  const target = group.get_external_link(`/${path}`).filename ?? group.get_link(`/${path}`);
  if (typeof target !== 'string') return;
  throw new FormatError(
    `HDF5: ${path} is a link to ${describe(target)}: write the linked values into the file`,
  );
};

/**
 * The attributes of a group that files of Keras need.
 * @param {any} group
 * @param {string} path
 * @param {Budget} budget
 * @param {Map<string, unknown>} attributes
 */
const readAttributes = (group, path, budget, attributes) => {
  const { attrs } = group;
  for (const key of Object.keys(attrs)) {
    if (!ATTRIBUTE.test(key)) continue;
    const attribute = attrs[key];
    budget.take(attribute.metadata.size * attribute.metadata.total_size, `${key} of /${path}`);
    attributes.set(`${path}@${key}`, attribute.value);
  }
};

/** @param {any} object @returns {number} Where its header is in the file. */
const addressOf = (object) => {
  const bytes = object.create_reference().ref_data;
  return Number(new DataView(Uint8Array.from(bytes).buffer).getBigUint64(0, true));
};

/**
 * All of a file that numbers are in.
 * @param {Uint8Array} bytes
 * @param {unknown} given h5wasm.
 * @param {(path: string) => boolean} isWanted Which datasets to read.
 * @param {Budget} budget
 * @returns {Promise<Tree>}
 */
export const readHDF5 = async (bytes, given, isWanted, budget) => {
  const { File, FS } = await openLibrary(given);
  const name = freePath(FS);
  /** @type {Map<string, Entry>} */
  const datasets = new Map();
  /** Datasets that were read, by their addresses. @type {Map<number, Entry>} */
  const known = new Map();
  /** @type {string[]} */
  const skipped = [];
  /** @type {Map<string, unknown>} */
  const attributes = new Map();
  /** @type {any} */
  let file;
  try {
    FS.writeFile(name, bytes, { mode: 0o600 });
    file = new File(name, 'r');
    /** Groups that were entered, by their addresses: hard links may lead back to them. */
    const entered = new Set([addressOf(file)]);
    /** @type {[string, any][]} */
    const open = [['', file]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [path, group] = next;
      readAttributes(group, path, budget, attributes);
      for (const key of group.keys()) {
        const at = path ? `${path}/${key}` : key;
        budget.count('objects in HDF5');
        if (at.length > 4096) throw new FormatError('HDF5: its groups are nested too deeply');
        refuseLink(group, key, at);
        const child = group.get(key);
        const address = child?.create_reference ? addressOf(child) : 0;
        if (typeof child?.keys === 'function') {
          if (entered.has(address)) throw new FormatError(`HDF5: the group ${at} is linked twice`);
          entered.add(address);
          open.push([at, child]);
        } else if (child?.type !== 'Dataset') continue;
        else if (isWanted(at)) {
          refuseForeignValues(bytes, address, at);
          const entry = known.get(address) ?? readDataset(child, at, budget);
          known.set(address, entry);
          datasets.set(at, { ...entry, name: at });
        } else skipped.push(at);
      }
    }
  } catch (error) {
    if (error instanceof FormatError) throw error;
    const isTrap = error instanceof WebAssembly.RuntimeError;
    throw new FormatError(
      `HDF5: h5wasm cannot read the file${isTrap ? ', and may now fail on other files: load the module again' : ''}`,
      undefined,
      { cause: error },
    );
  } finally {
    attempt(() => file?.close());
    attempt(() => FS.unlink(name));
  }
  return { datasets, skipped, attribute: (path, key) => attributes.get(`${path}@${key}`) };
};

/** h5wasm may fail to close an object that it could not open. @param {() => void} call */
const attempt = (call) => {
  try {
    call();
  } catch {
    // The error that led here is the one to be told.
  }
};
