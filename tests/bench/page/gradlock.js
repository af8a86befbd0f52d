// The library for the rows of a page, on as many threads as are asked for.
import { init as start } from 'gradlock';

export * from 'gradlock';

/** @type {typeof start} */
export const init = (options) =>
  start({ threads: Reflect.get(globalThis, 'gradlockThreads'), ...options });
