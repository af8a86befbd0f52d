// Turns gradlock.wasm, in any of the forms a host may hold it, into exports to call. Replaces the JavaScript that
// Emscripten would generate: the module is standalone, so a few lines suffice. Knows nothing of what the exports mean.
import { describe } from './check.js';
import { LimitError } from './errors.js';

/** @typedef {BufferSource | Response | PromiseLike<Response> | WebAssembly.Module | URL | string} WasmSource */

/** @typedef {(...parameters: number[]) => number} Call */
/**
 * What this library calls of the module, in the order of gradlock.h.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} [_initialize]
 * @property {Call} glk_status_name
 * @property {Call} glk_context_create
 * @property {Call} glk_context_dispose
 * @property {Call} glk_context_detail
 * @property {Call} glk_context_conflict
 * @property {Call} glk_context_memory
 * @property {Call} glk_dispose
 * @property {Call} glk_tensor_create
 * @property {Call} glk_variable_create
 * @property {Call} glk_shape_of
 * @property {Call} glk_view
 * @property {Call} glk_digest
 * @property {Call} glk_variable_assign
 * @property {Call} glk_variable_scatter
 * @property {Call} glk_variable_fix
 * @property {Call} glk_locks_create
 * @property {Call} glk_locks_copy
 * @property {Call} glk_locks_add_all
 * @property {Call} glk_locks_add_mask
 * @property {Call} glk_locks_add_indices
 * @property {Call} glk_locks_add_axis
 * @property {Call} glk_locks_add_slice
 * @property {Call} glk_locks_add_choice
 * @property {Call} glk_locks_combine
 * @property {Call} glk_locks_invert
 * @property {Call} glk_locks_count
 * @property {Call} glk_locks_test
 * @property {Call} glk_locks_to_mask
 * @property {Call} glk_locks_words
 * @property {Call} glk_locks_version
 * @property {Call} glk_locks_pick
 * @property {Call} glk_locks_pack
 * @property {Call} glk_locks_unpack
 * @property {Call} glk_locks_watch
 * @property {Call} glk_locks_audit
 * @property {Call} glk_layer_combine
 * @property {Call} glk_layer_copy
 * @property {Call} glk_layer_name
 * @property {Call} glk_layer_policy
 * @property {Call} glk_layer_schedule
 * @property {Call} glk_layer_steps
 * @property {Call} glk_op_count
 * @property {Call} glk_op_describe
 * @property {Call} glk_apply
 * @property {Call} glk_program_begin
 * @property {Call} glk_program_end
 * @property {Call} glk_program_cancel
 * @property {Call} glk_program_run
 * @property {Call} glk_program_output
 * @property {Call} glk_program_gradient
 * @property {Call} glk_gradients
 * @property {Call} glk_placeholder
 * @property {Call} glk_custom_gradient
 * @property {Call} glk_program_variables
 * @property {Call} glk_program_trainable
 * @property {Call} glk_program_describe
 * @property {Call} glk_rule_describe
 * @property {Call} glk_rule_slot_name
 * @property {Call} glk_rule_option
 * @property {Call} glk_optimizer_create
 * @property {Call} glk_optimizer_set
 * @property {Call} glk_optimizer_get
 * @property {Call} glk_schedule_describe
 * @property {Call} glk_schedule_number
 * @property {Call} glk_schedule_rate
 * @property {Call} glk_optimizer_schedule
 * @property {Call} glk_optimizer_scheduled
 * @property {Call} glk_program_resume
 * @property {Call} glk_optimizer_scale_rate
 * @property {Call} glk_optimizer_rates
 * @property {Call} glk_optimizer_exclude_decay
 * @property {Call} glk_optimizer_constrain
 * @property {Call} glk_optimizer_average
 * @property {Call} glk_optimizer_apply
 * @property {Call} glk_optimizer_minimize
 * @property {Call} glk_optimizer_iterations
 * @property {Call} glk_optimizer_norms
 * @property {Call} glk_optimizer_slot
 * @property {Call} glk_optimizer_clock
 * @property {Call} glk_method_describe
 * @property {Call} glk_method_option
 * @property {Call} glk_solver_create
 * @property {Call} glk_solver_set
 * @property {Call} glk_solver_get
 * @property {Call} glk_solver_minimize
 * @property {Call} glk_state_save
 * @property {Call} glk_state_load
 * @property {Call} glk_state_check
 * @property {Call} glk_state_variables
 * @property {Call} glk_solver_describe
 * @property {Call} glk_bind_alloc
 * @property {Call} glk_bind_free
 * @property {Call} glk_bind_constant
 */

/** The smallest module with a simd128 instruction: (func (result v128) i32.const 0 i8x16.splat i8x16.popcnt). */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
];

const SIMD_HELP =
  'gradlock needs WebAssembly with 128-bit SIMD, which this platform lacks: ' +
  'use Chrome or Edge 91, Firefox 89, Safari 16.4 or Node.js 20, or a later one';

export const hasSimd = () =>
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
  if (found instanceof ArrayBuffer) return WebAssembly.compile(found);
  // V8 takes typed arrays only, not every view.
  if (ArrayBuffer.isView(found)) {
    const { buffer, byteOffset, byteLength } = found;
    return WebAssembly.compile(new Uint8Array(buffer, byteOffset, byteLength).slice());
  }
  if (typeof Response === 'function' && found instanceof Response) return compileResponse(found);
  if (typeof found === 'string' || found instanceof URL) return compileUrl(found);
  throw new TypeError(
    'wasm must be the bytes of gradlock.wasm, a Response, a WebAssembly.Module or a URL, ' +
      `got ${describe(found)}`,
  );
};

/**
 * Streaming needs exactly the MIME type application/wasm, which not every server sends.
 * @param {Response} response
 */
const compileResponse = async (response) => {
  if (!response.ok) {
    throw new Error(`fetching ${response.url || 'gradlock.wasm'} failed: HTTP ${response.status}`);
  }
  const isWasm = response.headers.get('content-type') === 'application/wasm';
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
  // Node's fetch refuses file: URLs. The name is made here so that bundlers for browsers do not see it.
  const name = ['node:fs', 'promises'].join('/');
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
