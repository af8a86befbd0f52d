/**
 * All texts of the page. A translation is another table like this one. Numbers arrive formatted,
 * but for those that choose a plural.
 */

import { classEn } from './class-en.js';

/** Texts, and what makes a text of what it is given. @typedef {{ [name: string]: string | ((...given: any[]) => string) | (string | string[])[] | Table }} Table */

/** @satisfies {Table} */
export const en = {
  languageName: 'English',
  tagline: 'Lock any cell. Train the rest. Exactly.',
  gallery: {
    label: 'Scenes',
    all: 'All scenes',
    groups: { start: 'Start', leaks: 'Why masks leak', networks: 'Networks', yours: 'Yours' },
    next: (name) => `Next: ${name}`,
    key: 'N opens the next scene',
  },
  skip: 'Skip to Play',
  close: 'Close',
  cancel: 'Cancel',
  /** The switch from locks to a mask, and a name in the picture. */
  lockOrMask: {
    label: 'What holds the cells',
    ...{ ways: { lock: 'Lock', mask: 'Mask' }, drift: 'Drifted by', moved: 'moved' },
    told: (moved, held) => `${moved} of ${held} held ${held === '1' ? 'cell' : 'cells'}`,
    by: (farthest) => `by up to ${farthest}`,
    other: {
      lock: (far, fades) => `Usual trick, a mask${far ? `: it ${fades ? 'fades' : 'moves'}` : ''}.`,
      mask: 'A lock: as you held it.',
      ahead: 'Once you lock, see here what the usual way, a mask, does.',
    },
    crops: 'When held, Lock now, Mask now',
    none: 'What you lock stays as it is now, exactly. The rest goes on.',
    maskHint: 'A mask multiplies the gradient of the held cells by 0',
    stays: 'Your lock: not one bit changes.',
    since: 'since the lock',
    kept: (told) => `Before, under the mask: ${told}.`,
    why: {
      adamW: 'The mask stops the pull, but each step also shrinks every number.',
      sgd: 'The mask stops their gradient, and plain SGD uses nothing else.',
      empty: 'The mask stops their gradient, and the optimizer remembers none.',
      memory: 'The mask stops their gradient, but the optimizer remembers earlier ones.',
    },
    name: 'Your name',
    write: 'Lock it in',
    unwritable:
      'This name cannot be written here. Use A to Z and 0 to 9, at most 24 letters, or a larger grid. You can also draw it with the pointer.',
  },
  simpleOrFull: { more: 'All controls', fewer: 'Fewer controls' },

  run: {
    ...{ label: 'Run', play: 'Play', pause: 'Pause', step: 'Step', steps: '10 steps' },
    reset: 'Reset',
    resetHint: 'Start again from step 0. Locks stay, and Undo restores the run.',
    ...{ stepCount: 'step', goesOn: 'Play continues from here', rewind: 'Step shown' },
    rewound: (step) => `step ${step}`,
  },

  status: {
    ...{ ready: 'Ready', running: 'Training', paused: 'Paused', settled: 'Settled' },
    ...{ allLocked: 'All locked', diverged: 'Diverged', looking: 'Earlier step' },
    replaying: 'Replaying',
  },

  /** Shown while a long run is replayed. */
  replay: (step, to) => `Repeating the run exactly: step ${step} of ${to}`,

  settings: {
    label: 'Settings',
    rule: 'Optimizer',
    rules: { sgd: 'SGD', momentum: 'Momentum', nesterov: 'Nesterov', adam: 'Adam', adamW: 'AdamW' },
    learningRate: 'Learning rate',
    learningRateSlider: 'Learning rate, in steps of 1, 2, 5',
    ...{ momentum: 'Momentum', weightDecay: 'Weight decay', speed: 'Speed' },
    speeds: (speed) => (speed ? `${speed} steps/s` : 'Fastest'),
    ...{ size: 'Grid', seed: 'Seed', beside: 'Also show', rivalRule: 'Other optimizer' },
    ...{ rivalRate: 'Its learning rate', theme: 'Dark or light', toDark: 'Dark' },
    toLight: 'Light',
  },

  beside: {
    values: 'Values',
    trueLock: 'Lock',
    /** @type {Record<string, string>} */
    names: {
      none: 'Nothing',
      gradient: 'Gradient',
      slot0: 'First moment',
      slot1: 'Second moment',
      velocity: 'Velocity',
      change: 'Change since start',
      target: 'Target',
      pressure: 'Pressure on locks',
      clock: 'Steps taken',
      mask: 'The same run with a mask',
      rule: 'The same run, other optimizer',
    },
    mask: 'Usual trick: mask',
  },

  prune: {
    label: 'Prune the smallest',
    ...{ act: 'Prune', anew: 'Prune and rewind' },
    hint: 'The smallest weights become 0 and are locked',
  },

  share: {
    label: 'Share and export',
    link: 'Link to this run',
    copy: 'Copy link',
    copied: 'Copied',
    notCopied:
      'The browser did not allow copying. The text is selected: copy it with the keyboard.',
    embed: 'Copy for embedding',
    tooLong: 'This run is too long for a link. Save it as a file, which contains all of it.',
    png: 'Picture (PNG)',
    svg: 'Vector picture (SVG)',
    pictured: (name, step) => `${name} at step ${step}`,
    described: (loss, locked) =>
      `Each square is a number, and its colour shows the value. Outlined squares are locked: ${locked}. The loss is ${loss}.`,
    film: 'Record a film (GIF)',
    filmStop: 'Stop and save the film',
    filming: 'The film is being recorded.',
    seconds: 'Seconds',
    csv: 'Values (CSV)',
    json: 'Run (JSON)',
    code: 'Code (npm)',
    open: 'Open a run (JSON)',
  },

  drift: {
    label: 'Drift',
    moved: (count) => `${count} moved`,
    which: 'What the chart shows',
    chart: (drift, step) =>
      `Drift of held cells after ${step} steps: 0 under the lock, ${drift} under the mask.`,
    mask: 'drift under the mask',
    why: 'The run that leaks has the lower loss, because it also moves cells that it should hold. So a lower loss does not prove that a lock works.',
  },

  /** The question before the first step. */
  guess: {
    title: 'Guess first',
    pass: 'Just show me',
    judged: (isRight, told) =>
      isRight === null ? told : `${isRight ? 'Right' : 'Not quite'}. ${told}`,
    made: (answer) => `Your guess: “${answer}”.`,
  },

  code: {
    label: 'Code of this run',
    copy: 'Copy code',
    page: 'Save as a page that runs',
    long: (thousands) =>
      `These are the first lines of ${thousands},000 characters. Copy or save the code to get all of it.`,
  },

  own: {
    label: 'Your numbers',
    paste: 'Paste a table',
    field:
      'Numbers, one row per line: CSV, from a spreadsheet, or JSON. Leave gaps empty, or write “?”.',
    use: 'Use these numbers',
    file: 'Choose a file',
    example: '0 0.5 1\n0.5 ? 0.5\n1 0.5 0',
    drop: 'Drop numbers, an image or a saved run here',
    taken: (rows, cols) => `Your table: ${rows} rows and ${cols} columns.`,
    questions: {
      header: 'The first line has',
      headers: ['names', 'numbers'],
      names: 'Names of rows',
      none: 'none',
      decimal: 'Decimal mark',
      marks: ['point', 'comma'],
    },
    hidden: 'The grid is too large for names. The panel “Cell” shows them.',
    scaled: (divisor) => `All numbers are divided by ${divisor}.`,
    image: (rows, cols) =>
      `Your image: ${rows} rows and ${cols} columns. Black is −1, white is +1.`,
    gaps: (count) =>
      count === 1
        ? 'The gap is free; the rest is locked.'
        : `The ${count} gaps are free; the rest is locked.`,
    erased: 'Parts are erased.',
    stays: 'The earlier run is still there.',
    /** @type {Record<string, (where: any) => string>} by the problem, with its position and what was given */
    problems: {
      empty: () => 'There are no numbers in the field yet.',
      ragged: ({ line, isRow, count, wanted }) =>
        `${isRow ? 'Row' : 'Line'} ${line} has ${count} ${count === 1 ? 'cell' : 'cells'}, but the first has ${wanted}.`,
      quote: ({ line }) => `Line ${line}: a quoted cell does not end with its quote.`,
      header: ({ line, given }) =>
        `Line ${line}, “${given}…”, may be names or numbers. Choose below the field.`,
      decimals: ({ line, column, given }) =>
        `Line ${line}, cell ${column}: “${given}” has another decimal mark than other cells.`,
      notANumber: ({ line, isRow, column, given }) =>
        `${isRow ? 'Row' : 'Line'} ${line}, cell ${column}: “${given}” is not a number.`,
      noCell: ({ line, column }) => `Line ${line}, cell ${column} is empty.`,
      grouped: ({ line, column, given }) =>
        `Line ${line}, cell ${column}: “${given}” can mean one number or a thousand times as much. Choose the decimal mark below the field.`,
      tooLarge: () => 'That is too large. Use at most 128 rows and 128 columns.',
      tooSmall: () => 'That is too small. Use at least two rows and two columns.',
      image: () => 'The browser cannot read this file as an image.',
      json: () => 'This begins like JSON but is not valid JSON.',
      jsonShape: () =>
        'This JSON contains no table. Use a list of rows such as [[0, 1], [1, 0]], or an object with such a list as "values".',
      binary: () => 'This file is neither text nor an image.',
      oneColumn: () => 'There is one column. Points need two: x and y. A third one may be sigma.',
      oneX: () => 'All points have the same x. Points need different x, up to 3.4e38.',
      fewPoints: ({ count }) => `There are ${count} rows of points. Use at least 4.`,
      manyPoints: ({ count }) => `There are ${count} rows of points. Use at most 2000.`,
      sigma: ({ line, column, given }) =>
        `Line ${line}, cell ${column}: sigma is ${given}. Sigma is the uncertainty of y and must be above 0.`,
    },
  },
  points: {
    label: 'Your own points',
    field: 'Columns x, y and, if you know it, sigma: CSV, or from a spreadsheet',
    use: 'Use these points',
    file: 'Or a CSV file',
    back: 'Back to the example',
    example: 'x,y,sigma\n0,0.2,0.1\n1,0.9,0.1\n2,0.3,0.1',
    taken: (count, names) =>
      `${count} points. x, y${names.length > 2 ? ' and sigma' : ''} come from ${names.length > 2 ? 'the columns' : 'columns'} ${names.join(', ')}.`,
    noSigma: 'There is no sigma, so the errors are estimated from the misfit.',
    left: (count) =>
      `${count === 1 ? 'One other column is' : `${count} other columns are`} not used.`,
    scaled:
      'The grid has scaled values; the plot and the report have yours. Peaks stand on 0: subtract a background first.',
  },
  fit: {
    label: 'Report of the fit',
    caption: 'The best fit from here, in the units of the data. ± is the standard error.',
    ...{ parameter: 'Parameter', found: 'Value', min: 'Min', max: 'Max' },
    exact: '(locked: exact)',
    heldAt: { min: 'held at its min', max: 'held at its max' },
    take: 'Move the cells to this fit',
    text: 'The whole report as text',
    stopped: {
      gradient: 'The fit has converged: no free parameter can make it better.',
      change: 'The fit has converged: a full step changes nothing that matters.',
      resolution: 'The fit has converged as far as 32-bit numbers can tell.',
      steps: 'The fit has not converged: it took all the steps allowed.',
      noProgress: 'The fit has not converged: it found nothing better from here.',
      notFinite: 'The fit has not converged: the numbers have grown without limit.',
      unbounded: 'The fit has not converged: it gets better without end.',
      locked: 'All parameters are locked, so there is nothing to fit.',
    },
    chi: (chi, freedom) => `Reduced χ² = ${chi} with ${freedom} degrees of freedom.`,
    poor: 'That is far above 1: there is a better place elsewhere, or the model misses something. Train first, or set a start by hand.',
    fromSigma: 'Errors come from the known noise.',
    fromResiduals: 'Errors are estimated from the misfit.',
    undetermined: (names) =>
      `The data cannot tell these apart, so their errors are infinite: ${names}. Lock one of them, or free fewer.`,
    refused: 'There is no fit from here.',
  },

  lesson: {
    guess: 'Guess first. Training will show the answer.',
    label: 'Tour',
    count: (at, all) => `${at} of ${all}`,
    ...{ back: 'Back', next: 'Next', done: 'Done', skip: 'Skip the tour' },
    act: 'Do it',
  },

  loss: {
    label: 'Loss',
    log: 'Log scale for wide ranges',
    chart: (first, now, steps) => `Loss by step: from ${first} to ${now} in ${steps} steps`,
    empty: 'The loss will be drawn here, step by step.',
    marker: 'locks changed',
    rival: 'other run',
    lost: 'not a number',
  },

  locks: {
    label: 'Locks',
    all: 'Lock all',
    none: 'Free all',
    whole: (name) => `${name}: lock all`,
    matrix: 'Lock or free the whole matrix',
    draw: 'Draw locks',
    drawHint: 'Your finger draws locks instead of scrolling',
    invert: 'Invert',
    undo: 'Undo',
    redo: 'Redo',
    brush: 'Brush',
    brushes: (side) => (side === 1 ? '1 cell' : `${side} × ${side}`),
    count: (locked, all) => `${locked} of ${all} cells locked`,
    masked: (held, all) => `${held} of ${all} cells held by a mask`,
    both: (held, all) => `${held} of ${all} cells held`,
    moved: (moved, count) =>
      count === 0 ? 'training moved none of them' : `${moved} have moved: please report this`,
  },

  lede: {
    free: 'Nothing is locked now: everything changes.',
    masked: 'A mask holds them now: no pull. And yet they move.',
    empty: 'Draw a stroke: a mask will hold it.',
    again: 'The lock holds them from here on, exactly. What the mask moved is lost.',
    byTouch: (text) =>
      text
        .replace('Click', 'Tap')
        .replace(/\bclick\b/, 'tap')
        .replace('or draw a stroke', 'or hold and draw')
        .replace('Press', 'Hold'),
  },

  legend: {
    label: 'Legend',
    locked: 'locked',
    blank: 'blank',
    drifted: 'held by a mask, but moved',
    half: 'moved; lower half: before',
    next: 'next step',
  },

  inspector: {
    label: 'Cell',
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
    gradientHeld: 'gradient, ignored',
    next: 'next step under the mask',
    memory: '… from earlier gradients',
    decay: '… from weight decay',
    clock: 'trained for',
    steps: (steps, isOne) => `${steps} ${isOne ? 'step' : 'steps'}`,
    /** The optimizer's slots, by the library's names. @type {Record<string, string>} */
    slots: {
      m: 'first moment m',
      v: 'second moment v',
      momentum: 'velocity',
    },
  },

  licences: 'Licences',
  reference: ['Essay: why frozen weights move', 'Reference: guide, JavaScript and C'],
  /** Below the demo. */
  about: {
    label: 'About',
    colours: [
      'What the colours mean',
      'Each cell is one number: blue above 0, orange below, pale near 0. Training changes all free numbers a little at each step, so that the loss falls. A locked number stays as it is, to the bit (every 0 and 1 in memory).',
    ],
    leaks: [
      'Why a mask leaks',
      'The usual trick multiplies the gradient of held numbers by 0. But optimizers do more than follow the gradient. Momentum and Adam go on with earlier gradients, and weight decay shrinks every number. So held numbers drift, and nothing says so. A lock takes a number out of the optimizer: no step, no memory, no decay.',
    ],
    above: (told) => `Above, ${told}.`,
    uses: [
      'What locks are for',
      'Teach a network something new and keep what it knows. Prune weights and train the rest. Fill the gaps of a table and leave what was measured. Fit a curve of which some parameters are known. Pin points of a drawing.',
    ],
    library: [
      'Use it in your code',
      'gradlock is a small C library that runs in browsers and in Node.js. It knows the optimizers of TensorFlow and Keras.',
    ],
  },

  keys: {
    label: 'Keys',
    list: [
      ['Arrows', 'move, also to the next matrix and to names, which lock a whole row or column'],
      ['Space, Enter', 'lock or free'],
      ['Shift + arrows', 'extend the cell’s lock to a rectangle'],
      ['0–9, −', 'type a value'],
      ['Home, End', 'go to the ends of the row'],
      ['Page Up, Page Down', 'go ten rows up or down'],
      ['Ctrl + Home, End', 'go to the first or last cell'],
      ['Ctrl + Z, Ctrl + Y', 'undo, redo'],
      ['N', 'go to the next scene'],
    ],
  },

  messages: {
    dismiss: 'Dismiss',
    locked: ({ row, col }) =>
      `Row ${row}, column ${col} is locked, so it keeps its value. Free it first (Space), then set it.`,
    notANumber: ({ given, kept }) => `“${given}” is not a number, so the cell keeps ${kept}.`,
    grouped: ({ given, kept }) =>
      `“${given}” can mean one number or a thousand times as much, so the cell keeps ${kept}. Type it without a comma.`,
    beyond: ({ given, kept }) =>
      `“${given}” is too large for a 32-bit number, so the cell keeps ${kept}. Type a number up to 3.4e38.`,
    /** @type {Record<string, (trouble: any) => string>} */
    options: {
      learningRate: ({ given, kept }) =>
        `“${given}” is not a learning rate, so ${kept} stays. Type a number from 0 up, such as 0.01.`,
      momentum: ({ given, kept }) =>
        `“${given}” is not a momentum, so ${kept} stays. Type a number from 0 up that is less than 1.`,
      weightDecay: ({ given, kept }) =>
        `“${given}” is not a weight decay, so ${kept} stays. Type a number from 0 up, such as 0.004.`,
    },
    outside:
      'This value is outside of the bounds, so the cell keeps its value. Change the bounds first.',
    bound: 'The cell is locked at a value outside of these bounds. Nothing has changed.',
    range: ({ name }) =>
      `These are no bounds for ${name}: type numbers, with min at most as large as max. Nothing has changed.`,
    noScene:
      'This link or file names no scene of this page. It may be damaged, or made by a newer version of the page. Another scene is open instead.',
    /** @param {{ field: string }} trouble */
    link: ({ field }) =>
      `A part of this link or file could not be read (${field}). The rest is loaded.`,
    edits: ({ left }) =>
      `${left === 1 ? 'One edit' : `${left} edits`} of this run could not be read. The run is replayed without ${left === 1 ? 'it' : 'them'}, so its numbers may differ.`,
    file: 'This file contains no run. Nothing has changed.',
    refused: ({ field }) => `This was refused (${field}). Nothing has changed.`,
    diverged:
      'The numbers have grown without limit: the learning rate is too large for this optimizer. Grey cells are not numbers any more; locked cells keep their values. Reset, and try a smaller learning rate.',
    tooLarge:
      'The value that you set is so large that the loss does not fit into a 32-bit number. Undo, or set a smaller value.',
    drawing: 'A part of this page could not be drawn. The run continues.',
    figure: 'This figure could not be drawn. The run continues.',
    offline:
      'A part of this page is not loaded yet, and the server cannot be reached. Nothing has changed. Check the connection and try again. If that does not help, reload the page.',
    failed: 'The library refused this. Nothing has changed.',
    sandboxed:
      'The demo could not start its worker, because it is in a frame with a sandbox. Add allow-same-origin to the sandbox of the frame.',
    broken:
      'The demo could not start. It needs a browser from 2023 or later, with WebAssembly SIMD.',
  },

  /** Regular reports for screen readers. */
  spoken: (status, step, loss, locks, drift) =>
    `${status}. Step ${step}, loss ${loss}, ${locks}.${drift && ` ${drift}.`}`,

  ...classEn,
};
