// Turns gradlock.wasm, in any of the forms a host may hold it, into exports to call. Replaces the JavaScript that
// Emscripten would generate: the module is standalone, so a few lines suffice. Knows nothing of what the exports mean.
import { describe } from './check.js';
import { LimitError } from './errors.js';

/** @typedef {BufferSource | Response | PromiseLike<Response> | WebAssembly.Module | URL | string} WasmSource */

/**
 * @typedef {'glk_status_name' | 'glk_context_create' | 'glk_context_dispose' | 'glk_context_detail' |
 *   'glk_context_conflict' | 'glk_context_memory' | 'glk_dispose' | 'glk_tensor_create' |
 *   'glk_variable_create' | 'glk_shape_of' | 'glk_view' | 'glk_digest' | 'glk_variable_assign' |
 *   'glk_variable_fix' | 'glk_locks_create' | 'glk_locks_copy' |
 *   'glk_locks_add_all' | 'glk_locks_add_mask' | 'glk_locks_add_indices' | 'glk_locks_add_axis' |
 *   'glk_locks_add_slice' | 'glk_locks_combine' | 'glk_locks_invert' | 'glk_locks_count' | 'glk_locks_test' |
 *   'glk_locks_to_mask' | 'glk_locks_words' | 'glk_locks_version' | 'glk_op_count' | 'glk_op_describe' |
 *   'glk_apply' | 'glk_program_begin' | 'glk_program_end' | 'glk_program_cancel' | 'glk_program_run' |
 *   'glk_program_output' | 'glk_program_gradient' | 'glk_program_variables' | 'glk_program_describe' |
 *   'glk_rule_describe' | 'glk_rule_slot_name' | 'glk_rule_option' | 'glk_optimizer_create' |
 *   'glk_optimizer_set' | 'glk_optimizer_get' | 'glk_optimizer_apply' | 'glk_optimizer_minimize' |
 *   'glk_optimizer_iterations' | 'glk_optimizer_norms' | 'glk_optimizer_slot' | 'glk_optimizer_clock' |
 *   'glk_bind_alloc' | 'glk_bind_free' | 'glk_bind_constant'} ExportName
 */

/** @typedef {Record<ExportName, (...parameters: number[]) => number> & { memory: WebAssembly.Memory, _initialize?: () => void }} Exports */

/** The smallest module with a simd128 instruction: (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt). */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
];

const SIMD_HELP =
  'gradlock needs WebAssembly with 128-bit SIMD, which this platform lacks: ' +
  'use Chrome or Edge 91, Firefox 89, Safari 16.4 or Node.js 20, or a later one';

const hasSimd = () =>
  typeof WebAssembly === 'object' && WebAssembly.validate(Uint8Array.from(SIMD_PROBE));

/**
 * Compile the module; the same source text may serve several instances.
 * @param {unknown} source A WasmSource; callers without types may hand in anything.
 * @returns {Promise<WebAssembly.Module>}
 */
export const compileWasm = async (source) => {
  if (!hasSimd()) throw new LimitError(SIMD_HELP);
  const found = await source;
  if (found instanceof WebAssembly.Module) return found;
  if (found instanceof ArrayBuffer || ArrayBuffer.isView(found)) {
    return WebAssembly.compile(/** @type {BufferSource} */ (found));
  }
  if (typeof Response === 'function' && found instanceof Response) return compileResponse(found);
  if (typeof found === 'string' || found instanceof URL) return compileUrl(found);
  throw new TypeError(
    'wasm must be the bytes of gradlock.wasm, a Response, a WebAssembly.Module or a URL, ' +
      `got ${describe(found)}`,
  );
};

/**
 * Streaming needs the MIME type application/wasm, which not every server sends.
 * @param {Response} response
 */
const compileResponse = async (response) => {
  if (!response.ok) {
    throw new Error(`fetching ${response.url || 'gradlock.wasm'} failed: HTTP ${response.status}`);
  }
  const isWasm = response.headers.get('content-type')?.startsWith('application/wasm');
  if (isWasm && WebAssembly.compileStreaming) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
};

/** @param {string | URL} source */
const compileUrl = async (source) => {
  const process = /** @type {{ process?: NodeJS.Process }} */ (globalThis).process;
  const base = globalThis.location?.href ?? (process ? `file://${process.cwd()}/` : undefined);
  const url = new URL(source, base);
  if (url.protocol !== 'file:' || !process?.versions?.node)
    return compileResponse(await fetch(url));
  // Node's fetch refuses file: URLs. The name is a variable so that bundlers for browsers leave it alone.
  const name = 'node:fs/promises';
  const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  return WebAssembly.compile(await readFile(url));
};

/**
 * Make an instance with memory of its own. Emscripten asks to be told nothing but that memory grew, which our views
 * find out by themselves; anything else the C library never calls, so it is only there to satisfy the linker.
 * @param {WebAssembly.Module} module
 * @returns {Promise<Exports>}
 */
export const instantiateWasm = async (module) => {
  /** @type {Record<string, Record<string, () => void>>} */
  const imports = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') {
      throw new TypeError(`this is not a gradlock.wasm: it imports the ${kind} ${space}.${name}`);
    }
    imports[space] ??= {};
    imports[space][name] =
      name === 'emscripten_notify_memory_growth'
        ? () => {}
        : () => {
            throw new Error(`gradlock.wasm called ${space}.${name}, which it has no reason to`);
          };
  }
  const instance = await WebAssembly.instantiate(module, imports);
  const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  if (!exports.memory || !exports.glk_bind_constant) {
    throw new TypeError('this is not a gradlock.wasm: it lacks the exports of the library');
  }
  exports._initialize?.();
  return exports;
};
