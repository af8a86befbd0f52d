/**
 * Keeps the text of each scene's `loss`, `model` and `network` through minification, for the code that people take away: at build
 * time it hangs the source of these functions on them, as `text`. Where nothing is minified, as in Node.js and under
 * `vite dev`, String(function) is the same text, and this is not needed.
 */

import { parseSync } from 'vite';

const TAKEN = ['blend', 'loss', 'model', 'network'];
const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'];

/** @param {string} path */
const isScene = (path) =>
  /\/web\/scenes\/(?:[\w-]+\/scene|shared\/[\w-]+)\.js$/.test(path.replaceAll('\\', '/'));

/** @param {any} node @param {(node: any) => void} visit */
function walk(node, visit) {
  if (typeof node?.type === 'string') visit(node);
  for (const value of Object.values(node)) {
    if (typeof value === 'object' && value !== null) walk(value, visit);
  }
}

/** @param {string} code of a scene @returns {string} the same, with texts */
export function attachTexts(code) {
  const { program, errors } = parseSync('scene.js', code);
  if (errors.length) throw new SyntaxError(errors[0].message);
  const slice = (/** @type {any} */ { start, end }) => code.slice(start, end);
  /** Functions of the file by name. @type {Map<string, any>} */
  const named = new Map();
  /** @type {{ start: number, end: number, text: string }[]} */
  const edits = [];
  walk(program, (node) => {
    if (node.type === 'FunctionDeclaration' && node.id) named.set(node.id.name, node);
    if (node.type === 'VariableDeclarator' && FUNCTIONS.includes(node.init?.type))
      named.set(node.id.name, node.init);
  });
  walk(program, (node) => {
    if (node.type !== 'Property' || !TAKEN.includes(node.key.name)) return;
    const { value, method, start, end } = node;
    const made = value.type === 'Identifier' ? named.get(value.name) : value;
    // What was imported has its text from its own file.
    if (!FUNCTIONS.includes(made?.type)) return;
    const text = JSON.stringify(method ? slice(node) : slice(made));
    const body = method ? `function ${slice(value)}` : slice(value);
    const added = `${node.key.name}: Object.assign(${body}, { text: ${text} })`;
    edits.push({ start, end, text: added });
  });
  // From the end, so that earlier offsets stay valid.
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end, text }) => all.slice(0, start) + text + all.slice(end), code);
}

/** For Vite. @returns {import('vite').Plugin} */
export const lossTexts = () => ({
  name: 'loss-texts',
  enforce: 'pre',
  transform: (code, id) => (isScene(id) ? { code: attachTexts(code), map: null } : null),
});
