/* `make leaks`: run the tricks that people hold elements with, and print what leaks. See leaks.js.
 * TensorFlow.js runs its rows here and now; Keras's were recorded by tests/golden/recipes.py. */
import { init } from 'gradlock';
import { printTable, readGolden } from '../golden/golden.js';
import { LOCKS, measure, PROBLEM, SETTINGS, SIZE, STEPS, TRICKS } from './leaks.js';
import { recordedInKeras } from './leaks-keras.js';
import { measureTensorFlowJs } from './leaks-tfjs.js';

/** @typedef {import('./leaks.js').Leak} Leak */
/** @typedef {{ trick: string, leaks: (Leak | null)[] }} Row */

const QUESTIONS = /** @type {const} */ ([
  ['values', 'Values of locked elements that moved'],
  ['slots', 'Optimizer state of locked elements that moved'],
  ['others', 'Free elements that are not, to the bit, where they would be if only they existed'],
]);

const g = await init();
const tfjs = await measureTensorFlowJs();
const { keras } = readGolden('recipes.json').versions;
const sections = [
  ['', measure(g, TRICKS)],
  [`TensorFlow.js ${tfjs.version}: `, tfjs.rows],
  [`Keras ${keras}: `, recordedInKeras()],
  ['gradlock: ', measure(g, LOCKS)],
].map(([who, rows]) =>
  /** @type {Row[]} */ (rows).map(({ trick, leaks }) => ({ trick: who + trick, leaks })),
);

console.log(
  `${PROBLEM.locked.length} of ${SIZE} elements are locked after ${STEPS} free steps; ${STEPS} more follow. ` +
    'A cell says how many bits moved, in how many elements; – is a rule that there is not.',
);
for (const [question, title] of QUESTIONS) {
  const blank = ['', ...SETTINGS.map(() => '')];
  const lines = sections.flatMap((rows, i) => [
    ...(i ? [blank] : []),
    ...rows.map(({ trick, leaks }) => [
      trick,
      ...leaks.map((leak) => {
        if (!leak) return '–';
        const { bits, elements } = leak[question];
        return bits === 0 ? '0' : `${bits} in ${elements}`;
      }),
    ]),
  ]);
  printTable(`\n${title}`, ['', ...SETTINGS.map(({ name }) => name)], lines);
}
console.log(
  '\nKeras sums norms in f32: single bits in few free elements are its rounding, not a leak.',
);
