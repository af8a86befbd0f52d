// Files of a model from addresses: model.json, and shards that it names. What it names may be
// anywhere, so the addresses are resolved and checked before they are fetched.
import { describe } from '../base/check.js';
import { FormatError, LoadError } from '../base/errors.js';

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
 * @param {unknown} get `fetch`, or one like it.
 * @param {string} url
 * @returns {Promise<Uint8Array>}
 */
export const fetchBytes = async (get, url) => {
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
  const start = String.fromCharCode(...bytes.subarray(0, 64)).replace(/^\xef\xbb\xbf/, '');
  if (/^\s*<(!|\?xml|html|head|body)/i.test(start)) throw pageError(url);
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
