/**
 * Builds the demo as one file, build/gradlock-demo.html, and the page for teachers as another, build/gradlock-check.html.
 * They run from a disk or a stick, with no network and no server: page, styles, icon, engine, library and data, all
 * inlined. Runs at build time only.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { licencesOf } from './licences.mjs';
import { filePolicy } from './policy.mjs';
import { library } from './library.mjs';
import { lossTexts } from './loss-text.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** What is in the file. @type {Set<string>} */
const inputs = new Set();

/** @typedef {import('vite').Rolldown.OutputChunk | import('vite').Rolldown.OutputAsset} Made */

/** Bundles a script or a style sheet. @param {string} path @param {import('vite').Plugin[]} [plugins] */
async function bundle(path, plugins = []) {
  const made = await build({
    ...{ configFile: false, logLevel: 'warn', resolve: { alias: library }, plugins },
    // The library asks for it where there is no DecompressionStream; a browser has one.
    define: { 'import.meta.url': '"file:///"' },
    build: {
      ...{ write: false, target: 'es2022', cssCodeSplit: true },
      lib: { entry: at(path), formats: [path.endsWith('.css') ? 'es' : 'iife'], name: 'page' },
    },
  });
  const [{ output }] = /** @type {{ output: Made[] }[]} */ (made);
  const [file] = output;
  if (file.type === 'asset') return String(file.source);
  for (const id of file.moduleIds) inputs.add(id);
  return file.code;
}

/** Starts the engine from a text. @param {string} code @returns {import('vite').Plugin} */
const inlineEngine = (code) => ({
  name: 'inline-engine',
  load: (id) =>
    id.endsWith('/engine/spawn.js')
      ? `const code = ${JSON.stringify(code)};
        export const spawn = () =>
          new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));`
      : null,
});

/** Nothing in a script may end it. @param {string} code */
const inScript = (code) => code.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

const icon = await readFile(at('public/icon.svg'), 'base64');
const engine = inlineEngine(await bundle('engine/worker.js', [lossTexts()]));

/** @param {string} name of the page @param {string} entry its script @param {string} to the file */
async function makeFile(name, entry, to) {
  const page = await readFile(at(name), 'utf8');
  const styles = page.matchAll(/<link rel="stylesheet" href="\.\/(.+?)">/g);
  const css = (await Promise.all(Array.from(styles, ([, path]) => bundle(path)))).join('');
  const code = inScript(await bundle(entry, [engine]));
  const licences = licencesOf(inputs).replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const html = page
    .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
    .replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="data:image/svg+xml;base64,${icon}">`)
    // The reference is a site of its own.
    .replace(/<p id="reference".*?<\/p>/, '')
    .replace(
      /<p id="licences".*?<\/p>/,
      () =>
        `<details id="licences" class="licences note"><summary>Licences</summary><pre tabindex="0">${licences}</pre></details>`,
    )
    // Nothing is left to be loaded.
    .replace(/\s*<div id="unstarted".*?<\/div>/s, '')
    .replace(/\s*<script [^>]*><\/script>/g, '')
    .replace('<title>', () => `${filePolicy(code, css)}\n    <title>`)
    .replace('</head>', () => `  <style>${css}</style>\n  </head>`)
    .replace('</body>', () => `  <script>${code}</script>\n  </body>`);
  await writeFile(at(`../build/${to}`), html);
}

await makeFile('index.html', 'app/main.js', 'gradlock-demo.html');
await makeFile('check.html', 'app/teach.js', 'gradlock-check.html');
