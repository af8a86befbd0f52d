/* A training that is kept as it goes: with all that a state has, and changes of locks on the way.
 * Node.js, pages and processes that are killed run it; it imports nothing. */

export const STEPS = 40;
export const EVERY = 4;
export const NAME = 'A training: ü';

/** @param {any} g */
const make = (g) => {
  const w = g.variable(g.random(3).normal([6, 4]), { name: 'w' }).lock({ rows: [1] });
  const b = g.variable([0, 0, 0, 0], { name: 'b' });
  const draws = g.random(5);
  const x = g.random(9).normal([8, 6]);
  const loss = g.compile(() =>
    g.mean(g.square(g.add(g.dropout(g.tanh(g.matMul(x, w)), 0.3, 11), b))),
  );
  const learningRate = g.schedules.cosineDecay({ initialLearningRate: 0.05, decaySteps: 30 });
  const adam = g.optimizers.adam({ learningRate, onUnlock: 'reset' });
  return { w, b, draws, loss, adam, all: { variables: [w, b], also: [loss, draws] } };
};

/** What happens before some steps. @type {Record<number, (of: any) => unknown>} */
const EDITS = {
  9: ({ w }) => w.locks.holder('drag').lock([[2, 1]]),
  18: ({ w }) => w.unlock({ rows: [1] }),
  27: ({ b, draws }) => b.assign(draws.normal([4])),
};

/**
 * Goes on from what the run found, to the end.
 * @param {any} g
 * @param {any} run What `keep` gave.
 * @param {{ stepped?: (step: number) => unknown, saved?: (step: number, is: boolean) => unknown }}
 *   [hooks]
 */
export const train = async (g, run, { stepped = () => {}, saved = () => {} } = {}) => {
  const of = make(g);
  if (run.found) of.adam.setState(run.found.state, { ...of.all, force: true });
  const from = run.found?.note.step ?? 0;
  for (let step = from; step < STEPS; ) {
    EDITS[step]?.(of);
    of.adam.minimize(of.loss, { variables: of.all.variables, steps: 1 });
    step++;
    await stepped(step);
    if (step % EVERY === 0) saved(step, await run.save(of.adam.toBytes(of.all), { step }));
  }
  const { w, b, adam, draws } = of;
  return {
    from,
    digest: [w.digest(), b.digest(), [...w.locks.toIndices()], adam.iterations, draws.step].join(),
  };
};

/** A run that keeps nothing. */
export const UNKEPT = { found: null, save: async () => true };
