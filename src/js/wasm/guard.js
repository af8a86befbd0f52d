// Protects C against interruption: an exception in the middle of C would leave its memory half
// changed. Before every call it requests more stack than C and its callers ever use, so that an
// overflow is thrown before the call begins. If a trap is thrown all the same, the instance is
// broken for good, and every later call says so.
import { BrokenInstanceError } from '../base/errors.js';

/** @import { Call, Exports } from './exports.js' */

/** v128 values in one frame of the probe: 16 kB, seven times the largest need seen. */
const SLOTS = 1000;

/**
 * Functions that free the results of an earlier call. They run without requesting stack: the
 * earlier call needed more, and a call that fails must still be able to clean up.
 */
const CLEANUP = /^glk_(dispose|program_cancel|context_dispose|bind_free)$/;

/**
 * A module with one function that holds SLOTS values at once if its argument is not 0. Engines
 * check at entry that the whole frame fits the stack, so calling it with 0 does nothing else.
 */
const probeModule = () => {
  const call = [0x10, 0];
  const add = [0xfd, 0x6e];
  const body = [
    ...[0, 0x20, 0, 0x04, 0x7f], // no locals; local.get 0; if (result i32)
    ...new Array(SLOTS).fill(call).flat(),
    ...new Array(SLOTS - 1).fill(add).flat(),
    ...[0xfd, 0x53, 0x05, 0x41, 0, 0x0b, 0x0b], // v128.any_true; else; i32.const 0; end; end
  ];
  /** @param {number[]} bytes */
  const sized = (bytes) => [(bytes.length & 127) | 128, bytes.length >> 7, ...bytes];
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 10, 2, 0x60, 0, 1, 0x7b, 0x60, 1, 0x7f, 1, 0x7f], // types: () -> v128, (i32) -> i32
    ...[2, 7, 1, 1, 0x61, 1, 0x61, 0, 0], // import a.a of the first type
    ...[3, 2, 1, 1], // one function of the second type
    ...[7, 5, 1, 1, 0x61, 0, 1], // export it as a
    ...[10, ...sized([1, ...sized(body)])],
  );
};

/** @type {Promise<Call> | undefined} */
let probe;

/** The function that throws RangeError if the stack has no room for a call; all share it. */
export const loadProbe = () => {
  probe ??= WebAssembly.instantiate(probeModule(), { a: { a: () => {} } }).then(
    ({ instance }) => /** @type {Call} */ (instance.exports.a),
    (error) => {
      // Where V8 may compile no bytes, as in workerd: arguments are on the stack, too.
      const room = new Array(2 * SLOTS).fill(0);
      if (error instanceof WebAssembly.CompileError) return () => Math.max.apply(null, room);
      throw error;
    },
  );
  probe.catch(() => {
    probe = undefined;
  });
  return probe;
};

/** The same exports, guarded. @param {Exports} exports @param {Call} askForRoom */
export const guardExports = (exports, askForRoom) => {
  /** @type {BrokenInstanceError | undefined} */
  let broken;
  /** @param {string} name @param {unknown} cause */
  const breakFor = (name, cause) => {
    broken = new BrokenInstanceError(
      `this gradlock instance is broken: ${name} was cut off inside of WebAssembly (${cause}). Its objects ` +
        'cannot be used any more: make a new instance with init()',
      { cause },
    );
    return broken;
  };
  /** @type {[string, unknown][]} */
  const guarded = Object.entries(exports).map(([name, call]) => {
    if (typeof call !== 'function') return [name, call];
    if (CLEANUP.test(name)) {
      /** @param {number[]} args */
      const cleanUp = (...args) => {
        if (broken) return 0;
        try {
          return call(...args);
        } catch (cause) {
          throw breakFor(name, cause);
        }
      };
      return [name, cleanUp];
    }
    /** @param {number[]} args */
    const enter = (...args) => {
      if (broken) throw broken;
      askForRoom(0);
      try {
        return call(...args);
      } catch (cause) {
        throw breakFor(name, cause);
      }
    };
    return [name, enter];
  });
  return /** @type {Exports} */ (Object.fromEntries(guarded));
};
