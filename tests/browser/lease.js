/**
 * Browsers that a whole run of tests shares: tests/run.mjs launches them, and each file takes one for as long as it needs it.
 * A file that is run alone launches its own. What asks for flags, preferences or a language gets a browser of its own, too.
 */

import { once } from 'node:events';
import { get } from 'node:http';

/** How long a driver waits for anything, in ms: it ends hangs, and no slow machine meets it. */
export const PATIENCE = 600_000;

/**
 * Take a browser: its address, and the function that gives it back. It comes back by itself when this process ends.
 * @param {'chromium' | 'firefox' | 'webkit'} engine
 * @returns {Promise<{ address: any, release: () => void } | null>} null where nobody lends any.
 */
export async function lease(engine) {
  const lender = process.env.GRADLOCK_BROWSERS;
  if (!lender) return null;
  const request = get(`${lender}/${engine}`, { agent: false });
  request.on('error', () => {}); // The lender ended, and the browser with it.
  const [response] = await once(request, 'response');
  const [data] = await once(response, 'data');
  response.on('error', () => {});
  response.socket.unref();
  return { address: JSON.parse(String(data)), release: () => request.destroy() };
}
