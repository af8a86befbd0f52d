/** Builds the demo to build/site: plain files that work from any path, under a strict content security policy. */

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { lossTexts } from './loss-text.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('.'),
  base: './',
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
