/* A fresh folder with the package and a consumer in it, and what a cell of the table does there. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { textOf } from './browsers.js';
import { run, serve } from './commands.js';
import { serveFiles } from './files.js';
import { linesOf } from './judge.js';

const here = new URL('../', import.meta.url);
const TEMPLATES = fileURLToPath(new URL('templates/', here));
const PROGRAM = readFileSync(new URL('program.js', here), 'utf8');

/** @typedef {'gradlock' | 'gradlock/external'} Entry */
/** @typedef {import('./browsers.js').Opened} Opened */

/** Of each line that a tool prints. */
const WARNING = /\bwarn(ing)?s?\b|⚠/i;

/** What is a program's text, and may name the entry. */
const TEXTS = new Set(['.js', '.mjs', '.cjs', '.ts', '.jsx', '.html']);

/** A command that failed, with its output. */
export class CommandError extends Error {}

export class Project {
  /** @type {string[]} what tools and consoles complained about */
  complaints = [];
  /** @type {(() => unknown)[]} */
  #ends = [];
  /** @type {{ key: string, complaints: string[], error?: unknown } | undefined} */
  #ready;

  /**
   * @param {object} given
   * @param {string} given.path The folder that the package is installed in.
   * @param {Entry} given.entry
   * @param {string[]} given.bins Folders of programs, first ones first.
   * @param {string} given.bits What the program prints everywhere.
   * @param {ReturnType<typeof import('./browsers.js').browsers>} given.browsers
   */
  constructor({ path, entry, bins, bits, browsers }) {
    this.path = path;
    this.entry = entry;
    this.bins = bins;
    this.bits = bits;
    this.browsers = browsers;
  }

  /** @param {...string} names */
  at(...names) {
    return join(this.path, ...names);
  }

