// Ops that pick and place elements by index. One method a row of the public op table; what a row computes, and its gradient, is C's business.
import { ShapeOps } from './shape.js';

/** Ops that pick and place elements by index. */
export class IndexOps extends ShapeOps {}
