/* Runners of tests, each with the environments that it has. */
import { WORKS } from './types.js';

/** @typedef {import('./types.js').Cell} Cell */
/** @typedef {import('./types.js').Consumers} Consumers */

/** @param {string} environment @returns {readonly Cell[]} */
const jest = (environment) => [
  {
    name: `${environment}, CommonJS`,
    inlined: WORKS,
    external: WORKS,
    async run(place) {
      place.template('jest', { type: 'commonjs' });
      return place.prints('jest', [`--env=${environment}`]);
    },
  },
  {
    name: `${environment}, modules`,
    inlined: WORKS,
    external: WORKS,
    async run(place) {
      place.template('jest-esm');
      const args = [`--env=${environment}`, '--testMatch=**/*.test.mjs'];
      // Jest's own way to modules, which Node.js calls an experiment.
      const env = { NODE_OPTIONS: '--experimental-vm-modules' };
      return place.prints('jest', args, { env, noise: /ExperimentalWarning|trace-warnings/ });
    },
  },
];

/** @type {Consumers} */
export const testers = [
  ...['29', '30'].map((version) => ({
    name: `Jest ${version}`,
    versions: `jest${version}`,
    cells: [...jest('node'), ...jest('jsdom')],
  })),
  {
    name: 'Vitest',
    versions: 'vitest',
    cells: ['node', 'jsdom', 'happy-dom'].map((environment) => ({
      name: environment,
      inlined: WORKS,
      external: WORKS,
      async run(place) {
        place.template('vitest');
        return place.prints('vitest', ['run', `--environment=${environment}`]);
      },
    })),
  },
];
