/* Parity of arithmetic and elementary functions. */
import { binary, unary } from './cases.js';

/** @type {[string, import('./cases.js').Row][]} */
export const ROWS = [
  binary('add'),
  binary('sub'),
  binary('mul'),
  binary('div', { second: 'positive' }),
  binary('mod', { draw: 'apart' }),
  binary('pow', { draw: 'positive', second: 'any', tolerance: 2 }),
  binary('squaredDifference', { tolerance: 2 }),
  unary('neg'),
  unary('square'),
  unary('sqrt', { draw: 'positive' }),
  unary('rsqrt', { draw: 'positive', tolerance: 2 }),
  unary('reciprocal', { draw: 'apart' }),
  unary('abs', { draw: 'apart' }),
  unary('sign'),
  unary('floor'),
  unary('ceil'),
  unary('round'),
  unary('exp', { tolerance: 2 }),
  unary('expm1', { tolerance: 2 }),
  unary('log', { draw: 'positive', tolerance: 2 }),
  unary('log1p', { draw: 'positive', tolerance: 2 }),
  unary('sin', { tolerance: 2 }),
  unary('cos', { tolerance: 2 }),
  unary('atan', { tolerance: 1 }),
  binary('atan2', { tolerance: 1 }),
  unary('erf', { tolerance: 'array' }),
];
