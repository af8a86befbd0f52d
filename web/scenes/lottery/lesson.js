/** Lottery ticket: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 0, of: 'run' },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 1500 }] },
    { area: 'grid', acts: [{ pruneAnew: 0.67 }] },
    { area: 'lottery', acts: [{ train: 1500 }] },
    { area: 'lottery' },
  ],
};
