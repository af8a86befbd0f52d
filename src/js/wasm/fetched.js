// Compiles the gradlock.wasm next to the JavaScript, or explains what to do if it was left out.
import { LoadError } from '../base/errors.js';
import { MISSING_ADVICE, compileWasm } from './loader.js';

const VITE =
  "Vite bundled the JavaScript ahead and left it out: add optimizeDeps: { exclude: ['gradlock'] } to its config";

/** @param {() => Promise<URL>} find Fails if a bundler removed it. @param {boolean} isShared */
export const compileFetched = async (find, isShared) => {
  /** @type {URL} */
  let url;
  try {
    url = await find();
  } catch (cause) {
    const hint = `a bundler removed it (${cause}): ${MISSING_ADVICE}`;
    throw new LoadError('gradlock/external cannot find its own address', { hint, cause });
  }
  try {
    return await compileWasm(url, isShared);
  } catch (cause) {
    if (!url.href.includes('/.vite/deps/')) throw cause;
    const details = { url: url.href, hint: VITE, cause };
    throw new LoadError('gradlock.wasm is not beside gradlock/external', details);
  }
};
