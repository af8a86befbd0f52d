/** The runs of tests/js/digest-runs.js in a module worker. */

import { digest } from '../js/digest-runs.js';

addEventListener('message', async ({ data: { entry, runs } }) => {
  try {
    const { init } = await import(entry);
    postMessage(digest(await init(), runs));
  } catch (error) {
    postMessage(String(error));
  }
});
