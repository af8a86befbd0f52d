/** Runs shell commands as a reader would type them, in the repository's root. */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { run } from '../c/wasi.js';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Run commands, each only if those before it succeeded.
 * @param {string[]} commands
 * @param {Record<string, string>} [env]
 */
export const shell = (commands, env = {}) =>
  run('/bin/sh', {
    args: ['-ec', `cd '${root}'\n${commands.join('\n')}`],
    env: { PKG_CONFIG_PATH: '', LD_LIBRARY_PATH: '', ...env },
  });

/**
 * What commands print that must succeed, without a word of warning.
 * @param {string[]} commands
 * @param {Record<string, string>} [env]
 */
export async function printed(commands, env) {
  const { code, stdout, stderr } = await shell(commands, env);
  assert.equal(stderr, '');
  assert.equal(code, 0, stdout);
  return stdout;
}
