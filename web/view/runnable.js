/** Makes a page that runs a program from a disk too: it contains the library and the grid. */

import { part } from '../scenes/shared/part.js';
import { language } from '../strings/index.js';

/** Escapes what would end a script. @param {string} code */
const inScript = (code) => code.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

/** @param {string} text */
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/**
 * @param {string} name
 * @param {string} program that imports from gradlock and gradlock/layers, makes `variables`, and prints
 * @returns {Promise<string>} HTML
 */
export async function runnablePage(name, program) {
  const hasLayers = program.includes("from 'gradlock/layers'");
  const [library, grid, layers] = await part(
    Promise.all([
      import('gradlock?raw'),
      import('gradlock/grid?raw'),
      hasLayers ? import('gradlock/layers?raw') : { default: '' },
    ]),
  );
  const body = program.replace(
    /^import (\{[^}]*\}) from '([^']*)';$/gm,
    (_, names, module) => `const ${names} = await load('${module.replace('/', '-')}');`,
  );
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>gradlock: ${escaped(name)}</title>
<style>
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
  #grids { display: flex; flex-wrap: wrap; gap: 1.5rem; }
  figure { margin: 0; }
</style>
<h1>${escaped(name)}</h1>
<div id="grids"></div>
<pre id="printed"></pre>
<script type="text/plain" id="gradlock">${inScript(library.default)}</script>
<script type="text/plain" id="gradlock-layers">${inScript(layers.default)}</script>
<script type="text/plain" id="gradlock-grid">${inScript(grid.default)}</script>
<script type="module">
const load = (id) => import(URL.createObjectURL(
  new Blob([document.getElementById(id).textContent], { type: 'text/javascript' })));
const console = {
  log(text) { document.getElementById('printed').textContent += text + '\\n'; },
};

${inScript(body)}
// The grids of the result: their locks can be toggled, too.
await load('gradlock-grid');
for (const variable of variables) {
  const figure = document.createElement('figure');
  const grid = document.createElement('gradlock-grid');
  grid.label = variable.name;
  grid.variable = variable;
  figure.append(variable.name, grid);
  document.getElementById('grids').append(figure);
}
</script>
</html>
`;
}
