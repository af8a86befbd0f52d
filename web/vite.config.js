/** Builds the demo to build/site: plain files that work from any path, under a strict content security policy. */

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licencesOf } from './build/licences.mjs';
import { sitePolicy } from './build/policy.mjs';
import { lossTexts } from './build/loss-text.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** What the built page has and the served sources lack: its own policy, and the licences. @type {import('vite').Plugin} */
const forOthers = {
  name: 'for-others',
  apply: 'build',
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
};

export default defineConfig({
  root: at('.'),
  base: './',
  plugins: [forOthers],
  // The page imports the library by its name, as any user would, and gets what `make build` made.
  resolve: {
    alias: [
      { find: /^gradlock\/layers(?=\?|$)/, replacement: at('../build/npm/layers.js') },
      { find: /^gradlock\/grid(?=\?|$)/, replacement: at('../build/npm/grid.js') },
      { find: /^gradlock(?=\?|$)/, replacement: at('../build/npm/index.js') },
    ],
  },
  // The engine shows losses as code.
  worker: { format: 'es', plugins: () => [lossTexts()] },
  build: {
    outDir: at('../build/site'),
    emptyOutDir: true,
    target: 'es2022',
    // Nothing as data: URLs, which the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
