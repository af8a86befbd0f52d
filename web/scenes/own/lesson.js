/** Your own: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 60, of: 'run', right: ({ held, moved }) => (held ? (moved ? 0 : 1) : null) },
  tour: [
    { area: 'own' },
    { area: 'run', actions: [{ train: 100 }] },
    {
      area: 'asks',
      actions: [{ state: { choices: { target: 'mirror', loss: 'squared' } } }, { train: 60 }],
    },
    { area: 'grid' },
    { area: 'share' },
  ],
};
