/* The builds of the library that fits are tested on. */
import { init } from 'gradlock';
import * as double from 'gradlock/double';

/** @typedef {import('gradlock').Gradlock} Gradlock */

/**
 * By their precision, with u, half the distance from 1 to the next number.
 * @type {Record<string, { create: () => Promise<Gradlock>, unit: number }>}
 */
export const BUILDS = {
  f32: { create: init, unit: 2 ** -24 },
  f64: { create: /** @type {() => Promise<any>} */ (double.init), unit: 2 ** -53 },
};
