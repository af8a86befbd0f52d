/**
 * Drives the system's WebKitGTK, whose engine is Safari's, by its own driver and the protocol of
 * https://www.w3.org/TR/webdriver2: a dozen commands over HTTP, too few for a package. It needs a
 * screen, which Xvfb is.
 *
 * Every launch has a screen, a port and a home of its own, so that tests may run side by side. The
 * programs end when this process does, however it ends: each runs in a group that dies with the
 * pipe that leads here.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find.js';
import { lease, PATIENCE } from './lease.js';
import { WebKitPage } from './webkit-page.js';

/** Runs a program until it ends or standard input does, then ends its whole group and removes a folder. */
const KEEPER = `folder=$1
shift
trap : TERM
{ "$@"; kill 0; } </dev/null &
cat >/dev/null
kill 0
wait
rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }`;
const SCREEN = { width: 1440, height: 1024 };
/** In ms. A command gives up after the script in it. */
const LIMITS = { load: PATIENCE, script: PATIENCE, command: PATIENCE + 10_000 };

/** @typedef {(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<any>} Send */
/** @typedef {ReturnType<typeof keep>} Kept */

/** The driver, which knows its browser, and the screen. */
export const findWebKit = () => ({
  driver: find('WebKitWebDriver', process.env.WEBKIT_DRIVER_PATH),
  screen: find('Xvfb'),
});

/** @param {string} name @param {string | undefined} [given] */
function find(name, given) {
  const found = findProgram(given, [name]);
  if (found) return found;
  throw new Error(
    `No ${name} found to test in WebKit. Install it (Debian, Ubuntu: apt-get install webkit2gtk-driver xvfb), ` +
      'or put it on the PATH. It is for Linux.',
  );
}

/** @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv & { HOME: string }} env */
function keep(program, args, env) {
  const keeper = ['-c', KEEPER, 'keeper', env.HOME, program, ...args];
  const child = spawn('/bin/sh', keeper, { detached: true, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = (output + data).slice(-4000);
    });
  }
  child.stdin.on('error', () => {}); // It may have ended first.
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return {
    program,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    async end() {
      child.stdin.end();
      await inTime(PATIENCE, ended, `${program} ends`);
    },
  };
}

/** @template T @param {number} limit in ms @param {Promise<T>} promise @param {string} what */
async function inTime(limit, promise, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limit} ms: ${what}`)), limit);
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** What `look` finds, asked until it finds something. @template T @param {Kept} kept @param {() => T} look */
async function answerOf(kept, look) {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (!kept.isRunning() || performance.now() > end) {
      throw new Error(`${kept.program} did not start. It printed: ${kept.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** @param {number} port @returns {Send} */
const sender = (port) => async (method, path, body) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(LIMITS.command),
  });
  const { value } = /** @type {any} */ (await response.json());
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
};

/** A driver on a port that is free. @param {string} program @param {number} display @param {NodeJS.ProcessEnv & { HOME: string }} env */
async function startDriver(program, display, env) {
  // No two screens have one number, and clients' sockets get ports above 32767.
  for (let port = 20_000 + 8 * (display % 1500), last = port + 7; ; port++) {
    const driver = keep(program, [`--port=${port}`], env);
    const send = sender(port);
    try {
      await answerOf(driver, () => send('GET', '/status').catch(() => null));
      return { driver, send, port };
    } catch (error) {
      await driver.end();
      if (port === last) throw error;
    }
  }
}

/** @typedef {{ port: number, session: string, first: string }} Address */

/** What begins and ends a WebKit. @param {string} locale */
async function start(locale) {
  const programs = findWebKit();
  const home = mkdtempSync(join(tmpdir(), 'gradlock-webkit-'));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    LANG: locale,
    // Neither a desktop's settings nor its bus.
    GSETTINGS_BACKEND: 'memory',
    GIO_USE_VFS: 'local',
    NO_AT_BRIDGE: '1',
  };
  const args = [
    '-displayfd',
    '1',
    '-screen',
    '0',
    `${SCREEN.width}x${SCREEN.height}x24`,
    '-nolisten',
    'tcp',
  ];
  const kept = [keep(programs.screen, args, env)];
  const endAll = async () => {
    for (const each of kept.reverse()) await each.end();
  };
  try {
    const [screen] = kept;
    const display = Number(await answerOf(screen, () => screen.output().match(/^\d+(?=\n)/m)?.[0]));
    const { driver, send, port } = await startDriver(programs.driver, display, {
      ...env,
      DISPLAY: `:${display}`,
    });
    kept.push(driver);
    const { sessionId } = await send('POST', '/session', {
      capabilities: {
        alwaysMatch: { timeouts: { script: LIMITS.script, pageLoad: LIMITS.load } },
      },
    });
    const first = await send('GET', `/session/${sessionId}/window`);
    /** @type {Address} */
    const address = { port, session: sessionId, first };
    return { address, isAlive: () => kept.every((each) => each.isRunning()), end: endAll };
  } catch (error) {
    await endAll();
    throw error;
  }
}

/**
 * A WebKit; call `close` on what it gives. It is the one of the run of tests, unless a language is asked for.
 * @param {{ locale?: string }} [options] The environment's, as LANG says it; `C` is American English.
 */
export async function launchWebKit({ locale = 'C' } = {}) {
  const lent = locale === 'C' ? await lease('webkit') : null;
  if (lent) return new WebKit(lent.address, async () => lent.release());
  const { address, end } = await start(locale);
  return new WebKit(address, end);
}

export class WebKit {
  /** Starts one, which outlives those who use it. */
  static start = () => start('C');

  /** @type {Send} */
  #send;
  #end;
  /** The first window, which stays: a session ends with its last. */
  #first;
  /** The window that commands go to, and the last of them: they are one after the other. */
  #current;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {WebKitPage[]} */
  #spare = [];

  /** @param {Address} address @param {() => Promise<void>} end */
  constructor({ port, session, first }, end) {
    const send = sender(port);
    this.#send = (method, path, body) => send(method, `/session/${session}${path}`, body);
    this.#first = first;
    this.#current = first;
    this.#end = end;
  }

  /**
   * A window of its own: a tab behind another draws nothing, and never answers the mouse. Windows
   * of closed pages are taken again, which starts no process.
   */
  async newPage() {
    const spare = this.#spare.pop();
    if (spare) return spare;
    const { handle } = await this.#to(this.#first)('POST', '/window/new', { type: 'window' });
    const send = this.#to(handle);
    await send('POST', '/window/rect', { x: 0, y: 0, ...SCREEN });
    const page = new WebKitPage(send, () => this.#spare.push(page));
    return page;
  }

  /** Close its windows but the first, and end the browser, its driver and its screen, or give it back. */
  async close() {
    for (const handle of await this.#send('GET', '/window/handles')) {
      if (handle !== this.#first) await this.#to(handle)('DELETE', '/window');
    }
    await this.#to(this.#first)('GET', '/url');
    await this.#end();
  }

  /** Commands to one window. @param {string} handle @returns {Send} */
  #to(handle) {
    return (method, path, body) => {
      const result = this.#last.then(async () => {
        if (this.#current !== handle) await this.#send('POST', '/window', { handle });
        this.#current = handle;
        return this.#send(method, path, body);
      });
      this.#last = result.catch(() => {});
      return result;
    };
  }
}
