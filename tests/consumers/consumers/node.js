/* Node.js, by `import` and by `require()`. */
import { WORKS } from './types.js';

/** @typedef {import('./types.js').Consumers} Consumers */
/** @typedef {import('./types.js').Cell} Cell */

/** @type {readonly Cell[]} */
const cells = [
  {
    name: 'import',
    inlined: WORKS,
    external: WORKS,
    quick: true,
    async run(place) {
      place.template('node');
      return place.prints('node', ['main.mjs']);
    },
  },
  {
    name: 'require()',
    inlined: WORKS,
    external: WORKS,
    quick: true,
    async run(place) {
      place.template('node');
      return place.prints('node', ['main.cjs']);
    },
  },
];

const versions = ['18', '20.9', '20.19', '22', '24', '25', '26'];

/** @type {Consumers} */
export const node = [
  { name: 'Node.js that runs the tests', node: 'host', isHere: true, cells },
  ...versions.map((version) => ({
    name: `Node.js ${version}`,
    node: `node${version}`,
    cells,
  })),
];
