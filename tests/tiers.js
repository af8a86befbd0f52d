/**
 * Which test files run in which tier, and how often.
 *
 * A file's folder says its tier, unless its first line does: "Tier: test" or "Tier: all". "Precisions: f32, f64" there
 * makes the tier "all" run it in f64, too, on 'gradlock/double' (condition "double" of package.json); "of" and a regular
 * expression behind it select the tests for that. Files of tests/engines run in the tier "test" in Chromium alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const TIERS = ['quick', 'test', 'all'];

/** Tiers of folders; and seconds of a file of it, a guess until a run has measured. @type {Record<string, [string, number]>} */
const FOLDERS = {
  c: ['quick', 100],
  js: ['quick', 3],
  web: ['quick', 2],
  browser: ['test', 20],
  hostile: ['all', 40],
  consumers: ['all', 30],
  engines: ['test', 60],
  examples: ['all', 30],
  fuzz: ['all', 30],
  notebooks: ['all', 10],
  port: ['all', 10],
  pretrained: ['all', 10],
};

/**
 * @typedef {object} Job
 * @property {string} name
 * @property {string} folder
 * @property {string} file from the root of the repository
 * @property {string[]} options of Node.js
 * @property {Record<string, string>} env
 * @property {number} weight
 */

/** Such as "Tier: test. Precisions: f32, f64 of ^law" in a comment of its own. */
const LINE = /^\/\* (?:Tier: (\w+)\.? ?)?(?:Precisions: (f32, f64)(?: of (.+))?\.)? ?\*\/$/;

/** What a file says of itself in its first line. @param {string} file */
export function headOf(file) {
  const [line] = readFileSync(root + file, 'utf8').split('\n', 1);
  const found = LINE.exec(line);
  const [, tier, precisions, pattern] = found ?? [];
  const isMeant = /^\/\* (Tier|Precisions)\b/.test(line);
  if (isMeant && (!found || (tier && !TIERS.includes(tier)))) throw Error(`${file}: ${line}`);
  return { tier, isDouble: precisions !== undefined, pattern };
}

/** @param {string} file @returns {string} The tier in which a file runs first. */
export function tierOf(file) {
  const { tier = FOLDERS[file.split('/')[1]]?.[0] } = headOf(file);
  if (!tier) throw Error(`${file}: its folder has no tier in tests/tiers.js`);
  return tier;
}

/** @param {string} file @param {string} tier @returns {Job[]} */
function jobsOfFile(file, tier) {
  const folder = file.split('/')[1];
  const weight = FOLDERS[folder]?.[1] ?? 1;
  const options = tier === 'quick' ? ['--conditions=source'] : [];
  /** @type {Record<string, string>} */
  const env = tier === 'all' ? { TIER: tier } : { TIER: tier, ENGINES: 'Chromium' };
  const job = { name: file, folder, file, options, env, weight };
  const { isDouble, pattern } = headOf(file);
  if (tier !== 'all' || !isDouble) return [job];
  const selected = pattern ? [`--test-name-pattern=${pattern}`] : [];
  const double = ['--conditions=double', ...selected];
  return [job, { ...job, name: `${file} in f64`, folder: 'f64', options: double }];
}

/** @returns {string[]} Every test file, from the root of the repository. */
export const filesOfTests = () =>
  readdirSync(`${root}tests`, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(`${root}tests/${name}`).map((file) => `tests/${name}/${file}`),
    )
    .filter((file) => file.endsWith('.test.js'))
    .sort();

/**
 * The processes of a run.
 * @param {string[]} given a tier, and folders if not all; or files, which run as in the tier TIER, "test" by default
 * @returns {Job[]}
 */
export function jobsOf(given) {
  const [tier, ...folders] = given;
  if (!TIERS.includes(tier)) {
    const files = given.map((file) => relative(root, file));
    return files.flatMap((file) => jobsOfFile(file, process.env.TIER ?? 'test'));
  }
  const unknown = folders.filter((folder) => !(folder in FOLDERS));
  if (unknown.length > 0) throw Error(`no tests in ${unknown}; known: ${Object.keys(FOLDERS)}`);
  const files = filesOfTests()
    .filter((file) => folders.length === 0 || folders.includes(file.split('/')[1]))
    .filter((file) => TIERS.indexOf(tierOf(file)) <= TIERS.indexOf(tier));
  return files.flatMap((file) => jobsOfFile(file, tier));
}
