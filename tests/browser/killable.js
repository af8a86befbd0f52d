/* A Chromium that is killed whole, and started again with the same profile. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumOptions } from './chromium.js';
import { PATIENCE } from './lease.js';

/** A Chromium whose process is this one's, with a profile that outlives it. @param {string} profile */
const start = async (profile) => {
  const { executablePath, args } = chromiumOptions();
  const file = join(profile, 'DevToolsActivePort');
  rmSync(file, { force: true });
  const child = spawn(
    executablePath,
    [...args, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { detached: true, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const isComplete = () => existsSync(file) && readFileSync(file, 'utf8').split('\n').length > 1;
  while (!isComplete()) {
    assert.equal(child.exitCode, null, 'Chromium runs');
    await new Promise((done) => setTimeout(done, 20));
  }
  const [port] = readFileSync(file, 'utf8').split('\n');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: PATIENCE });
  const [context] = browser.contexts();
  const kill = async () => {
    process.kill(-Number(child.pid), 'SIGKILL'); // With all processes of its own.
    await ended;
  };
  return { page: /** @type {any} */ (await context?.newPage()), kill };
};

/**
 * Runs an act in such a browser. `restart` kills it, and returns the page of the next.
 * @param {(page: any, restart: () => Promise<any>) => Promise<void>} act
 */
export const whereKilled = async (act) => {
  const profile = mkdtempSync(join(tmpdir(), 'gradlock-killable-'));
  let browser = await start(profile);
  const restart = async () => {
    await browser.kill();
    browser = await start(profile);
    return browser.page;
  };
  try {
    await act(browser.page, restart);
  } finally {
    await browser.kill();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
};
