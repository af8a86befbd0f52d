/**
 * Builds the demo as one file, build/gradlock-demo.html, and the page for teachers as another, build/gradlock-check.html.
 * They run from a disk or a stick, with no network and no server: page, styles, icon, engine, library and data, all
 * inlined. Runs at build time only.
 */

import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licencesOf } from './licences.mjs';
import { filePolicy } from './policy.mjs';
import { attachTexts, isScene } from './loss-text.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A file of every scene: what import.meta.glob finds for Vite. @param {string} name */
function filesOfScenes(name) {
  const ids = readdirSync(at('scenes')).filter((id) => existsSync(at(`scenes/${id}/${name}`)));
  const paths = ids.map((id) => `./${id}/${name}`);
  const imports = paths.map((path, i) => `import * as file${i} from '${path}';`).join('\n');
  return `${imports}\nexport const files = { ${paths.map((path, i) => `'${path}': file${i}`)} };`;
}

/** What Vite does for the site: the library by its name, files as text, scenes by their folders. @type {import('esbuild').Plugin} */
const asVite = {
  name: 'as-vite',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^gradlock(\/\w+)?$/ }, ({ path }) => ({
      path: at(`../build/npm/${path.split('/')[1] ?? 'index'}.js`),
    }));
    onResolve({ filter: /\?raw$/ }, async ({ path, resolveDir, ...from }) => {
      const { path: file } = await resolve(path.replace('?raw', ''), { resolveDir, ...from });
      return { path: file, namespace: 'raw' };
    });
    onLoad({ filter: /scenes\/find-\w+\.js$/ }, async ({ path }) => {
      const [, name] = /'\.\/\*\/(.+)'/.exec(await readFile(path, 'utf8')) ?? [];
      return { contents: filesOfScenes(name), resolveDir: at('scenes') };
    });
    onLoad({ filter: /.*/, namespace: 'raw' }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }));
  },
};

/** What is in the file. @type {Set<string>} */
const inputs = new Set();

/** @param {string} path @param {import('esbuild').Plugin[]} [plugins] */
async function bundle(path, plugins = []) {
  const { outputFiles, metafile } = await build({
    entryPoints: [at(path)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    external: ['node:*'],
    // The library asks for it where there is no DecompressionStream; a browser has one.
    define: { 'import.meta.url': '"file:///"' },
    plugins: [...plugins, asVite],
    logLevel: 'warning',
  });
  for (const input of Object.keys(metafile.inputs)) inputs.add(at(`../${input}`));
  return outputFiles[0].text;
}

/** Starts the engine from a text. @param {string} code @returns {import('esbuild').Plugin} */
const inlineEngine = (code) => ({
  name: 'inline-engine',
  setup({ onLoad }) {
    onLoad({ filter: /engine\/spawn\.js$/ }, () => ({
      contents: `const code = ${JSON.stringify(code)};
        export const spawn = () =>
          new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));`,
    }));
  },
});

/** Losses keep their texts, as in vite.config.js. @type {import('esbuild').Plugin} */
const lossTexts = {
  name: 'loss-texts',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) =>
      isScene(path) ? { contents: attachTexts(await readFile(path, 'utf8')) } : undefined,
    );
  },
};

/** Nothing in a script may end it. @param {string} code */
const inScript = (code) => code.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

const icon = await readFile(at('public/icon.svg'), 'base64');
const engine = inlineEngine(await bundle('engine/worker.js', [lossTexts]));

/** @param {string} name of the page @param {string} entry its script @param {string} to the file */
async function makeFile(name, entry, to) {
  const page = await readFile(at(name), 'utf8');
  const styles = [...page.matchAll(/<link rel="stylesheet" href="\.\/(.+?)">/g)].map(
    ([, path]) => path,
  );
  const css = (await Promise.all(styles.map((path) => bundle(path)))).join('');
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
