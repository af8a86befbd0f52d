/** Picture: its question, its tour. */

/** A square of cells at the lower left, which the tour locks. */
const SQUARE = Array.from({ length: 64 }, (_, i) => (20 + Math.floor(i / 8)) * 32 + 4 + (i % 8));

/** @type {import('../scene.js').Lesson} */
export const lesson = {
  guess: { after: 40, of: 'mask', right: ({ moved }) => (moved ? 2 : 0) },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 60 }] },
    { area: 'grid', actions: [{ lock: SQUARE }] },
    { area: 'hold', actions: [{ rule: 'adamW' }, { hold: 'mask' }, { train: 60 }] },
    { area: 'chart-panel', actions: [{ hold: 'lock' }] },
  ],
};
