import { entries } from './src/npm/entries.mjs';

export default entries
  .filter(({ limit }) => limit)
  .map(({ name, limit }) => ({ name, path: `build/npm/${name}.js`, gzip: true, limit }));
