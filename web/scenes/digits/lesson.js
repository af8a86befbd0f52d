/** Digits: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 50, of: 'run' },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 50 }] },
    { area: 'locks', acts: [{ prune: 0.5 }] },
    { area: 'run', acts: [{ train: 50 }] },
    { area: 'grid' },
  ],
};
