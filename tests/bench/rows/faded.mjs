/* Steps after gradients became 0, compared with steps before: slots that decay become 0, never
 * subnormal (law 25). */
import { init } from 'gradlock';
import { measure, repeatedly } from '../harness.mjs';
import { randomValues } from '../values.mjs';

const COUNT = 65536;
/** After so many steps what decays by 0.9 a step has left the normal numbers. */
const STEPS = 1200;

/** @type {import('../harness.mjs').Row} */
export default {
  about: `Adam on ${COUNT.toLocaleString('en-US')} elements, before and long after gradients became 0`,
  async run() {
    const g = await init();
    const gradients = [g.tensor(randomValues(COUNT), [COUNT]), g.zeros([COUNT])];
    const [before, after] = gradients.map((gradient) => {
      const x = g.variable(new Float32Array(COUNT), { shape: [COUNT] });
      const optimizer = g.optimizers.adam();
      optimizer.applyGradients([[gradients[0], x]]);
      return () => optimizer.applyGradients([[gradient, x]]);
    });
    for (let step = 0; step < STEPS; step++) after();
    const seconds = measure({ before: repeatedly(before), after: repeatedly(after) });
    g.dispose();
    return [
      {
        what: `${STEPS.toLocaleString('en-US')} steps after`,
        unit: 'ns/element',
        values: {
          before: (seconds.before * 1e9) / COUNT,
          after: (seconds.after * 1e9) / COUNT,
        },
        expected: 'after ≤ 1.1 × before',
        met: seconds.after <= 1.1 * seconds.before,
      },
    ];
  },
};
