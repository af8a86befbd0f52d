/**
 * Curve fits of a scene's data, by gradlock/fit, that start at the run's values, locks and bounds,
 * on copies of its parameters, so that the run does not change.
 */

import { part } from '../scenes/shared/part.js';

/** @import { Gradlock, Scene } from '../scenes/scene.js' */
/** @import { FitNews, FitRow } from './protocol.js' */
/** @typedef {ReturnType<typeof import('gradlock/fit').fitting>} Fitting */
/** @typedef {import('./session.js').Session} Session */

/** The time between two fits of a run that plays, in units of the time of a fit. */
const SHARE = 10;

/** What a fit found, if it was refused. */
const NONE = {
  ...{ converged: false, stopReason: '', text: '', isScaled: false, degreesOfFreedom: 0 },
  ...{ chiSquare: Number.NaN, reducedChiSquare: Number.NaN, band: null },
  undetermined: /** @type {number[][]} */ ([]),
};

export class Fits {
  /** @type {typeof import('gradlock/fit').fitting | null} */
  #fitting = null;
  /** The run and step of the last fit, and when the next may come while it plays. @type {{ session: Session | null, version: number, step: number, due: number }} */
  #last = { session: null, version: -1, step: -1, due: 0 };

  /** Loads what a scene needs. @param {Scene} scene */
  async ready(scene) {
    if (scene.fit) this.#fitting ??= (await part(import('gradlock/fit'))).fitting;
  }

  /**
   * Returns a fit if it may differ from the last one: after an edit or steps. While a run plays,
   * fits take a tenth of the time.
   * @param {Gradlock} g
   * @param {Session} session
   * @param {boolean} isPlaying
   * @returns {FitNews | null}
   */
  news(g, session, isPlaying) {
    const { version, step, problem, main } = session;
    if (!this.#fitting || !problem.scene.fit) return null;
    const last = this.#last;
    const isSame = last.session === session && last.version === version;
    const began = performance.now();
    if (isSame && (last.step === step || (isPlaying && began < last.due))) return null;
    const fit = fitOf(this.#fitting(g), g, problem, main);
    const ended = performance.now();
    this.#last = { session, version, step, due: ended + SHARE * (ended - began) };
    return fit;
  }
}

/** @param {Fitting} fitting @param {Gradlock} g @param {import('./problem.js').Problem} problem @param {import('./run.js').Run} main */
export function fitOf(fitting, g, { scene, setup }, main) {
  const plan = /** @type {import('../scenes/scene.js').FitPlan} */ (scene.fit);
  const { at, ...data } = plan.data(setup);
  const values = main.values();
  const locks = main.locks();
  /** @type {FitRow[]} */
  const before = plan.parameters(setup).map((one, i) => {
    const scaled = (/** @type {number} */ value) => one.offset + one.unit * value;
    const { min, max } = main.bounds.of(i);
    return {
      ...{ ...one, value: scaled(values[i]), min: scaled(min), max: scaled(max) },
      ...{ error: null, status: locks[i] ? 'locked' : 'free' },
    };
  });
  const parameters = Object.fromEntries(
    before.map(({ name, value, min, max }, i) => [name, { value, min, max, lock: locks[i] === 1 }]),
  );
  try {
    const curve = (/** @type {any} */ x, /** @type {any} */ p) => plan.curve(g, x, p, setup);
    const fit = fitting.curve(curve, { ...data, parameters });
    const { stopReason, converged, chiSquare, reducedChiSquare, degreesOfFreedom, isScaled } = fit;
    const rows = before.map((row) => {
      const { value, status, error = null } = fit.parameters[row.name];
      return { ...row, value, status, error };
    });
    // Of 95 %.
    const { lower, upper } = fit.band(at);
    return {
      ...{ refusal: null, rows, stopReason, converged, reducedChiSquare, degreesOfFreedom },
      ...{ isScaled, chiSquare, text: fit.report() },
      cells: rows.map((row, i) => cellOf(row, values[i], main.bounds.of(i))),
      /** Cells that the data cannot tell apart. */
      undetermined: fit.undetermined.map((weights) =>
        before.flatMap(({ name }, i) => (name in weights ? [i] : [])),
      ),
      band: { lower: Float32Array.from(lower), upper: Float32Array.from(upper) },
    };
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return { ...NONE, refusal: { name, message }, rows: before, cells: [...values] };
  }
}

/** Returns a cell's value where the fit ended: exactly its own, if it is locked, or its bound. @param {FitRow} row @param {number} value @param {{ min: number, max: number }} range */
function cellOf({ status, value: found, offset, unit }, value, { min, max }) {
  if (status === 'locked') return value;
  if (status === 'min') return min;
  return status === 'max' ? max : Math.min(max, Math.max(min, (found - offset) / unit));
}
