/* Assembles the npm package in build/npm from src/js and build/wasm/gradlock.wasm: each entry as an
 * ES module and, in umd/, for `require` and classic scripts; the command `gradlock`; workerd.js,
 * for Cloudflare, which compiles gradlock.wasm itself; declarations from the JSDoc, in types/; maps
 * to the sources, which are in them; and pages. docs/npm.md lists the entries.
 *
 * It runs at build time only. Of src/js only table/, which the command has inside, uses another
 * package: d3-dsv. The same sources give the same bytes in any folder. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCommand, writeModule, writeUmd } from './bundle.mjs';
import { command, entries } from './entries.mjs';
import { manifest } from './manifest.mjs';
import { packWasm } from './packed.mjs';
import { copyPages } from './pages.mjs';
import { source, target, wasm } from './paths.mjs';
import { emitTypes, writeTypes } from './types.mjs';
import { banner } from './wrap.mjs';

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
/** What is done beside the shortening of code, which is one thread's. */
const beside = async () => {
  await packWasm('single');
  await packWasm('double');
  await emitTypes();
};
await Promise.all([
  beside(),
  ...entries.flatMap((entry) => [writeModule(entry), writeUmd(entry)]),
  writeCommand(command),
]);
await writeFile(join(target, 'umd/package.json'), json({ type: 'commonjs' }));
const workerd = await readFile(join(source, 'workerd.js'), 'utf8');
await writeFile(join(target, 'workerd.js'), `${banner}\n${workerd}`);
await copyFile(wasm.single, join(target, 'gradlock.wasm'));
await writeTypes();
await copyPages();
// Written last, because make uses it as the sign that the package is complete.
await writeFile(join(target, 'package.json'), json(await manifest()));
