/**
 * The guided tours: five steps for each scene, each with its part of the page and its button's
 * acts. An act may be done twice. Their words are in strings/, under the scene.
 */

/**
 * @typedef {{ train: number } | { state: Record<string, unknown> } | { rule: string } | { prune: number }
 *   | { pruneAnew: number } | { study: boolean } | { lock: number[] } | { unlock: number[] } | { select: number } | { free: true }
 *   | { hold: 'lock' | 'mask' } | { reset: true }} Act
 * @typedef {{ area: string, acts?: Act[] }} Step  area: the id of an element, or of a figure
 */

/** @type {Record<string, Step[]>} */
export const lessons = {
  'two-by-two': [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 50 }] },
    { area: 'locks' },
    { area: 'grid', acts: [{ unlock: [1] }, { train: 50 }] },
    { area: 'inspector', acts: [{ select: 2 }] },
  ],
  picture: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 60 }] },
    { area: 'grid' },
    { area: 'hold', acts: [{ rule: 'adamW' }, { hold: 'mask' }, { train: 60 }] },
    { area: 'chart-panel', acts: [{ hold: 'lock' }] },
  ],
  membrane: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 200 }] },
    { area: 'grid', acts: [{ state: { beside: 'pressure' } }] },
    {
      area: 'grid',
      acts: [{ state: { beside: 'none', choices: { frame: 'photo' } } }, { train: 200 }],
    },
    { area: 'grid', acts: [{ state: { choices: { frame: 'saddle' } } }] },
  ],
  'leak-lab': [
    { area: 'grid' },
    { area: 'grid', acts: [{ rule: 'adam' }, { train: 60 }] },
    { area: 'settings', acts: [{ rule: 'sgd' }, { train: 60 }] },
    { area: 'settings', acts: [{ rule: 'momentum' }, { train: 60 }] },
    { area: 'settings', acts: [{ rule: 'adamW' }, { train: 120 }] },
  ],
  network: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 300 }] },
    { area: 'prune', acts: [{ prune: 0.5 }] },
    { area: 'run', acts: [{ train: 300 }] },
    { area: 'settings', acts: [{ state: { choices: { data: 'spiral' } } }] },
  ],
  lottery: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 1500 }] },
    { area: 'grid', acts: [{ pruneAnew: 0.67 }] },
    { area: 'lottery', acts: [{ train: 1500 }] },
    { area: 'lottery', acts: [{ study: true }] },
  ],
  digits: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 50 }] },
    { area: 'locks', acts: [{ prune: 0.5 }] },
    { area: 'run', acts: [{ train: 50 }] },
    { area: 'grid' },
  ],
  kernels: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 200 }] },
    { area: 'grid' },
    { area: 'run', acts: [{ state: { choices: { kernels: 'locked' } } }, { train: 200 }] },
    { area: 'grid' },
  ],
  freeze: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 200 }] },
    { area: 'grid', acts: [{ state: { beside: 'mask' } }] },
    {
      area: 'accuracy',
      acts: [{ state: { beside: 'none' } }, { free: true }, { reset: true }, { train: 200 }],
    },
    { area: 'accuracy', acts: [{ state: { choices: { examples: 'both' } } }, { train: 200 }] },
  ],
  words: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 100 }] },
    { area: 'words', acts: [{ train: 100 }] },
    { area: 'settings', acts: [{ rule: 'adam' }, { train: 20 }] },
    { area: 'grid', acts: [{ unlock: [0, 1, 2, 3, 4, 5, 6, 7] }, { train: 100 }] },
  ],
  graph: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 120 }] },
    { area: 'grid' },
    { area: 'grid', acts: [{ lock: [10, 11] }] },
    { area: 'grid', acts: [{ state: { choices: { graph: 'club' } } }, { train: 200 }] },
  ],
  peaks: [
    { area: 'grid' },
    { area: 'run', acts: [{ train: 150 }] },
    { area: 'locks' },
    { area: 'grid', acts: [{ state: { beside: 'pressure' } }] },
    { area: 'grid', acts: [{ state: { beside: 'none' } }, { unlock: [2] }, { train: 50 }] },
  ],
  own: [
    { area: 'own' },
    { area: 'run', acts: [{ train: 100 }] },
    {
      area: 'asks',
      acts: [{ state: { choices: { target: 'mirror', loss: 'squared' } } }, { train: 60 }],
    },
    { area: 'grid' },
    { area: 'share' },
  ],
};
