// Loading of gradlock.wasm, from any form in which a host may have it. It replaces the JavaScript
// that Emscripten would generate: the module is standalone, so a few lines do. Every failure is a
// LoadError that explains what to do. Forms are recognised by their properties and not by their
// constructor, since objects of another frame or realm have other constructors.
import { describe } from '../base/check.js';
import { GradlockError, LoadError } from '../base/errors.js';
import { importNode } from '../base/node.js';
import { guardExports, loadProbe } from './guard.js';
import { makeMemory, markShared } from './shared.js';

/**
 * @typedef {object} ResponseLike What `fetch` resolves with.
 * @property {boolean} ok
 * @property {() => Promise<ArrayBuffer>} arrayBuffer
 */
/**
 * @typedef {ArrayBuffer | SharedArrayBuffer | ArrayBufferView | ResponseLike |
 * PromiseLike<ResponseLike> | { readonly href: string } | string | object} WasmSource Where
 * gradlock.wasm comes from: its bytes; a Response, or the promise of one; a URL, or its text;
 *   or a WebAssembly.Module.
 */

/** @import { Exports } from './exports.js' */

/** The smallest module with simd128: (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt). */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
];

const hasSimd = () =>
  typeof WebAssembly === 'object' && WebAssembly.validate(Uint8Array.from(SIMD_PROBE));

/** Features that the library needs besides WebAssembly; all are older than its SIMD. */
const FEATURES = ['FinalizationRegistry', 'WeakRef'];

/** Throw LoadError where this platform cannot run the library. */
const checkPlatform = () => {
  const lacks = FEATURES.filter((name) => !(name in globalThis));
  if (!hasSimd()) lacks.unshift('WebAssembly with 128-bit SIMD');
  if (lacks.length === 0) return;
  throw new LoadError(`gradlock needs ${lacks.join(' and ')}, which this platform lacks`, {
    hint: 'use Chrome or Edge 91, Firefox 89, Safari 16.4 or Node.js 20, or a later one',
  });
};

/** @param {unknown} value */
const kindOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

/** In messages of Chrome and Safari, of Firefox, and of V8 where its host forbids it. */
const CSP = /unsafe-eval|\bCSP\b|Content.Security.Policy|by embedder/i;
/** In messages of V8, SpiderMonkey and JavaScriptCore when they refuse memory. */
const MEMORY = /out of memory|allocate/i;

/** Advice for an error of the engine. @param {unknown} error @param {string} otherwise */
const hintFor = (error, otherwise) => {
  const message = String(error);
  if (CSP.test(message)) {
    return "a Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src; in workers that compile no bytes, import gradlock.wasm as a module: init({ wasm })";
  }
  if (MEMORY.test(message)) {
    return 'no memory for another instance: dispose() instances you no longer use';
  }
  return otherwise;
};

/** Explains what is wrong with bytes that are not a module. @param {Uint8Array} bytes */
const hintForBytes = (bytes) => {
  const text = String.fromCharCode(...bytes.subarray(0, 256));
  if (bytes.length === 0)
    return 'there are no bytes: the file is empty, or its memory was transferred';
  if (/^\W*</.test(text)) {
    return 'this is a page (HTML): the server has no file at this address; check where gradlock.wasm is served';
  }
  if (text.startsWith('\0asm')) {
    return `these ${bytes.length} bytes begin as a module and are cut short or damaged: serve the unchanged gradlock.wasm of the package`;
  }
  return `these ${bytes.length} bytes are not a WebAssembly module: give those of gradlock.wasm`;
};

/** Advice if gradlock.wasm is not next to the JavaScript. */
export const MISSING_ADVICE =
  'serve gradlock.wasm next to the JavaScript, pass its address with init({ wasm: url }), or import gradlock, which contains it';

/** @param {ArrayBuffer | ArrayBufferView} source @param {boolean} isShared @param {string} [url] */
const compileBytes = async (source, isShared, url) => {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(source)
    ? source
    : { buffer: source, byteOffset: 0, byteLength: source.byteLength };
  /** @type {Uint8Array<ArrayBuffer>} */
  let bytes;
  try {
    bytes = new Uint8Array(buffer, byteOffset, byteLength).slice();
  } catch {
    bytes = new Uint8Array(); // detached
  }
  if (isShared) markShared(bytes, true);
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw cannotCompile(url, hintFor(cause, hintForBytes(bytes)), cause);
  }
};

/** @param {string | undefined} url @param {string} hint @param {unknown} cause */
const cannotCompile = (url, hint, cause) =>
  new LoadError(`gradlock.wasm${url ? ` from ${url}` : ''} cannot be compiled`, {
    url,
    hint,
    cause,
  });

/**
 * Compile the module; the same source text may serve several instances.
 * @param {unknown} source A WasmSource; callers without types may hand in anything.
 * @param {boolean} [isShared] True for a shared memory; a WebAssembly.Module stays as it is.
 */
export const compileWasm = async (source, isShared = false) => {
  checkPlatform();
  const found = await settle(source);
  const kind = kindOf(found);
  if (kind === 'WebAssembly.Module') return /** @type {WebAssembly.Module} */ (found);
  if (ArrayBuffer.isView(found) || /^(Shared)?ArrayBuffer$/.test(kind)) {
    return compileBytes(/** @type {ArrayBuffer} */ (found), isShared);
  }
  if (kind === 'Response') return compileResponse(/** @type {Response} */ (found), isShared);
  if (typeof found === 'string' || kind === 'URL') return compileUrl(String(found), isShared);
  throw new TypeError(
    'wasm must be the bytes of gradlock.wasm, a Response, a WebAssembly.Module or a URL, ' +
      `got ${describe(found)}`,
  );
};

