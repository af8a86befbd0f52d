/* Does all of a release that needs no account: `make release VERSION=x`. It compares the version,
 * the changelog and the tag, builds the commit again in another folder and compares every byte,
 * uses the package in an empty project, and packs. Then it says what is left to type. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** @param {string} text */
const say = (text) => console.log(`release: ${text}`);

/** @param {boolean} holds @param {string} otherwise */
function check(holds, otherwise) {
  if (holds) return;
  console.error(`release: ${otherwise}`);
  process.exit(1);
}

/** @param {string} cwd @param {string} command @param {string[]} args @param {object} [env] */
const run = (cwd, command, args, env = {}) =>
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  }).trim();

/** @param {...string} args */
const git = (...args) => run(root, 'git', args);

/** Stands in README.md until there is an address. */
const BADGES = '<!-- badges -->';

/** @param {string[]} parts The address of the sources, its owner, and its name. */
const badgesOf = ([, address, owner, name]) => {
  const tests = `${address}/actions/workflows/test.yml`;
  const pages = `https://${owner}.github.io/${name}/`;
  return `[![Tests](${tests}/badge.svg)](${tests}) [Demo](${pages}) · [Reference](${pages}docs/)`;
};

/** Files below a folder, with the hashes of what is in them. @param {string} folder */
const hashesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((path) => {
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      return `${hash}  ${path.slice(folder.length + 1)}`;
    })
    .sort();

const version = process.argv[2] ?? '';
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
check(/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version), `VERSION is '${version}', not like 1.2.3`);
check(version === manifest.version, `package.json says ${manifest.version}, not ${version}`);
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version} `)) ?? '';
check(heading !== '', `CHANGELOG.md has no section '## ${version} (date)'`);
check(/\(\d{4}-\d{2}-\d{2}\)$/.test(heading), `CHANGELOG.md says '${heading}': give it the date`);
check(git('status', '--porcelain') === '', 'there are changes that are not committed');
const head = git('rev-parse', 'HEAD');
const tag = git('tag', '--list', `v${version}`);
check(
  tag === '' || git('rev-list', '-n', '1', tag) === head,
  `the tag ${tag} is not at this commit, ${head.slice(0, 8)}`,
);
const url = /^(?:git\+)?(https:\/\/[^/]+\/([^/]+)\/(.+?))(?:\.git)?$/.exec(
  manifest.repository?.url,
);
check(
  url !== null,
  'package.json has no "repository" with the "url" of the sources: npm asks for it',
);
const readme = readFileSync(join(root, 'README.md'), 'utf8');
if (readme.includes(BADGES)) {
  writeFileSync(join(root, 'README.md'), readme.replace(BADGES, badgesOf(url ?? [])));
  check(false, 'README.md has badges and addresses now: commit it, and run this again');
}

const scratch = mkdtempSync(join(tmpdir(), 'gradlock-release-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const folder = join(scratch, 'another name, with blanks');
say(`builds ${head.slice(0, 8)} in ${folder}`);
run(scratch, 'git', ['clone', '--quiet', root, folder]);
run(folder, 'make', ['build'], { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8' });
const [here, there] = [root, folder].map((top) => hashesOf(join(top, 'build/npm')));
const differing = [...here, ...there].filter(
  (line) => !here.includes(line) || !there.includes(line),
);
check(differing.length === 0, `two builds differ: ${differing.join(', ')}`);
say(`${here.length} files are the same in both folders, to the byte`);

run(root, process.execPath, ['--test', 'tests/js/package.test.js']);
say('import, require and types work in an empty project, and a model trains');
run(root, 'npm', ['pack', './build/npm', '--pack-destination', 'build']);

say('left to type:');
if (tag === '') console.log(`  git tag v${version} && git push origin v${version}`);
console.log(
  `  make publish VERSION=${version}    (or the workflow release.yml, which the tag starts)`,
);
