/* Bun, where there is one to test in. */
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../browser/find.js';

/** npm's, which comes for Linux on x64 alone, or one that is installed. */
export const findBun = () => {
  const packaged = fileURLToPath(
    new URL('../../node_modules/@oven/bun-linux-x64/bin/bun', import.meta.url),
  );
  try {
    accessSync(packaged, constants.X_OK);
    return packaged;
  } catch {
    return findProgram(process.env.BUN_PATH, ['bun']);
  }
};