/** Compile the inner module. @param {() => Promise<Uint8Array>} unpack @param {boolean} isShared */
export const compileUnpacked = async (unpack, isShared) => {
  checkPlatform();
  try {
    const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (await unpack());
    if (isShared) markShared(bytes, true);
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    if (cause instanceof GradlockError) throw cause;
    const hint = `this JavaScript was truncated or changed on its way: serve the unchanged file of the package (${cause})`;
    throw cannotCompile(undefined, hintFor(cause, hint), cause);
  }
};

/** True if a WasmSource is, or resolves to, a WebAssembly.Module. @param {unknown} source */
export const isCompiled = async (source) => kindOf(await settle(source)) === 'WebAssembly.Module';

/** @param {unknown} source */
const settle = async (source) => {
  try {
    return await source;
  } catch (cause) {
    if (cause instanceof GradlockError) throw cause;
    throw new LoadError('the promise given as wasm was rejected', {
      hint: `give one that resolves to the bytes of gradlock.wasm or a Response (${cause})`,
      cause,
    });
  }
};

/** Streaming needs type application/wasm. @param {Response} response @param {boolean} isShared */
const compileResponse = async (response, isShared) => {
  const { ok, status, url } = response;
  if (!ok) {
    throw new LoadError(`fetching ${url || 'gradlock.wasm'} failed with HTTP ${status}`, {
      url,
      hint: MISSING_ADVICE,
    });
  }
  const isWasm = response.headers.get('content-type') === 'application/wasm';
  if (!isWasm || isShared || !WebAssembly.compileStreaming) {
    return compileBytes(await readBody(response), isShared, url);
  }
  try {
    return await WebAssembly.compileStreaming(response);
  } catch (cause) {
    const hint =
      'it is cut short, damaged or not a module: serve the unchanged gradlock.wasm of the package';
    throw cannotCompile(url, hintFor(cause, hint), cause);
  }
};

/** @param {Response} response */
const readBody = async (response) => {
  try {
    return await response.arrayBuffer();
  } catch (cause) {
    throw cannotFetch(response.url, cause);
  }
};

/** @param {string} url @param {unknown} cause */
const cannotFetch = (url, cause) =>
  new LoadError(`fetching ${url || 'gradlock.wasm'} failed`, {
    url,
    hint: `the connection broke, the address is wrong, or CORS or connect-src of a Content-Security-Policy forbids it (${cause})`,
    cause,
  });

/** @param {string} source @param {boolean} isShared */
const compileUrl = async (source, isShared) => {
  const process = /** @type {{ process?: NodeJS.Process }} */ (globalThis).process;
  const base = globalThis.location?.href ?? (process ? `file://${process.cwd()}/` : undefined);
  /** @type {URL} */
  let url;
  try {
    url = new URL(source, base);
  } catch (cause) {
    throw new LoadError(`${describe(source)} is not an address of gradlock.wasm`, {
      url: source,
      hint: 'give a full URL, or a path relative to the page',
      cause,
    });
  }
  try {
    // Node's fetch refuses file: URLs.
    const fs = url.protocol === 'file:' && (await importNode('fs'));
    if (fs) return await compileBytes(await fs.promises.readFile(url), isShared, url.href);
    return await compileResponse(await fetch(url), isShared);
  } catch (cause) {
    if (cause instanceof GradlockError) throw cause;
    if (url.protocol !== 'file:') throw cannotFetch(url.href, cause);
    const hint = `${cause}: ${MISSING_ADVICE}`;
    throw new LoadError(`reading ${url.href} failed`, { url: url.href, hint, cause });
  }
};

/**
 * Make an instance with its own memory. The only function that C calls reports that memory grew.
 * C never calls the others, of other builds; they only satisfy the linker.
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} [shared] Its memory, if threads share it.
 */
export const instantiateWasm = async (module, shared) => {
  // An engine needs longer for the buffer of a memory than for a property.
  const seen = { buffer: new ArrayBuffer() };
  let memory = shared;
  /** @type {Record<string, Record<string, WebAssembly.ImportValue>>} */
  const imports = {};
  try {
    for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
      imports[space] ??= {};
      if (name === 'memory' && space === 'env') {
        memory ??= makeMemory(false);
        imports[space][name] = memory;
      } else if (kind !== 'function') {
        throw notOurs(`it imports the ${kind} ${space}.${name}`);
      } else if (name === 'emscripten_notify_memory_growth') {
        imports[space][name] = () => {
          if (memory) seen.buffer = memory.buffer;
        };
      } else {
        imports[space][name] = () => {
          throw new Error(`gradlock.wasm called ${space}.${name}, which the library never calls`);
        };
      }
    }
    const askForRoom = await loadProbe();
    const instance = await WebAssembly.instantiate(module, imports);
    if (memory) seen.buffer = memory.buffer;
    const exports = /** @type {Exports} */ ({ memory: seen, ...instance.exports });
    if (!exports.memory.buffer.byteLength || !exports.glk_bind_constant) {
      throw notOurs('it lacks the exports of the library');
    }
    exports._initialize?.();
    return guardExports(exports, askForRoom);
  } catch (cause) {
    if (cause instanceof GradlockError) throw cause;
    const hint = hintFor(cause, `the engine refuses it (${cause})`);
    throw new LoadError('gradlock.wasm cannot be instantiated', { hint, cause });
  }
};

/** @param {string} why */
const notOurs = (why) =>
  new LoadError(`this is not a gradlock.wasm: ${why}`, {
    hint: 'use the gradlock.wasm of this version of the package',
  });
