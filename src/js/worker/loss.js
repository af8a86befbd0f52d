// Trains a loss in slices. A slice ends between two steps, so what happens between slices never
// splits one, and a step gives the same bits in any slice.
import { WorkerError } from './error.js';

/** @import { Trainer } from './runner.js' */

/** The milliseconds of work between two looks at messages. */
const SLICE = 8;

/** @param {import('../worker.js').LossTask} task @returns {Trainer} */
export const trainLoss = ({
  g,
  loss,
  optimizer,
  variables,
  also = [],
  batch,
  steps = Infinity,
}) => {
  const isProgram = 'runs' in loss;
  // Residuals are no scalar, whose `trainable` there is.
  const all = 'stopReason' in optimizer ? 'variables' : 'trainable';
  const trained = variables ?? (isProgram ? loss[all].filter(({ trainable }) => trainable) : null);
  if (!trained) {
    const hint = 'compile it, or give its variables: { loss, optimizer, variables: [w] }';
    throw new WorkerError(`a loss that is a function does not say what it trains: ${hint}`, 'task');
  }
  // How often a program has run is what its random ops draw by.
  const parts = { variables: trained, also: isProgram ? [loss, ...also] : also };
  const state = () => optimizer.toBytes(parts);
  let step = 0;
  return {
    variables: trained,
    optimizer,

    resume({ state: found, note }) {
      optimizer.setState(found, { ...parts, force: true });
      step = note.step;
    },

    pressure(variable) {
      if (!g) throw new WorkerError('pressure needs { g, loss, optimizer } of the worker', 'task');
      const [found] = g.pressure(loss, [variable]);
      const values = found.data();
      found.dispose();
      return values;
    },

    async train(run) {
      const [began, first] = [performance.now(), step];
      let value = Number.NaN;
      /** @type {string | null} */
      let stopped = null;
      let size = 1;
      /** Takes steps for a slice, or until a state is to be kept. @param {number} most */
      const advance = async (most) => {
        let [now, took] = [performance.now(), 0];
        const [until, last] = [now + SLICE, Math.min(steps, step + most)];
        do {
          // A save may be due, after a pause; at least one step is taken all the same.
          const free = Math.max(1, run.stepsToSave(step));
          const count = batch ? 1 : Math.min(size, last - step, free);
          const before = optimizer.iterations;
          const prepared = batch?.(step);
          if (prepared) {
            await prepared;
            if (run.isStopped) stopped = 'stop';
            if (stopped) break;
          }
          value = optimizer.minimize(loss, { variables: trained, steps: count });
          const { stopReason = 'steps' } = /** @type {any} */ (optimizer);
          stopped = stopReason === 'steps' ? null : stopReason;
          step += stopped ? optimizer.iterations - before : count;
          took = performance.now() - now;
          now += took;
          if (took < SLICE / 8) size *= 2;
        } while (step < last && !stopped && run.stepsToSave(step) > 0 && now + took < until);
      };
      while (step < steps && !stopped) {
        if (run.stepsToSave(step) <= 0) await run.save({ step }, state);
        const most = await run.stepsDue(step);
        await run.breathe(() => run.save({ step }, state));
        if (run.isStopped) stopped = 'stop';
        else await advance(most);
        const elapsed = performance.now() - began;
        const isKnown = steps < Infinity && step > first;
        const timeLeft = isKnown ? (elapsed / (step - first)) * (steps - step) : null;
        run.report({ step, steps, loss: value, elapsed, timeLeft });
      }
      await run.save({ step }, state);
      return { step, loss: value, stopped, state: state() };
    },
  };
};
