// The ops as methods, one for each row of the public op table, so that editors show the parameters
// of each. Every body is one line into `apply`. A test holds the methods against the table.
import { CreationOps } from './creation.js';

/**
 * Operands are tensors, variables, numbers or arrays, and broadcast as in NumPy where an op takes
 * several.
 *
 * Outside of a recording an op computes at once. Inside `compile` it is recorded; the result has a
 * shape, and values only once the program runs. Shapes that do not fit throw ShapeError, disposed
 * operands DisposedError.
 */
export class Ops extends CreationOps {}
