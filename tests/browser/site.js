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

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
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

/** The built demo. */
export const serveSite = () => serveFolder(new URL('../../build/site/', import.meta.url));

/** @param {URL} root @param {string} [policy] @returns {Promise<{ url: string, close: () => void }>} */
export async function serveFolder(root, policy = POLICY) {
  const folder = fileURLToPath(root);
  const server = createServer(async (request, response) => {
    const file = fileOf(folder, request.url ?? '/');
    const body = file && (await readFile(file).catch(() => null));
    if (!file || !body) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
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
