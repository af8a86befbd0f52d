/* The table of ops for C, as the library itself describes them: glk_op_describe of the WASI build,
 * which has the texts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { matter } from './pages.mjs';

/** Its place in the reference. */
export const OPS_PAGE = 'c/table-of-ops';

/**
 * @typedef {{ name: string, inputs: string, attributes: string, doc: string, isPublic: boolean,
 *   isDifferentiable: boolean }} Op
 */

/**
 * Every op of the library, in its order.
 * @param {string} root The repository.
 * @returns {Promise<Op[]>}
 */
export const readOps = async (root) => {
  const bytes = await readFile(join(root, 'build/wasm/gradlock.wasi.wasm'));
  const module = await WebAssembly.compile(bytes);
  /** @type {Record<string, Record<string, () => number>>} */
  const nothing = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    nothing[from] = { ...nothing[from], [name]: () => 0 };
  }
  const { exports } = await WebAssembly.instantiate(module, nothing);
  const x = /** @type {any} */ (exports);
  x._initialize?.();
  const out = x.glk_bind_alloc(24); // glk_op_info: three addresses and three numbers
  /** @param {number} at */
  const textAt = (at) => {
    const all = new Uint8Array(x.memory.buffer);
    return new TextDecoder().decode(all.subarray(at, all.indexOf(0, at)));
  };
  return Array.from({ length: x.glk_op_count() }, (_, op) => {
    if (x.glk_op_describe(op, out) !== 0) throw new Error(`op ${op} is not described`);
    const [name, signature, doc, , isPublic, isDifferentiable] = new Uint32Array(
      x.memory.buffer,
      out,
      6,
    );
    const [inputs = '', attributes = ''] = textAt(signature)
      .replace(/^\w+\(|\)$/g, '')
      .split(';');
    return {
      name: textAt(name),
      inputs: inputs.trim(),
      attributes: attributes.trim(),
      doc: textAt(doc),
      isPublic: isPublic === 1,
      isDifferentiable: isDifferentiable === 1,
    };
  });
};

/** @param {string} words */
const cell = (words) => words.replace(/[|*<>[\]\\_]/g, '\\$&');

/** The page. @param {readonly Op[]} ops */
export const opsPage = (ops) => {
  const rows = ops
    .filter(({ isPublic }) => isPublic)
    .map(
      ({ name, inputs, attributes, doc, isDifferentiable }) =>
        `| \`${name}\` | ${cell(inputs)} | ${cell(attributes)} | ${isDifferentiable ? 'yes' : 'no'} | ${cell(doc)} |`,
    );
  return `${matter({ title: 'Table of ops', category: 'C', path: OPS_PAGE })}
What \`glk_apply\` takes: inputs are tensors or variables, attributes are numbers, in this order.
If their number does not fit, the error says how many the op takes. \`axis...\` stands for any
number of attributes, none included.
\`glk_op_find\` gives the number of an op by its name.

| op | inputs | attributes | gradient | what it computes |
|---|---|---|---|---|
${rows.join('\n')}
`;
};
