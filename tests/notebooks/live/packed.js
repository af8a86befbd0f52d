/* Small projects that depend on the published package, installed with the packed build/npm. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../../consumers/kit/place.js';
import { run } from '../../consumers/kit/commands.js';
import { root } from './hosts.js';

/** @param {string} folder @param {string} command @param {string[]} args */
export async function runIn(folder, command, args) {
  const { code, output } = await run(command, args, { cwd: folder });
  if (code !== 0)
    throw new CommandError(`${command} ${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}

/**
 * Make a project in a fresh folder and install what its package.json says, gradlock from build/npm.
 * @param {(folder: string) => void} fill
 */
export async function project(fill) {
  const folder = mkdtempSync(join(tmpdir(), 'gradlock-project-'));
  fill(folder);
  const pack = ['pack', join(root, 'build/npm'), '--pack-destination', folder, '--silent'];
  const tarball = (await runIn(folder, 'npm', pack)).trim();
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (manifest.dependencies.gradlock !== version) {
    throw new Error(`the project depends on ${manifest.dependencies.gradlock}, not on ${version}`);
  }
  manifest.dependencies.gradlock = `file:./${tarball}`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await runIn(folder, 'npm', ['install', ...quiet]);
  return { folder, end: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
