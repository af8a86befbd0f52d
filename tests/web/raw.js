/**
 * Lets Node.js import files as text the way the demo's bundler does:
 * `import('./digits.txt?raw')`.
 */

import { register } from 'node:module';

const hooks = `
import { readFile } from 'node:fs/promises';
export async function load(url, context, next) {
  if (!url.endsWith('?raw')) return next(url, context);
  const text = await readFile(new URL(url), 'utf8');
  return { format: 'module', source: 'export default ' + JSON.stringify(text), shortCircuit: true };
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
