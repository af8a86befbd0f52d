/** The maps beside the cells: each fills a flat array with a number per cell. */

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */

/**
 * @typedef {object} Source
 * @property {Gradlock} g
 * @property {import('gradlock').Program} program
 * @property {import('./cells.js').Cells} cells
 * @property {import('./optimizers.js').Optimizer} optimizer
 * @property {string[]} slots   the optimizer's slots in use
 * @property {Float32Array} start
 * @property {Float32Array | null} target
 */

/** @param {Source} source @param {number} index of the slot @param {Float32Array} out */
function slot({ cells, optimizer, slots }, index, out) {
  const name = slots[index];
  if (name) cells.gather(out, (variable) => optimizer.slot(variable, name));
  else out.fill(0);
}

/** @type {Record<string, (source: Source, out: Float32Array) => void>} */
const maps = {
  gradient({ g, program, cells }, out) {
    const { grads } = g.valueAndGrad(program, cells.variables);
    cells.gather(out, (_, i) => grads[i].view());
    for (const grad of grads) grad.dispose();
  },
  pressure({ g, program, cells }, out) {
    const pressure = g.pressure(program, cells.variables);
    cells.gather(out, (_, i) => pressure[i].view());
    for (const tensor of pressure) tensor.dispose();
  },
  slot0: (source, out) => slot(source, 0, out),
  slot1: (source, out) => slot(source, 1, out),
  change({ cells, start }, out) {
    cells.read(out);
    for (let i = 0; i < out.length; i++) out[i] -= start[i];
  },
  target: ({ target }, out) => (target ? out.set(target) : out.fill(0)),
  clock: ({ cells, optimizer }, out) => cells.gather(out, (variable) => optimizer.clock(variable)),
};

/** @param {string} name @param {Float32Array} out @param {Source} source */
export function mapOf(name, out, source) {
  if (maps[name]) maps[name](source, out);
  else out.fill(0);
}

/** Returns the range of a map's colours: its largest number, rounded up to 1, 2 or 5 times a power of ten. @param {Float32Array} values */
export function reachOfMap(values) {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > most && size < Infinity) most = size;
  }
  if (most < 1e-30) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([1, 2, 5, 10].find((digit) => digit * power >= most * 0.999) ?? 10);
}
