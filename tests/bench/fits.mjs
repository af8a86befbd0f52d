/* Fits of NIST's 27 nonlinear sets, from both starts: gradlock/fit in both precisions, beside ml-levenberg-marquardt
 * in the same process and SciPy and lmfit in Python (fits.py). Peers have their defaults, with two exceptions for
 * ml-levenberg-marquardt: its step of differences is 0.1 by default, so it gets 1e-7 of each start, and central
 * differences; and it ends at a sum of errors that its user has to know, so it takes all of its 100 steps. Digits are those of the worst parameter that agree with the certified ones, of 11; a fit with 4 is solved. An
 * evaluation is one of the curve at all points; gradlock's Jacobians cost one for each point, in reverse mode, those by
 * differences one or two for each parameter.
 *
 * Times are medians of several fits, and only as good as the machine is quiet. Run by `make bench-fits`. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { levenbergMarquardt } from 'ml-levenberg-marquardt';
import { fitting } from 'gradlock/fit';
import { readGolden } from '../golden/golden.js';
import { BUILDS } from '../js/fit-builds.js';
import { MODELS, tensors } from '../js/nist-models.js';
import { median } from './harness.mjs';

/** @typedef {{ name: string, x: number[] | number[][], y: number[], starts: number[][], certified: number[] }} Dataset */
/** @typedef {{ digits: number, evaluations: number, ms: number }} Outcome */
/** @typedef {(set: Dataset, start: number[]) => { values: ArrayLike<number>, evaluations: number }} Solver */

const SOLVED = 4;
const MOST_DIGITS = 11;
const REPEATS = 3;

/** @type {{ sets: Dataset[] }} */
const { sets } = readGolden('nist.json');

/** @type {import('../js/nist-models.js').Arithmetic<number>} */
const numbers = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow: (a, b) => a ** b,
  neg: (a) => -a,
  square: (a) => a * a,
  exp: Math.exp,
  sin: Math.sin,
  cos: Math.cos,
  atan: Math.atan,
  concat: ([first]) => first,
};

/** @param {Dataset} set */
const columnsOf = ({ x }) => /** @type {number[][]} */ (Array.isArray(x[0]) ? x : [x]);
/** Nelson's model is of the logarithm. @param {Dataset} set */
const responsesOf = ({ name, y }) => (name === 'Nelson' ? y.map(Math.log) : y);

/** @param {import('gradlock').Gradlock} g @returns {Solver} */
const byGradlock = (g) => {
  const { curve } = fitting(g);
  return (set, start) => {
    const names = start.map((_, i) => `b${i + 1}`);
    const columns = columnsOf(set).map((column, i) => /** @type {const} */ ([`x${i}`, column]));
    const model = (/** @type {any} */ x, /** @type {any} */ p) =>
      MODELS[set.name](
        tensors(g),
        names.map((name) => p[name]),
        columns.map(([name]) => x[name]),
      );
    const parameters = Object.fromEntries(names.map((name, i) => [name, start[i]]));
    const x = Object.fromEntries(columns);
    const fit = curve(model, { x, y: responsesOf(set), parameters });
    return { values: names.map((name) => fit.values[name]), evaluations: fit.evaluations };
  };
};

/** @type {Solver} */
const byMl = (set, start) => {
  const columns = columnsOf(set);
  const model = MODELS[set.name];
  let calls = 0;
  const found = levenbergMarquardt(
    // A place is its number: there may be two predictors.
    { x: columns[0].map((_, i) => i), y: responsesOf(set) },
    (b) => (i) => {
      calls++;
      return model(
        numbers,
        b,
        columns.map((column) => column[i]),
      );
    },
    {
      initialValues: start,
      errorTolerance: 0,
      gradientDifference: start.map((value) => 1e-7 * Math.abs(value)),
      centralDifference: true,
    },
  );
  return { values: found.parameterValues, evaluations: Math.round(calls / columns[0].length) };
};

/** @param {ArrayLike<number>} values @param {number[]} certified */
const digitsOf = (values, certified) =>
  certified.reduce((least, value, i) => {
    const off = Math.abs(values[i] - value) / Math.abs(value);
    const digits = Number.isNaN(off) ? 0 : Math.max(0, -Math.log10(off));
    return Math.min(least, digits);
  }, MOST_DIGITS);

/** @param {Solver} solve @param {Dataset} set @param {number[]} start @returns {Outcome} */
const measure = (solve, set, start) => {
  const times = [];
  let outcome = { digits: 0, evaluations: Number.NaN };
  for (let i = 0; i < REPEATS; i++) {
    const began = performance.now();
    try {
      const { values, evaluations } = solve(set, start);
      outcome = { digits: digitsOf(values, set.certified), evaluations };
    } catch {
      // A peer that throws has not solved it.
    }
    times.push(performance.now() - began);
  }
  return { ...outcome, ms: median(times) };
};

/** Each set's outcomes, from both starts, by contestant. @type {Record<string, Outcome[]>} */
const outcomes = {};
/** @param {string} who @param {Solver} solve */
const compete = (who, solve) => {
  outcomes[who] = sets.flatMap((set) => set.starts.map((start) => measure(solve, set, start)));
};

for (const [precision, { create }] of Object.entries(BUILDS)) {
  compete(`gradlock/fit, ${precision}`, byGradlock(await create()));
}
compete('ml-levenberg-marquardt', byMl);

const python = process.argv[2];
if (python) {
  const script = fileURLToPath(new URL('fits.py', import.meta.url));
  const answer = execFileSync(python, ['-B', script], { encoding: 'utf8', maxBuffer: 1 << 26 });
  /** @type {Record<string, { values: number[] | null, evaluations: number, ms: number }[]>} */
  const found = JSON.parse(answer);
  for (const [who, rows] of Object.entries(found)) {
    outcomes[who] = sets.flatMap(({ certified }, i) =>
      rows.slice(2 * i, 2 * i + 2).map(({ values, evaluations, ms }) => ({
        ...{ evaluations, ms },
        digits: values ? digitsOf(values, certified) : 0,
      })),
    );
  }
}

const runs = 2 * sets.length;
/** Runs that every contestant solves, for times. */
const common = Array.from({ length: runs }, (_, i) => i).filter((i) =>
  Object.values(outcomes).every((rows) => rows[i].digits >= SOLVED),
);
console.log(`NIST's ${sets.length} sets, ${runs} runs; ${common.length} are solved by all\n`);
const heads = ['', 'solved', 'digits, median', 'evaluations, median', 'ms, median', 'ms, total'];
const table = Object.entries(outcomes).map(([who, rows]) => {
  const solved = rows.filter(({ digits }) => digits >= SOLVED);
  const times = common.map((i) => rows[i].ms);
  return [
    who,
    `${solved.length} of ${runs}`,
    median(solved.map(({ digits }) => digits)).toFixed(1),
    median(common.map((i) => rows[i].evaluations)).toFixed(0),
    median(times).toFixed(1),
    times.reduce((sum, ms) => sum + ms, 0).toFixed(0),
  ];
});
for (const row of [heads, heads.map(() => '---'), ...table]) console.log(`| ${row.join(' | ')} |`);
console.log('\nDigits are of solved runs; evaluations and times are of the runs that all solve.');
