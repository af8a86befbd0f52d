// The only file that touches the module's memory. Views are looked up again for every use: after
// memory grows, an old view reads undefined and silently drops writes; one of shared memory ends
// too early. It knows nothing about objects; handles are numbers.
import { memoryGone } from '../base/check.js';
import { DisposedError, LoadError, OutOfMemoryError } from '../base/errors.js';
import { errorFromStatus } from '../base/status.js';
import { decodeText, encodeText } from '../base/text.js';

/** @import { Exports } from './exports.js' */

/** Byte offsets in the scratch block, for what C reads or writes during one call. */
const OUT = 0; // out-parameters and structs, 8-aligned
const DIMS = 128; // up to 16 sizes
const MORE_DIMS = 192;
const INPUTS = 256; // up to 16 handles
const ATTRIBUTES = 320; // up to 40 doubles
const STAGE = 640; // arguments of any length, as long as they fit
const SCRATCH_BYTES = 16384;

/** Room in the fixed areas above; the header's limits must not exceed it. */
const ROOM = { GLK_MAX_RANK: 16, GLK_MAX_INPUTS: 16, GLK_MAX_ATTRIBUTES: 40 };

/** How many bytes of a name C keeps. */
export const NAME_BYTES = 63;

/** @param {string} why */
const otherVersion = (why) =>
  new LoadError(`this gradlock.wasm has another version: ${why}`, {
    hint: 'use the gradlock.wasm of this version of the package',
  });

/** For a disposed instance's exports, so that memory can be freed. @param {Exports} exports */
const gone = (exports) => {
  const refuse = () => {
    throw new DisposedError('this gradlock instance was disposed; init() makes a new one');
  };
  const names = Object.keys(exports).map((name) => [name, refuse]);
  const memory = { buffer: new ArrayBuffer(0) };
  return /** @type {Exports} */ ({ ...Object.fromEntries(names), memory });
};

export class Bridge {
  /** The exports, guarded. */
  x;
  /** Address of the context; 0 once it was disposed. */
  context = 0;
  /** Array type of values: Float32Array, or Float64Array in gradlock/double. */
  Reals = Float32Array;
  /** Number of threads, with the caller's. */
  threads = 1;
  /** Why there are fewer than asked for. @type {string | null} */
  threadsReason = null;
  /** The other threads. @type {import('./threads.js').WorkerLike[]} */
  workers = [];

  /** @type {Map<string, number>} */
  #constants = new Map();
  /** @type {string[]} */
  #codes = [];
  #memory;
  /** The buffer of the views. @type {ArrayBuffer | undefined} */
  #buffer;
  #u8 = new Uint8Array();
  #u32 = new Uint32Array();
  #reals = new Float32Array();
  #f64 = new Float64Array();

  /** @param {Exports} exports */
  constructor(exports) {
    this.x = exports;
    this.#memory = exports.memory;
    const scratch = exports.glk_bind_alloc(SCRATCH_BYTES) >>> 0;
    if (scratch === 0) throw new OutOfMemoryError('no memory for the arguments of calls');
    this.out = scratch + OUT;
    this.dims = scratch + DIMS;
    this.moreDims = scratch + MORE_DIMS;
    this.inputs = scratch + INPUTS;
    this.attributes = scratch + ATTRIBUTES;
    this.small = scratch + STAGE;
    this.#readConstants();
    this.realBytes = this.constant('glk_real.bytes');
    if (this.realBytes === 8) this.Reals = /** @type {any} */ (Float64Array);
    this.#buffer = undefined; // its views have the other type
    this.maxRank = this.constant('GLK_MAX_RANK');
    this.maxElements = this.constant('GLK_MAX_ELEMENTS');
    this.maxAttributes = this.constant('GLK_MAX_ATTRIBUTES');
    this.check(exports.glk_context_create(0, this.out));
    this.context = this.outHandle();
  }

  #readConstants() {
    while (this.x.glk_bind_constant(this.#constants.size, this.out, this.out + 4) === 0) {
      const [name, value] = this.u32.subarray(this.out >>> 2, (this.out >>> 2) + 2);
      this.#constants.set(this.text(Number(name)), Number(value));
    }
    for (const [name, room] of Object.entries(ROOM)) {
      if (this.constant(name) > room) throw otherVersion(`its ${name} is above ${room}`);
    }
    const statuses = this.constant('GLK_STATUS_COUNT');
    for (let i = 0; i < statuses; i++) this.#codes.push(this.text(this.x.glk_status_name(i)));
  }

  /** A constant of gradlock.h, or an offset: `'glk_memory.bytes'`. @param {string} name */
  constant(name) {
    const value = this.#constants.get(name);
    if (value === undefined) throw otherVersion(`it does not know ${name}`);
    return value;
  }

  get u8() {
    return this.#buffer === this.#memory.buffer ? this.#u8 : this.#refresh().#u8;
  }

  get u32() {
    return this.#buffer === this.#memory.buffer ? this.#u32 : this.#refresh().#u32;
  }

  /** Values, in elements of `realBytes`. */
  get reals() {
    return this.#buffer === this.#memory.buffer ? this.#reals : this.#refresh().#reals;
  }

  get f64() {
    return this.#buffer === this.#memory.buffer ? this.#f64 : this.#refresh().#f64;
  }

