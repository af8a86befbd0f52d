/* All recipes of docs/recipes, one after the other: `make recipes`. */
import { existsSync, readdirSync } from 'node:fs';
import { show } from '../../docs/recipes/support.mjs';

const root = new URL('../../', import.meta.url);
const folder = new URL('../../docs/recipes/', import.meta.url);
for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith('.mjs') || file === 'support.mjs') continue;
  const { run } = await import(new URL(file, folder).href);
  const name = file.slice(0, -4);
  const lacks = name === 'sentences' && !existsSync(new URL('build/pretrained/', root));
  if (lacks) console.log(`${name}\n  its weights come by: make pretrained`);
  else show(name, await run());
}
