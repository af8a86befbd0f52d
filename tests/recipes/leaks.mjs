/* `make leaks`: run the tricks that people hold elements with, and print what leaks. See leaks.js.
 * TensorFlow.js runs its rows here and now; Keras's were recorded by tests/golden/recipes.py. */
import { init } from 'gradlock';
import { printTable, readGolden } from '../golden/golden.js';
import { LOCKS, measure, PROBLEM, SETTINGS, SIZE, STEPS, TRICKS } from './leaks.js';
import { recordedInKeras } from './leaks-keras.js';
import { measureTensorFlowJs } from './leaks-tfjs.js';

/** @typedef {import('./leaks.js').Leak} Leak */
/** @typedef {{ trick: string, leaks: (Leak | null)[] }} Row */

const { locked, free } = PROBLEM;
const QUESTIONS = /** @type {const} */ ([
  ['values', 'Values of locked elements that moved', locked.length],
  ['slots', 'Optimizer state of locked elements that moved', locked.length],
  [
    'others',
    'Free elements that are not, to the bit, where they would be if only they existed',
    free.length,
  ],
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
    'A cell says how many bits moved, and in how many elements where not in all of them.',
);
for (const [question, title, most] of QUESTIONS) {
  const blank = ['', ...SETTINGS.map(() => '')];
  const lines = sections.flatMap((rows, i) => [
    ...(i ? [blank] : []),
    ...rows.map(({ trick, leaks }) => [
      trick,
      ...leaks.map((leak) => {
        if (!leak) return 'n/a';
        const { bits, elements } = leak[question];
        // Of a state of several slots each counts.
        return bits === 0 || elements % most === 0 ? String(bits) : `${bits} in ${elements}`;
      }),
    ]),
  ]);
  printTable(`\n${title}`, ['', ...SETTINGS.map(({ name }) => name)], lines);
}
console.log(`
n/a: TensorFlow.js ${tfjs.version} has no AdamW, Nadam, Lion and FTRL and clips no norms; it has no stopGradient either.
Keras sums norms in f32, and may compute the last elements of a list by other code than the first: single bits in few
free elements are its rounding, not a leak. L-BFGS and Levenberg-Marquardt compute gradients on their own, so that nobody
can mask them: gradlock's take their steps among the free elements.`);
