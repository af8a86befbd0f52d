/* Two by two in Node.js: train the diagonal of a variable, hold its other two elements where they
 * are, to the bit.
 *
 *   $ make build
 *   $ node docs/examples/node.mjs
 *   x       [[1.000007, 0.000000], [0.000000, 3.999866]]
 *   digest  7610001b311021f0
 *
 * `make pack` writes the package for a project of yours. hello.c, page.html and wasi.py do the same
 * and end on the same digest: the same bits. */
import { init } from 'gradlock';

const g = await init();

const x = g.variable([
  [0, 0],
  [0, 0],
]);
const target = [
  [1, 2],
  [3, 4],
];

// Row 0, column 1 and row 1, column 0.
x.lock([
  [0, 1],
  [1, 0],
]);

// Recorded once; each of the steps below runs it forward and back, in C.
const loss = g.compile(() => g.mean(g.square(g.sub(x, target))));
const adam = g.optimizers.adam({ learningRate: 0.1 });
adam.minimize(loss, { variables: [x], steps: 200 });

const rows = x.array().map((row) => `[${row.map((value) => value.toFixed(6)).join(', ')}]`);
console.log(`x       [${rows.join(', ')}]`);
console.log(`digest  ${x.digest()}`);
