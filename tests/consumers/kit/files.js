/* A server of files, on this machine only: what a plain host does, with the headers that a page is
 * tried under. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/**
 * @typedef {object} Host
 * @property {Record<string, string>} [headers] Of every answer.
 * @property {Record<string, string>} [types] By file endings, instead of the usual ones.
 */

/**
 * Serve a folder. A folder's address is its index.html, anything unknown is a 404.
 * @param {string} folder
 * @param {Host} [host]
 */
export async function serveFiles(folder, { headers = {}, types = {} } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const path = join(folder, decodeURIComponent(pathname.replace(/\/$/, '/index.html')));
    const body = path.startsWith(folder + sep) ? await readFile(path).catch(() => null) : null;
    if (pathname === '/favicon.ico') response.writeHead(204).end();
    else if (!body) response.writeHead(404).end();
    else {
      const type = { ...TYPES, ...types }[extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
