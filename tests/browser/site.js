/**
 * Serves a folder, such as the built demo, as a plain static host would, from a path of its own and under the strictest
 * policy that the demo promises to work with. Nothing outside of the folder is served.
 */

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const PATH = '/some/where/';
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** What makes a page cross-origin isolated, so that it may share memory with its workers. */
export const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** @type {Record<string, string>} */
export const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** @param {string} folder @param {string} url @returns {string | null} the file that it names */
function fileOf(folder, url) {
  const path = new URL(url, 'http://site').pathname;
  if (!path.startsWith(PATH)) return null;
  const file = normalize(join(folder, path.slice(PATH.length) || 'index.html'));
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? file : null;
}

/** The built demo. @param {string} [first] */
export const serveSite = (first) =>
  serveFolder(new URL('../../build/site/', import.meta.url), POLICY, first);

/** What is no mistake of a page: a slow machine, all cells locked, no service worker by request. */
export const EXPECTED =
  /gradlock\/worker: no answer from the worker yet|gradlock: .*: nothing trains|blocked by Playwright/;

/** A script that pages run first: what goes wrong in them, in `complaints`, for drivers that hear no console. */
export const LISTEN = `
  window.complaints = [];
  const hear = (what) => ${EXPECTED}.test(what) || complaints.push(String(what));
  addEventListener('error', ({ message, target }) => hear(message ?? target.outerHTML), true);
  addEventListener('unhandledrejection', ({ reason }) => hear(reason));
  addEventListener('securitypolicyviolation', (event) => hear(event.violatedDirective));
  for (const level of ['error', 'warn']) console[level] = (...text) => hear(text.join(' '));`;

/** @param {URL} root @param {string} [policy] @param {string} [first] A script that pages run first. @param {Record<string, string>} [headers] @returns {Promise<{ url: string, close: () => void }>} */
export async function serveFolder(root, policy = POLICY, first = '', headers = {}) {
  const folder = fileURLToPath(root);
  const script = first && join(folder, 'first.js');
  const server = createServer(async (request, response) => {
    const file = fileOf(folder, request.url ?? '/');
    let body = file && (file === script ? first : await readFile(file).catch(() => null));
    if (!file || !body) {
      // Of an answer without a body, Chromium makes no page.
      response.writeHead(404, { 'content-type': 'text/html' }).end('There is no such page.');
      return;
    }
    if (first && file.endsWith('.html')) {
      body = String(body).replace('<head>', `<head><script src="${PATH}first.js"></script>`);
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const all = { ...headers, 'content-type': type, 'content-security-policy': policy };
    response.writeHead(200, all).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
