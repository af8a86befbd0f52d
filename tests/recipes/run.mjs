/* All recipes of docs/recipes, one after the other: `make recipes`. */
import { readdirSync } from 'node:fs';
import { show } from '../../docs/recipes/support.mjs';

const folder = new URL('../../docs/recipes/', import.meta.url);
for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith('.mjs') || file === 'support.mjs') continue;
  const { run } = await import(new URL(file, folder).href);
  show(file.slice(0, -4), await run());
}
