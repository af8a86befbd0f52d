/** Picture: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: {
    after: 40,
    of: 'mask',
    opening: { held: 160, moved: 160, farthest: 0.1481296420097351 },
  },
  tour: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 60 }] },
    { area: 'grid' },
    { area: 'hold', acts: [{ rule: 'adamW' }, { hold: 'mask' }, { train: 60 }] },
    { area: 'chart-panel', acts: [{ hold: 'lock' }] },
  ],
};
