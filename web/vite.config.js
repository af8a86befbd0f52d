/** Builds the demo to build/site: plain files for any path, with a strict security policy. */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licencesOf } from './build/licences.mjs';
import { library } from './build/library.mjs';
import { sitePolicy } from './build/policy.mjs';
import { writeServiceWorker } from './build/precache.mjs';
import { lossTexts } from './build/loss-text.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

let folder = '';

/** Adds the built page's own policy and licences, which the served sources lack. @type {import('vite').Plugin} */
const forOthers = {
  name: 'for-others',
  apply: 'build',
  configResolved(config) {
    folder = resolve(config.root, config.build.outDir);
  },
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const first = html.indexOf('<link');
      return `${html.slice(0, first)}${sitePolicy}\n    ${html.slice(first)}`;
    },
  },
  generateBundle() {
    const source = licencesOf(this.getModuleIds());
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
  },
  closeBundle: () => writeServiceWorker(folder),
};

/** They make the page cross-origin isolated, as threads need it. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  root: at('.'),
  // A page that is not built, such as the reference's, is missing.
  appType: 'mpa',
  server: { headers },
  preview: { headers },
  base: './',
  plugins: [forOthers],
  // The page imports the library by its name, like any user, and gets the files of `make build`.
  resolve: { alias: library },
  // The engine exports losses as code.
  worker: { format: 'es', plugins: () => [lossTexts()] },
  build: {
    outDir: at('../build/site'),
    emptyOutDir: true,
    target: 'es2022',
    // No data: URLs, which the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [at('index.html'), at('check.html')] },
  },
});
