/* Installs the packed package as its users do, into fresh folders, and runs cells of the table. All
 * of it lies in one temporary folder, which goes at the end. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { browsers } from './browsers.js';
import { run, stopAll } from './commands.js';
import { judge, linesOf } from './judge.js';
import { CommandError, Project } from './project.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** @typedef {import('../consumers.js').Consumer} Consumer */
/** @typedef {import('../consumers.js').Cell} Cell */
/** @typedef {import('./project.js').Entry} Entry */
/** @typedef {import('./judge.js').Verdict} Verdict */

/** Packages by keys of versions.json. @type {Record<string, Record<string, string>>} */
export const versions = JSON.parse(
  readFileSync(new URL('../versions.json', import.meta.url), 'utf8'),
);

/** @type {readonly Entry[]} */
export const ENTRIES = ['gradlock', 'gradlock/external'];

/**
 * What was seen in one cell.
 * @typedef {Verdict & { consumer: string, cell: string, entry: Entry }} Result
 */

/** Packages with programs have the platform in their names. @param {string} key */
const packagesOf = (key) =>
  Object.entries(versions[key] ?? {}).map(([name, version]) => [
    name.replace('linux-x64', `${process.platform}-${process.arch}`),
    version,
  ]);

export class Bench {
  #browsers = browsers();
  /** @type {Map<string, Promise<string>>} */
  #nodes = new Map();
  /** What the program prints everywhere. */
  bits = '';

  /**
   * @param {object} [options]
   * @param {string} [options.tarball] The package; without it build/npm is packed.
   * @param {boolean} [options.quick] Take tools from the repository, and nothing from a registry.
   * @param {string} [options.cache] npm's cache, which is kept; without it, it goes at the end.
   */
  constructor({ tarball, quick = false, cache } = {}) {
    this.quick = quick;
    this.folder = mkdtempSync(join(tmpdir(), 'gradlock-consumers-'));
    this.cache = cache ? resolve(cache) : quick ? undefined : join(this.folder, 'cache');
    this.tarball = tarball ? resolve(tarball) : this.#pack();
  }

  #pack() {
    const args = ['pack', join(root, 'build/npm'), '--pack-destination', this.folder, '--silent'];
    return join(this.folder, execFileSync('npm', args, { encoding: 'utf8' }).trim());
  }

  /** Find out what the program prints, by `import` in the Node.js that runs this. */
  async open() {
    const path = await this.install('reference', []);
    const project = this.#project(path, 'gradlock', []);
    project.template('node');
    const printed = await project.prints(process.execPath, ['main.mjs']);
    this.bits = linesOf(printed[0])[0] ?? '';
    if (!this.bits) throw new Error(`the program printed ${printed}`);
  }

  /** @param {string} path @param {Entry} entry @param {string[]} bins */
  #project(path, entry, bins) {
    return new Project({ path, entry, bins, bits: this.bits, browsers: this.#browsers });
  }

  /**
   * Install packages beside the package into a new folder.
   * @param {string} name @param {string[][]} packages Names and versions.
   * @param {string[]} [bins] Where the Node.js that it is done with lies.
   */
  async install(name, packages, bins = []) {
    const path = mkdtempSync(join(this.folder, `${name.replace(/\W+/g, '-')}-`));
    const dependencies = Object.fromEntries([['gradlock', `file:${this.tarball}`], ...packages]);
    writeFileSync(join(path, 'package.json'), JSON.stringify({ private: true, dependencies }));
    const cache = this.cache ? ['--cache', this.cache] : [];
    const source = this.quick ? '--offline' : '--prefer-offline';
    const args = ['install', source, '--no-audit', '--no-fund', '--loglevel=error', ...cache];
    const PATH = [...bins, process.env.PATH].join(delimiter);
    const { code, output } = await run('npm', args, { cwd: path, env: { PATH } });
    if (code !== 0) throw new CommandError(`npm install ended with ${code}:\n${output}`);
    return path;
  }

  /** The folder of a version of Node.js. @param {string} key @returns {Promise<string>} */
  #node(key) {
    if (key === 'host') return Promise.resolve(dirname(process.execPath));
    let found = this.#nodes.get(key);
    if (!found) {
      const packages = packagesOf(key);
      found = this.install(key, packages).then((path) =>
        join(path, 'node_modules', packages[0][0], 'bin'),
      );
      this.#nodes.set(key, found);
    }
    return found;
  }

  /**
   * Run the cells of a consumer, one after the other, for each entry.
   * @param {Consumer} consumer
   * @param {(cell: Cell) => boolean} isAsked
   * @param {(result: Result) => void} report
   */
  async run(consumer, isAsked, report) {
    const cells = consumer.cells.filter(isAsked);
    const bins = [await this.#node(this.quick ? 'host' : (consumer.node ?? 'node24'))];
    const packages = this.quick || !consumer.versions ? [] : packagesOf(consumer.versions);
    const path = await this.install(consumer.name, packages, bins);
    if (this.quick) bins.push(join(root, 'node_modules/.bin'));
    for (const entry of ENTRIES) {
      const project = this.#project(path, entry, bins);
      for (const cell of cells) {
        const expected = entry === 'gradlock' ? cell.inlined : cell.external;
        if (expected === null) continue;
        const printed = await cell.run(project).catch((error) => [messageOf(error)]);
        const seen = { printed, complaints: project.end() };
        const verdict = judge(expected, seen, this.bits);
        report({ ...verdict, consumer: consumer.name, cell: cell.name, entry });
      }
    }
    rmSync(path, { recursive: true, force: true });
  }

  async close() {
    stopAll();
    await this.#browsers.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {unknown} error */
const messageOf = (error) =>
  error instanceof CommandError
    ? error.message
    : error instanceof Error
      ? `${error.stack}`
      : `${error}`;
