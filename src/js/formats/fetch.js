// Files of a model from addresses and paths: model.json, and shards that it names. These may be
// anywhere, so their addresses are resolved and checked before they are fetched or read.
import { describe } from '../base/check.js';
import { FormatError, LoadError } from '../base/errors.js';
import { importNode } from '../base/node.js';
import { isPage } from './foreign.js';

/** Stands for the folder of an address that is relative to something only `fetch` knows. */
const SOMEWHERE = 'http://gradlock.invalid/folder/';

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
  if (source instanceof URL) return source.href;
  if (typeof source !== 'string') return null;
  // A scheme of one letter is a drive of Windows.
  if (get !== undefined || globalThis.location || /^[a-z][a-z\d+.-]+:/i.test(source)) return source;
  return (await importNode('url'))?.pathToFileURL(source).href ?? source;
};

/**
 * The bytes of a file; undefined where there is no file system.
 * @param {string} url Of the scheme file.
 * @returns {Promise<Uint8Array | undefined>}
 */
const readFile = async (url) => {
  const fs = await importNode('fs');
  try {
    return await fs?.promises.readFile(new URL(url));
  } catch (cause) {
    // Such as "ENOENT: no such file or directory, open 'model.json'".
    const hint = `${/** @type {Error} */ (cause).message}; give the path of a file, such as model.json`;
    throw new LoadError(`the model could not be read from ${url}`, { url, hint, cause });
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
 * @param {any} get A function like `fetch`; undefined for the platform's.
 * @param {string} url
 * @returns {Promise<Uint8Array>}
 */
const fetchBytes = async (get, url) => {
  const call = get ?? globalThis.fetch;
  /** @param {string} problem @param {string} hint @param {unknown} [cause] */
  const failed = (problem, hint, cause) =>
    new LoadError(`the model could not be fetched from ${describeUrl(url)}${problem}`, {
      url,
      hint: `check the address${hint}`,
      cause,
    });
  let answer;
  let bytes;
  try {
    answer = await call(url);
    bytes = new Uint8Array(answer.ok ? await answer.arrayBuffer() : 0);
  } catch (cause) {
    const hint = ', and that its server allows this page (CORS); pass local files as bytes';
    throw failed('', hint, cause);
  }
  if (!answer.ok) throw failed(`, which answered ${describe(answer.status)}`, '');
  if (!isPage(bytes)) return bytes;
  const hint = '; servers of single-page apps answer with HTML for missing files';
  throw failed(', which answered with a page (HTML)', hint);
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
    throw new FormatError(`LayersModel: the shard ${describe(path)} is a local file`);
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
