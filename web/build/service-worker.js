/**
 * The service worker of the site: a lesson continues without a network. Each version of the site
 * has a cache of its own, which is filled completely, each file with the hash that the build wrote,
 * or not at all. So a page never mixes versions: it begins with the newest complete one, and its
 * files, whose names contain their hashes, come from the cache that has them.
 */

/** Written by the build: the paths of all files, and their hashes. */
const FILES = /** @type {any} */ ('FILES');
const VERSION = 'VERSION';

const worker = /** @type {any} */ (globalThis);
const scope = worker.registration.scope;
/** Caches belong to an origin, which may have several such sites. */
const OURS = `gradlock ${scope} `;
const NAME = OURS + VERSION;
/** The number of versions that are kept. */
const KEPT = 2;

async function install() {
  const cache = await caches.open(NAME);
  try {
    await Promise.all(
      Object.entries(FILES).map(async ([path, integrity]) => {
        const response = await fetch(new URL(path, scope), { integrity, cache: 'no-cache' });
        if (!response.ok) throw new Error(`${path}: ${response.status}`);
        // Some hosts lead from index.html to the folder. Browsers refuse to open a page from an
        // answer that was redirected, so it is stored as one that was not.
        const { status, headers } = response;
        const body = await response.blob();
        await cache.put(new URL(path, scope), new Response(body, { status, headers }));
      }),
    );
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
  await worker.skipWaiting();
}

/** Deletes old versions, but the one before, whose pages may still be open. */
async function tidy() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
  // They are listed in the order in which they were made.
  for (const name of names.slice(0, 1 - KEPT)) await caches.delete(name);
}

/** Returns the path within the site; null for others. @param {string} address */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  const url = origin + pathname;
  if (!url.startsWith(scope)) return null;
  const path = url.slice(scope.length) || 'index.html';
  return path in FILES || path.startsWith('assets/') ? path : null;
}

/** @param {Request} request @param {string} path */
async function respond(request, path) {
  const url = new URL(path, scope).href;
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
  for (const name of [NAME, ...names.reverse()]) {
    const found = await (await caches.open(name)).match(url);
    if (found) return found;
  }
  return fetch(request);
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const path = request.method === 'GET' ? pathOf(request.url) : null;
  if (path !== null) event.respondWith(respond(request, path));
});
