/** Membrane: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 200, of: 'run', right: ({ first, loss }) => (loss < first ? 1 : 0) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 200 }] },
    { area: 'grid', actions: [{ state: { beside: 'pressure' } }] },
    {
      area: 'grid',
      actions: [{ state: { beside: 'none', choices: { frame: 'photo' } } }, { train: 200 }],
    },
    { area: 'grid', actions: [{ state: { choices: { frame: 'saddle' } } }] },
  ],
};
