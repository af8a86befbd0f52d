// Compilation of the gradlock.wasm that lies beside the JavaScript, for gradlock/external, and what
// to do where a bundler left it out.
import { LoadError } from '../base/errors.js';
import { BESIDE, compileWasm } from './loader.js';

const VITE =
  "Vite bundled the JavaScript ahead and left it out: add optimizeDeps: { exclude: ['gradlock'] } to its config";

/**
 * @param {() => Promise<URL>} find Fails where a bundler left nothing to be beside of.
 * @returns {Promise<WebAssembly.Module>}
 */
export const compileBeside = async (find) => {
  /** @type {URL} */
  let url;
  try {
    url = await find();
  } catch (cause) {
    const hint = `a bundler removed it (${cause}): ${BESIDE}`;
    throw new LoadError('gradlock/external cannot find its own address', { hint, cause });
  }
  try {
    return await compileWasm(url);
  } catch (cause) {
    if (!url.href.includes('/.vite/deps/')) throw cause;
    const details = { url: url.href, hint: VITE, cause };
    throw new LoadError('gradlock.wasm is not beside gradlock/external', details);
  }
};
