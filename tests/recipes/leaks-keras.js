/* Rows of the table of leaks that Keras computed: the same problem and the same tricks, recorded in
 * the golden file. */
import { isLacking } from '../js/reference.js';
import { SETTINGS } from './leaks.js';
import { golden } from './recipe.js';

/**
 * @returns {{ trick: string, leaks: (import('./leaks.js').Leak | null)[] }[]} null where Keras has
 *   no such rule.
 */
export const recordedInKeras = () =>
  golden('leaks').tricks.map((/** @type {any} */ row) => ({
    trick: row.trick,
    leaks: SETTINGS.map(({ name, rule }) => {
      if (isLacking(rule, 'keras')) return null;
      const moved = (/** @type {[number, number]} */ [bits, elements]) => ({ bits, elements });
      const { values, slots, others } = row[name];
      return { values: moved(values), slots: moved(slots), others: moved(others) };
    }),
  }));
