/**
 * Every word the page says, in one table, so that another language is another table and nothing else.
 * Functions take what varies; numbers arrive already formatted.
 */

/** @typedef {{ name: string, lede: string, hint: string, choiceLabel?: string, choices?: Record<string, string> }} SceneStrings */

export const strings = {
  title: 'gradlock',
  tagline: 'Lock any cell. Train the rest. Exactly.',
  scenesLabel: 'Scenes',

  /** @type {Record<string, SceneStrings>} */
  scenes: {
    'two-by-two': {
      name: 'Two by two',
      lede: 'Four numbers, each with a goal. Two are locked. Press Play: the free ones learn, and the locked ones keep every bit.',
      hint: 'Click a cell to lock or free it, while it runs too.',
    },
    picture: {
      name: 'Picture',
      lede: 'Noise learns to be a picture. Draw on it: whatever you lock stays as it is, and the picture grows around it.',
      hint: 'Drag to draw locks. Start on a locked cell to wipe them off.',
      choiceLabel: 'Picture',
      choices: { evening: 'Evening', heart: 'Heart', ripples: 'Ripples' },
    },
    membrane: {
      name: 'Membrane',
      lede: 'A film that wants to be smooth. Locked cells are its frame: they hold still, and the film stretches between them.',
      hint: 'Lock cells in the middle and the film hangs from them too.',
      choiceLabel: 'Frame',
      choices: { saddle: 'Saddle', crown: 'Crown', tilt: 'Tilt' },
    },
  },

  run: {
    label: 'Run',
    play: 'Play',
    pause: 'Pause',
    step: 'Step',
    steps: '10 steps',
    reset: 'Reset',
    resetHint: 'Start again from step 0; locks stay',
    stepCount: 'step',
  },

  status: {
    ready: 'Ready',
    running: 'Training',
    paused: 'Paused',
    settled: 'Settled',
    allLocked: 'All locked',
    diverged: 'Diverged',
  },

  settings: {
    label: 'Settings',
    rule: 'Optimizer',
    rules: {
      sgd: 'SGD',
      momentum: 'Momentum',
      nesterov: 'Nesterov',
      adam: 'Adam',
      adamW: 'AdamW',
    },
    learningRate: 'Learning rate',
    learningRateSlider: 'Learning rate, in steps of 1, 2, 5',
    momentum: 'Momentum',
    weightDecay: 'Weight decay',
    speed: 'Speed',
    /** @param {number} speed */
    speeds: (speed) => (speed ? `${speed} steps/s` : 'As fast as it goes'),
    size: 'Grid',
    /** @param {number} rows @param {number} cols */
    sizes: (rows, cols) => `${rows} × ${cols}`,
    choice: 'Variant',
    theme: 'Dark or light',
    toDark: 'Dark',
    toLight: 'Light',
  },

  loss: {
    label: 'Loss',
    log: 'Log scale',
    /** @param {string} first @param {string} now @param {string} steps */
    chart: (first, now, steps) => `Loss by step: from ${first} to ${now} in ${steps} steps`,
    empty: 'The loss will be drawn here, step by step.',
    marker: 'locks changed',
    lost: 'not a number',
  },

  locks: {
    label: 'Locks',
    all: 'Lock all',
    none: 'Free all',
    invert: 'Invert',
    undo: 'Undo',
    redo: 'Redo',
    brush: 'Brush',
    /** @param {number} side */
    brushes: (side) => (side === 1 ? '1 cell' : `${side} × ${side}`),
    /** @param {string} locked @param {string} all */
    count: (locked, all) => `${locked} of ${all} cells locked`,
    /** @param {string} moved @param {number} count */
    moved: (moved, count) =>
      count === 0 ? 'none has moved by a single bit' : `${moved} have moved: please report this`,
  },

  legend: {
    label: 'Legend',
    value: 'value',
    locked: 'locked, held to the bit',
    free: 'free, learns',
  },

  grid: {
    /** @param {string} scene @param {number} rows @param {number} cols */
    label: (scene, rows, cols) =>
      `${scene}, ${rows} rows by ${cols} columns. Press to lock or free.`,
    /** @param {number} row @param {number} col @param {string} value @param {boolean} locked */
    cell: (row, col, value, locked) =>
      `Row ${row}, column ${col}, value ${value}, ${locked ? 'locked' : 'free'}`,
    /** @param {string} value */
    goal: (value) => `goal ${value}`,
    /** @param {number} row @param {number} col */
    edit: (row, col) => `New value of row ${row}, column ${col}`,
  },

  inspector: {
    label: 'Cell',
    /** @param {number} row @param {number} col */
    where: (row, col) => `row ${row}, column ${col}`,
    locked: 'Locked',
    free: 'Free',
    lockedHint: 'Locked: press to free it',
    freeHint: 'Free: press to lock it',
    edit: 'Set value',
    value: 'value',
    bits: 'bits',
    goal: 'goal',
    gradient: 'gradient',
    gradientHeld: 'gradient, not followed',
    clock: 'own clock',
    /** @param {string} steps @param {boolean} isOne */
    steps: (steps, isOne) => `${steps} ${isOne ? 'step' : 'steps'}`,
    around: 'Its neighbours',
    /** What an optimizer remembers, by the library's name. @type {Record<string, string>} */
    slots: {
      m: 'first moment m',
      v: 'second moment v',
      momentum: 'velocity',
      velocity: 'velocity',
    },
  },

  keys: {
    label: 'Keys',
    list: [
      ['Arrows', 'move'],
      ['Space, Enter', 'lock or free'],
      ['Shift + arrows', 'extend a rectangle'],
      ['0–9, −', 'type a value'],
      ['Home, End', 'ends of the row'],
      ['Page Up, Page Down', 'ten rows'],
      ['Ctrl + Home, End', 'first and last cell'],
      ['Ctrl + Z, Ctrl + Y', 'undo, redo'],
    ],
  },

  messages: {
    dismiss: 'Dismiss',
    /** @param {number} row @param {number} col */
    locked: (row, col) =>
      `Row ${row}, column ${col} is locked, so it keeps its value. Free it first (Space), then set it.`,
    /** @param {string} given @param {string} kept */
    notANumber: (given, kept) => `“${given}” is not a number, so the cell keeps ${kept}.`,
    /** @type {Record<string, (given: string, kept: string) => string>} */
    options: {
      learningRate: (given, kept) =>
        `A learning rate is a number from 0 up, such as 0.01. “${given}” is none, so ${kept} stays.`,
      momentum: (given, kept) =>
        `Momentum is a number from 0 up to, but not including, 1. “${given}” is none, so ${kept} stays.`,
      weightDecay: (given, kept) =>
        `Weight decay is a number from 0 up, such as 0.004. “${given}” is none, so ${kept} stays.`,
    },
    /** @param {string} field */
    refused: (field) => `That was not taken (${field}); everything stays as it was.`,
    diverged:
      'The numbers have grown beyond all bounds: the learning rate is too large for this optimizer. Grey cells are no numbers any more; locked cells still hold. Reset, and try a smaller rate.',
    failed: 'The library refused this, and everything stays as it was.',
    broken:
      'The demo could not start. It needs a browser with WebAssembly SIMD, from 2023 or later.',
  },

  /** What a screen reader hears now and then. */
  spoken: {
    /** @param {string} status @param {string} step @param {string} loss @param {string} locks */
    summary: (status, step, loss, locks) => `${status}. Step ${step}, loss ${loss}, ${locks}.`,
  },
};
