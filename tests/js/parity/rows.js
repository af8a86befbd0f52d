/* What parity.test.js compares: for each row of the op table how TensorFlow.js says the same, and on which operands. A row
 * is here, or in differences.js with the reason why TensorFlow.js has nothing to compare with; a new row that is in
 * neither fails the run. */
import { ARITHMETIC, FUNCTIONS, LOGIC } from './elementwise.js';
import { IMAGE } from './image.js';
import { INDEX } from './index.js';
import { LINEAR, LOSSES } from './linear.js';
import { REDUCE } from './reduce.js';
import { SHAPE } from './shape.js';

/** Rows by name. @type {ReadonlyMap<string, import('./cases.js').Row>} */
export const ROWS = new Map([
  ...ARITHMETIC,
  ...FUNCTIONS,
  ...LOGIC,
  ...REDUCE,
  ...SHAPE,
  ...IMAGE,
  ...INDEX,
  ...LINEAR,
  ...LOSSES,
]);
