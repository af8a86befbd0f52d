// Limits on the cost of reading a file, checked in advance: a small file may request much memory.
import { FormatError } from '../base/errors.js';
import { MOST_LAYERS, readLimit } from '../layers/config/limits.js';

/** Bytes that any file may unpack to, and bytes for each byte of the file. */
const LEAST_BYTES = 16e6;
const RATIO = 8;
/** Objects in an archive or in HDF5, for each layer that a model may have. */
const OBJECTS = 4;

/** Bytes and objects that one file may still use. */
export class Budget {
  #bytes;
  #objects;
  /** The limits, for messages. */
  #most;

  /**
   * @param {number} size Size of the file, in bytes.
   * @param {{ maxBytes?: unknown, maxLayers?: unknown }} [limits]
   */
  constructor(size, { maxBytes, maxLayers } = {}) {
    this.#bytes = readLimit(maxBytes, 'maxBytes', LEAST_BYTES + RATIO * size);
    this.#objects = OBJECTS * readLimit(maxLayers, 'maxLayers', MOST_LAYERS);
    this.#most = { bytes: this.#bytes, objects: this.#objects };
  }

  /** Take bytes for something, or refuse it. @param {number} bytes @param {string} what */
  take(bytes, what) {
    if (bytes <= this.#bytes) {
      this.#bytes -= bytes;
      return;
    }
    throw new FormatError(
      `the file unpacks to more than ${this.#most.bytes} bytes: ${what} has ${bytes}; if you trust it, give a larger { maxBytes }`,
    );
  }

  /** Count one object, or refuse it. @param {string} what */
  count(what) {
    if (--this.#objects >= 0) return;
    throw new FormatError(
      `there are more than ${this.#most.objects} ${what}; if you trust the file, give a larger { maxLayers }`,
    );
  }
}
