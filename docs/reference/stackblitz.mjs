/* Examples as projects that StackBlitz opens from a form. A form needs neither an account nor a
 * public repository, and holds the example as it is today.
 * Source: https://developer.stackblitz.com/platform/api/post-api */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The examples that run in StackBlitz, which has Node.js and a browser. `as` is the file's name in
 * the project, `tools` are packages of our package.json.
 * @type {Record<string, { as: string, start: string, tools: string[], title: string }>}
 */
export const RUNNABLE = {
  'node.mjs': { as: 'node.mjs', start: 'node node.mjs', tools: [], title: 'Two by two in Node.js' },
  'page.html': { as: 'index.html', start: 'vite', tools: ['vite'], title: 'Two by two on a page' },
};

/** @param {string} html */
const escapeHtml = (html) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/**
 * Files of a project, by their paths in it.
 * @param {string} root The repository.
 * @param {string} name A key of RUNNABLE.
 */
export const projectOf = async (root, name) => {
  const { as, start, tools } = RUNNABLE[name];
  const text = await readFile(join(root, 'docs/examples', name), 'utf8');
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const versions = Object.fromEntries(tools.map((tool) => [tool, own.devDependencies[tool]]));
  const manifest = {
    name: 'gradlock-example',
    private: true,
    type: 'module',
    scripts: { start },
    dependencies: { gradlock: own.version, ...versions },
    stackblitz: { startCommand: 'npm start' },
  };
  return {
    [as]: text.replace("'../../build/npm/index.js'", "'gradlock'"),
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  };
};

/**
 * A button that opens an example.
 * @param {string} root The repository.
 * @param {string} name A key of RUNNABLE.
 */
export const formOf = async (root, name) => {
  const { as, title } = RUNNABLE[name];
  const files = Object.entries(await projectOf(root, name));
  const fields = [
    ['project[title]', `gradlock: ${title}`],
    ['project[template]', 'node'],
    ...files.map(([path, text]) => [`project[files][${path}]`, text]),
  ].map(([field, value]) => {
    // A line break as a reference, so that the form is one line of Markdown.
    const held = escapeHtml(value).replaceAll('\n', '&#10;');
    return `<input type="hidden" name="${field}" value="${held}">`;
  });
  return (
    `<form class="stackblitz" method="post" target="_blank" ` +
    `action="https://stackblitz.com/run?file=${as}">${fields.join('')}` +
    `<button>Open ${name} in StackBlitz</button></form>`
  );
};