  /** @param {string} name @param {string} text */
  write(name, text) {
    mkdirSync(join(this.at(name), '..'), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  /** @param {string} name */
  read(name) {
    return readFileSync(this.at(name), 'utf8');
  }

  /**
   * Empty the folder of everything but what npm put there, and copy a template into it, with the
   * entry instead of `gradlock`, and the program beside it in each of its forms.
   * @param {string} name
   * @param {{ folder?: string, type?: 'module' | 'commonjs' }} [options] `folder`: where the
   *   program goes. `type`: what a file of JavaScript is.
   */
  template(name, { folder = '.', type = 'module' } = {}) {
    this.#ready = undefined;
    this.write('package.json', JSON.stringify({ ...JSON.parse(this.read('package.json')), type }));
    for (const old of readdirSync(this.path)) {
      if (!/^(node_modules|package(-lock)?\.json)$/.test(old)) {
        rmSync(this.at(old), { recursive: true, force: true });
      }
    }
    this.overlay(name);
    const plain = PROGRAM.replace('export ', '');
    this.write(join(folder, 'program.js'), PROGRAM);
    this.write(join(folder, 'program.d.ts'), this.#withEntry(DECLARATION));
    this.write(join(folder, 'program.cjs'), `${plain}\nmodule.exports = { program };\n`);
    this.write(join(folder, 'program.classic.js'), plain);
  }

  /**
   * Do what several cells in a row begin with, such as a build, once.
   * @param {string} key
   * @param {() => Promise<unknown>} make
   */
  async once(key, make) {
    if (this.#ready?.key === key) {
      if (this.#ready.error) throw this.#ready.error;
      this.complaints.push(...this.#ready.complaints);
      return;
    }
    try {
      await make();
      this.#ready = { key, complaints: [...this.complaints] };
    } catch (error) {
      this.#ready = { key, complaints: [], error };
      throw error;
    }
  }

  /** Copy a template over what is there, with the entry instead of `gradlock`. @param {string} name */
  overlay(name) {
    cpSync(join(TEMPLATES, name), this.path, { recursive: true });
    for (const file of readdirSync(join(TEMPLATES, name), { recursive: true })) {
      const path = this.at(String(file));
      if (!TEXTS.has(extname(path)) || statSync(path).isDirectory()) continue;
      writeFileSync(path, this.#withEntry(readFileSync(path, 'utf8')));
    }
  }

  /** @param {string} text */
  #withEntry(text) {
    if (this.entry === 'gradlock') return text;
    return text
      .replace(/(from |import\(|require\()'gradlock'/g, "$1'gradlock/external'")
      .replace(/(gradlock\/)index\.js|(gradlock\/umd\/)gradlock\.js/g, '$1$2external.js');
  }

  /** @param {Record<string, string | undefined>} [env] */
  #options(env) {
    const PATH = [this.at('node_modules/.bin'), ...this.bins, process.env.PATH].join(delimiter);
    return { cwd: this.path, env: { PATH, ...env } };
  }

  /** A program of the consumer's, or of the tools'. @param {string} command */
  #find(command) {
    const folders = [this.at('node_modules/.bin'), ...this.bins];
    return folders.map((bin) => join(bin, command)).find((path) => existsSync(path)) ?? command;
  }

  /**
   * Run a tool. Its warnings are complaints; if it fails, that is a CommandError.
   * @param {string} command
   * @param {readonly string[]} args
   * @param {{ env?: Record<string, string | undefined>, noise?: RegExp }} [options] `noise`:
   *   lines that are no complaints, since they are not about the package.
   */
  async run(command, args, { env, noise } = {}) {
    const { code, output } = await run(this.#find(command), args, this.#options(env));
    if (code !== 0) throw new CommandError(`${command} ended with ${code}:\n${output}`);
    this.#complain(output, noise);
    return output;
  }

  /** @param {string} output @param {RegExp} [noise] */
  #complain(output, noise) {
    const lines = output.split('\n').filter((line) => WARNING.test(line) && !noise?.test(line));
    this.complaints.push(...lines.map((line) => line.trim()));
  }

  /**
   * Run the program, by a tool: what it printed.
   * @param {string} command @param {readonly string[]} args
   * @param {Parameters<Project['run']>[2]} [options]
   */
  async prints(command, args, options) {
    const output = await this.run(command, args, options);
    const lines = linesOf(output);
    return lines.length > 0 ? lines : [output];
  }

  /**
   * Run the program from a copy of a folder that lies elsewhere, where it finds no packages.
   * @param {string} folder @param {string} command @param {readonly string[]} args
   * @param {'module' | 'commonjs'} [type] What a file of JavaScript is.
   */
  async printsApart(folder, command, args, type = 'module') {
    const apart = mkdtempSync(join(tmpdir(), 'gradlock-apart-'));
    try {
      cpSync(this.at(folder), apart, { recursive: true });
      writeFileSync(join(apart, 'package.json'), JSON.stringify({ type }));
      const { output } = await run(this.#find(command), args, { ...this.#options(), cwd: apart });
      const lines = linesOf(output);
      return lines.length > 0 ? lines : [output];
    } finally {
      rmSync(apart, { recursive: true, force: true });
    }
  }

  /**
   * Change a file whose page is open, and wait until the page has printed once more.
   * @param {string} name @param {import('./browsers.js').Page} page
   */
  async edited(name, page) {
    const before = linesOf(await textOf(page, () => true)).length;
    this.write(name, `${this.read(name)}\n// Edited.\n`);
    const text = await textOf(page, (seen) => linesOf(seen).length > before);
    const lines = linesOf(text);
    // A page that was loaded anew has forgotten the first line.
    return lines.length === before + 1 ? lines.slice(before) : [`after an edit: ${text}`];
  }

  /**
   * Start a tool that serves, for as long as the cell lasts.
   * @param {string} command @param {readonly string[]} args
   * @param {{ says?: RegExp, env?: Record<string, string | undefined>, noise?: RegExp }} [options]
   */
  async start(command, args, { says, env, noise } = {}) {
    const pattern = says ?? /http:\/\/(?:localhost|127\.0\.0\.1|\[::1?\]|0\.0\.0\.0):\d+/;
    const server = await serve(this.#find(command), args, this.#options(env), pattern);
    this.#ends.push(() => {
      server.stop();
      this.#complain(server.output(), noise);
    });
    return server.url;
  }

  /**
   * Serve a folder's files, for as long as the cell lasts.
   * @param {string} [folder]
   * @param {import('./files.js').Host} [host]
   */
  async serve(folder = '.', host) {
    const server = await serveFiles(this.at(folder).replace(/[\\/.]+$/, ''), host);
    this.#ends.push(server.stop);
    return server.url;
  }

  /**
   * Open a page in both browsers, one after the other, and wait for what the program prints.
   * @param {string} url
   * @param {{ count?: number, complains?: boolean, after?: (opened: Opened) => Promise<string[]> }} [options]
   *   `count`: how often the program runs in it. `complains`: its console may, since the page does
   *   what is forbidden. `after`: what else is done with the page, for further lines.
   */
  async page(url, { count = 1, complains = false, after } = {}) {
    const printed = [];
    for (const browser of await this.browsers.open()) {
      const opened = await browser.open();
      try {
        await opened.page.goto(url);
        const isDone = (/** @type {string} */ seen) => linesOf(seen).length >= count;
        const text = await textOf(opened.page, isDone, () => opened.hasFailed);
        const lines = linesOf(text);
        if (lines.length < count) {
          const reason = text.trim() || opened.complaints.join('\n') || 'an empty page';
          printed.push(`${opened.name}: ${reason}`);
        } else printed.push(...lines, ...((await after?.(opened)) ?? []));
        if (!complains) this.complaints.push(...opened.complaints);
      } finally {
        await opened.page.close();
      }
    }
    return printed;
  }

  /** Stop what the cell started, and say what was complained about. */
  end() {
    for (const end of this.#ends.splice(0)) end();
    return this.complaints.splice(0);
  }
}

/** For TypeScript, which is not told to read JavaScript. */
const DECLARATION = `export function program(
  init: typeof import('gradlock').init,
  layers: typeof import('gradlock/layers').layers,
): Promise<string>;
`;
