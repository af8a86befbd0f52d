/* Rows of the table of leaks that Keras computed: the same problem and the same tricks, recorded in the golden file. */
import { golden } from './recipe.js';
import { SETTINGS } from './leaks.js';

/** @returns {{ trick: string, leaks: import('./leaks.js').Leak[] }[]} */
export const recordedInKeras = () =>
  golden('leaks').tricks.map((/** @type {any} */ row) => ({
    trick: row.trick,
    leaks: SETTINGS.map(({ name }) => {
      const moved = (/** @type {[number, number]} */ [bits, elements]) => ({ bits, elements });
      const { values, slots, others } = row[name];
      return { values: moved(values), slots: moved(slots), others: moved(others) };
    }),
  }));
