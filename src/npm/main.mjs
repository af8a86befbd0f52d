/* Assembles the npm package in build/npm from src/js and build/wasm/gradlock.wasm:
 *
 *   index.js        the library in one file, gradlock.wasm inlined: sorted, deflated and in base64
 *   external.js     the same library, which fetches gradlock.wasm next to it
 *   workerd.js      the same, for Cloudflare, which compiles gradlock.wasm itself
 *   double.js       the library in double precision, gradlock.double.wasm inlined
 *   layers.js       models on an instance of any of these
 *   formats.js      models and weights from files and into files
 *   tfjs.js         optimizers and locks for TensorFlow.js, on an instance, too
 *   fit.js          fits of curves, on an instance, too
 *   grid.js         <gradlock-grid>, an element that needs no other file
 *   keep.js         trainings that outlive the tab or the process
 *   worker.js       training in a worker
 *   thread.js       the worker of init({ threads }), for pages that must start it themselves
 *   cli.js          the command `gradlock`: fits from the command line
 *   umd/            entries once more, each in one file, for `require` and classic scripts
 *   gradlock.wasm   the library's C, built by Emscripten
 *   types/          declarations, from the JSDoc; umd/ has them once more
 *   *.js.map        maps to the sources, which are in them
 *
 * It runs at build time only. Of src/js only table/, which the command has inside, uses another
 * package: d3-dsv. The same sources give the same bytes in any folder. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCommand, writeModule, writeUmd } from './bundle.mjs';
import { command, entries } from './entries.mjs';
import { manifest } from './manifest.mjs';
import { copyPages } from './pages.mjs';
import { source, target, wasm } from './places.mjs';
import { writeTypes } from './types.mjs';
import { banner } from './wrap.mjs';

/** @param {unknown} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
for (const entry of entries) {
  await writeModule(entry);
  await writeUmd(entry);
}
await writeCommand(command);
await writeFile(join(target, 'umd/package.json'), json({ type: 'commonjs' }));
const workerd = await readFile(join(source, 'workerd.js'), 'utf8');
await writeFile(join(target, 'workerd.js'), `${banner}\n${workerd}`);
await copyFile(wasm.single, join(target, 'gradlock.wasm'));
await writeTypes();
await copyPages();
// Written last, because make uses it as the sign that the package is complete.
await writeFile(join(target, 'package.json'), json(await manifest()));
