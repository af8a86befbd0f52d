/** Leak lab: its question, its tour. */

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: {
    after: 40,
    of: 'rival',
    right: ({ held, moved }) => (moved ? (moved < held ? 1 : 2) : 0),
  },
  tour: [
    { area: 'grid' },
    { area: 'grid', actions: [{ rule: 'adam' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'sgd' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'momentum' }, { train: 60 }] },
    { area: 'settings', actions: [{ rule: 'adamW' }, { train: 120 }] },
  ],
};