  #refresh() {
    const { buffer } = this.#memory;
    this.#buffer = buffer;
    this.#u8 = new Uint8Array(buffer);
    this.#u32 = new Uint32Array(buffer);
    this.#reals = new this.Reals(buffer);
    this.#f64 = new Float64Array(buffer);
    return this;
  }

  /** Throw the typed error of a failed call. @param {number} status */
  check(status) {
    if (status !== 0) this.fail(status);
  }

  /** @param {number} status @returns {never} */
  fail(status) {
    const detail = this.context === 0 ? '' : this.text(this.x.glk_context_detail(this.context));
    const code = this.#codes[status] ?? `status ${status}`;
    throw errorFromStatus(code, detail || code);
  }

  /** The handle, address or count that the last call wrote to the first out-parameter. */
  outHandle() {
    return Number(this.u32[this.out >>> 2]);
  }

  /** The double that the last call wrote to the first out-parameter. */
  outNumber() {
    return Number(this.f64[this.out >>> 3]);
  }

  /** A struct's field, by its name in the header. @param {number} address @param {string} field */
  readField(address, field) {
    return Number(this.u32[(address + this.constant(field)) >>> 2]);
  }

  /** A C string, copied: decoders refuse shared memory. @param {number} address */
  text(address) {
    const from = address >>> 0;
    return decodeText(this.u8.slice(from, this.u8.indexOf(0, from)));
  }

  /**
   * Room for arguments or results, until `unstage`. One at a time, and no user code in between.
   * @param {number} bytes
   * @returns {number} An address, aligned for doubles.
   */
  stage(bytes) {
    return bytes <= SCRATCH_BYTES - STAGE ? this.small : this.reserve(bytes);
  }

  /**
   * Call a function with room for arguments or results, which lasts as long as the call.
   * @template T
   * @param {number} bytes
   * @param {(address: number) => T} use
   */
  staged(bytes, use) {
    const address = this.stage(bytes);
    try {
      return use(address);
    } finally {
      this.unstage(address);
    }
  }

  /** Memory, until `glk_bind_free`. @param {number} bytes @returns {number} Its address. */
  reserve(bytes) {
    const address = bytes > 0xffffffff ? 0 : this.x.glk_bind_alloc(bytes) >>> 0;
    if (address === 0) {
      throw new OutOfMemoryError(`no memory for ${bytes} bytes of arguments; nothing was changed`);
    }
    return address;
  }

  /**
   * Copy a caller's values; their memory may have been detached since it was checked.
   * @template {Uint8Array | Uint32Array | Float32Array} T
   * @param {T} view A view of the module's memory.
   * @param {ArrayLike<number>} values
   * @param {number} at In elements.
   */
  put(view, values, at) {
    try {
      view.set(values, at);
    } catch {
      throw memoryGone('the input');
    }
  }

  /** @param {number} address The result of `stage`. */
  unstage(address) {
    if (address !== this.small) this.x.glk_bind_free(address);
  }

  /** Write a list; returns its length. @param {number} address @param {readonly number[]} list */
  writeList(address, list) {
    const { u32 } = this;
    const from = address >>> 2;
    for (let i = 0; i < list.length; i++) u32[from + i] = Number(list[i]); // sooner done than set() is called
    return list.length;
  }

  /** Sizes or handles that C wrote. @param {number} address @param {number} count */
  readList(address, count) {
    const { u32 } = this;
    const from = address >>> 2;
    const list = [];
    for (let i = 0; i < count; i++) list.push(Number(u32[from + i]));
    return list;
  }

  /**
   * Write a text as C has it, cut between characters where it is longer than C's names may be.
   * @param {number} address With room for 64 bytes.
   * @param {string} text
   * @returns {number} The address.
   */
  writeName(address, text) {
    const bytes = encodeText(text);
    let end = NAME_BYTES;
    while ((Number(bytes[end]) & 0xc0) === 0x80) end--;
    const kept = bytes.subarray(0, end);
    this.u8.set(kept, address);
    this.u8[address + kept.length] = 0;
    return address;
  }

  /** Memory that the context uses now. */
  memory() {
    this.check(this.x.glk_context_memory(this.context, this.out));
    return {
      bytes: this.readField(this.out, 'glk_memory.bytes'),
      peakBytes: this.readField(this.out, 'glk_memory.peak_bytes'),
      objects: this.readField(this.out, 'glk_memory.objects'),
      valueBytes: this.readField(this.out, 'glk_memory.value_bytes'),
      slotBytes: this.readField(this.out, 'glk_memory.slot_bytes'),
      programBytes: this.readField(this.out, 'glk_memory.program_bytes'),
      wasmBytes: this.x.memory.buffer.byteLength,
    };
  }

  /** End the threads before the first object, if there are any. */
  endThreads() {
    this.x.glk_context_threads(this.context, 1, 0);
    this.#terminate();
  }

  #terminate() {
    for (const worker of this.workers) worker?.terminate?.();
    this.workers = [];
  }

  /** Dispose the context with everything in it. */
  close() {
    if (this.context === 0) return;
    const { context, x } = this;
    this.context = 0;
    x.glk_context_dispose(context); // workers return from C: Bun before 1.4 ends no others
    this.#terminate();
    x.glk_bind_free(this.out - OUT);
    this.x = gone(x);
    this.#memory = this.x.memory;
    this.#refresh();
  }
}
