/** Membrane: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 200, of: 'run', right: ({ first, loss }) => (loss < first ? 1 : 0) },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 200 }] },
    { area: 'grid', acts: [{ state: { beside: 'pressure' } }] },
    {
      area: 'grid',
      acts: [{ state: { beside: 'none', choices: { frame: 'photo' } } }, { train: 200 }],
    },
    { area: 'grid', acts: [{ state: { choices: { frame: 'saddle' } } }] },
  ],
};
