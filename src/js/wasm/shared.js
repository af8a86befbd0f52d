// The memory that gradlock.wasm imports. One byte of the module marks its limits as shared or not:
// the file has 1, which loads everywhere, and threads need 3. The code is the same for both.

/** The import in the module's bytes; its limits follow. */
const IMPORT = '\x03env\x06memory\x02';

/** The first size of the memory, in pages of 64 kB (INITIAL_MEMORY in the Makefile). */
const PAGES = 256;
/** The last. */
const MOST_PAGES = 65536;

/**
 * @param {Uint8Array} bytes
 * @param {boolean} isShared
 * @returns {boolean} False if the module does not import its memory.
 */
export const markShared = (bytes, isShared) => {
  const at = String.fromCharCode(...bytes.subarray(0, 4096)).indexOf(IMPORT);
  if (at >= 0) bytes[at + IMPORT.length] = isShared ? 3 : 1;
  return at >= 0;
};

/** Some engines refuse so large a shared memory; they get a smaller one. @param {boolean} shared */
export const makeMemory = (shared) => {
  for (let maximum = MOST_PAGES; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: PAGES, maximum, shared });
    } catch (error) {
      if (!shared || maximum / 2 < PAGES) throw error;
    }
  }
};
