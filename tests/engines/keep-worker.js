/* Trains in a worker, and keeps that, until the page ends it: it says when it is at a step, or in
 * the middle of the save of a step. */
import { train } from '../js/keep-training.js';

const [library, keeping] = ['../../build/npm/index.js', '../../build/npm/keep.js'];

addEventListener('message', async ({ data: { name, kind, at } }) => {
  const { init } = await import(library);
  const { keep } = await import(keeping);
  const run = await keep(name);
  const { save } = run;
  run.save = (/** @type {Uint8Array} */ state, /** @type {{ step: number }} */ note) => {
    const saved = save.call(run, state, note);
    if (kind === 'save' && note.step >= at) postMessage('there');
    return saved;
  };
  await train(await init(), run, {
    stepped(step) {
      if (kind !== 'step' || step < at) return;
      postMessage('there');
      return new Promise(() => {});
    },
  });
});
