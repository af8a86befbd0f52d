// Files of a model from addresses and paths: model.json, and shards that it names. What it names may
// be anywhere, so the addresses are resolved and checked before they are fetched or read.
import { describe } from '../base/check.js';
import { FormatError, LoadError } from '../base/errors.js';
import { importNode } from '../base/node.js';
import { isUrl } from './bytes.js';
import { isPage } from './foreign.js';

/** Stands for the folder of an address that is relative to something only `fetch` knows. */
const SOMEWHERE = 'http://gradlock.invalid/folder/';

/**
 * @param {string} url
 * @returns {LoadError}
 */
const pageError = (url) =>
  new LoadError(`the model could not be fetched: ${describeUrl(url)} answered with a page (HTML)`, {
    url,
    hint: 'check the address; servers of single-page apps answer with HTML for missing files',
  });

/** An address without its query, where tokens are. @param {string} url */
const describeUrl = (url) => {
  const [plain = ''] = url.split(/[?#]/);
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain;
};

/**
 * The address of a source, if it is one. Text without a scheme is a path where there are files and
 * no page, unless the caller's own `fetch` is to find it.
 * @param {unknown} source
 * @param {unknown} get
 * @returns {Promise<string | null>}
 */
export const addressOf = async (source, get) => {
  if (isUrl(source)) return String(source);
  if (typeof source !== 'string') return null;
  // A scheme of one letter is a drive of Windows.
  if (get !== undefined || globalThis.location || /^[a-z][a-z\d+.-]+:/i.test(source)) return source;
  return (await importNode('url'))?.pathToFileURL(source).href ?? source;
};

/** What to do about an error of the file system, by its code. @type {[RegExp, string, string][]} */
const FILE_ERRORS = [
  [/ENOENT|ENOTDIR/, 'there is no file', 'check the path'],
  [/EISDIR/, 'this is a folder and no file:', 'give the file in it, such as model.json'],
  [/EACCES|EPERM|ACCESS_DENIED|NotCapable|PermissionDenied/, 'no permission to read', 'allow this process to'],
];

/**
 * The bytes of a file; undefined where there is no file system.
 * @param {string} url Of the scheme file.
 * @returns {Promise<Uint8Array | undefined>}
 */
const readFile = async (url) => {
  const fs = await importNode('fs');
  let path = url;
  try {
    path = (await importNode('url'))?.fileURLToPath(url);
    return await fs?.promises.readFile(path);
  } catch (cause) {
    const { code, name } = /** @type {any} */ (cause);
    const known = FILE_ERRORS.find(([pattern]) => pattern.test(`${code} ${name}`));
    const [problem, hint] = known?.slice(1) ?? ['the system cannot read', String(cause)];
    throw new LoadError(`${problem} ${path}`, { url, hint: String(hint), cause });
  }
};

/**
 * @param {unknown} get The caller's own `fetch`, which also gets addresses of files.
 * @param {string} url
 * @returns {Promise<Uint8Array>}
 */
export const readAddress = async (get, url) =>
  (get === undefined && /^file:/i.test(url) && (await readFile(url))) || fetchBytes(get, url);

/**
 * @param {unknown} get `fetch`, or one like it.
 * @param {string} url
 * @returns {Promise<Uint8Array>}
 */
const fetchBytes = async (get, url) => {
  const call = get ?? globalThis.fetch;
  if (typeof call !== 'function')
    throw new TypeError(`fetch must be a function, got ${describe(get)}`);
  let response;
  try {
    response = await call(url);
    const kind = response.headers?.get?.('content-type');
    if (response.ok && /^text\/html\b/i.test(kind)) throw pageError(url);
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (error instanceof LoadError) throw error;
    const hint =
      'check the address, and that its server allows this page (CORS); pass local files as bytes';
    const message = `the model could not be fetched from ${describeUrl(url)}`;
    throw new LoadError(message, { url, hint, cause: error });
  }
  throw new LoadError(
    `the model could not be fetched: ${describeUrl(url)} answered ${describe(response.status)}`,
    { url, hint: 'check the address' },
  );
};

/**
 * Refuse a page that a server sent instead of a file.
 * @param {Uint8Array} bytes
 * @param {string} url
 */
export const refusePage = (bytes, url) => {
  if (!/^file:/i.test(url) && isPage(bytes)) throw pageError(url);
};

/**
 * The address of a shard, relative to that of model.json. A shard in model.json's folder gets the
 * query, too, as in TensorFlow.js: signed addresses need it. No other address does.
 * @param {string} path The path in the manifest.
 * @param {string} url The address of model.json.
 * @param {boolean} crossOrigin True if the shard may be on another server.
 */
export const resolveShard = (path, url, crossOrigin) => {
  const [plain = '', query] = url.split('#')[0]?.split('?') ?? [];
  const folder = plain.slice(0, plain.lastIndexOf('/') + 1);
  const base = absolute(folder);
  const home = base ?? new URL(SOMEWHERE);
  const target = parse(path, home.href);
  if (!target)
    throw new FormatError(`LayersModel: a shard has the invalid address ${describe(path)}`);
  const isWithin =
    sameOrigin(target, home) && target.pathname.startsWith(home.pathname) && !/%2f|%5c/i.test(path);
  if (target.protocol === 'file:' && home.protocol !== 'file:') {
    throw new FormatError(`LayersModel: the shard ${describe(path)} is a file of this computer`);
  }
  const isOfServer = /^https?:$/.test(home.protocol) && base !== null;
  if (!isWithin && !crossOrigin && !(isOfServer && sameOrigin(target, home))) {
    throw new FormatError(
      `LayersModel: the shard ${describe(path)} is ${isOfServer ? 'on another server' : 'outside of the folder of model.json'}; if you trust it, give { crossOrigin: true }`,
    );
  }
  if (isWithin && query !== undefined && target.search === '') target.search = query;
  if (base) return target.href;
  return isWithin ? `${folder}${path}${target.search}` : path;
};

/** @param {URL} a @param {URL} b */
const sameOrigin = (a, b) => a.protocol === b.protocol && a.host === b.host;

/** @param {string} url @param {string} [base] */
const parse = (url, base) => {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
};

/** @param {string} url @returns {URL | null} Null for what nothing makes absolute. */
const absolute = (url) => parse(url, globalThis.location?.href) ?? parse(url);
