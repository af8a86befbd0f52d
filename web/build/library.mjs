/** The library by its name, as any user imports it: the files of `make build`. */

import { fileURLToPath } from 'node:url';

const npm = fileURLToPath(new URL('../../build/npm/', import.meta.url));

export const library = [
  { find: /^gradlock\/(\w+)(?=\?|$)/, replacement: `${npm}$1.js` },
  { find: /^gradlock(?=\?|$)/, replacement: `${npm}index.js` },
];
