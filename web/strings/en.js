/**
 * Every word the page says, in one table, so that another language is another table and nothing else.
 * Functions take what varies; numbers arrive already formatted.
 */

/** @typedef {{ question: string, answers: string[], told: (facts: import('../scenes/guesses.js').Facts) => string }} GuessStrings */

/**
 * @typedef {object} SceneStrings
 * @property {string} name
 * @property {string} lede
 * @property {string} hint
 * @property {string} [sizeLabel]
 * @property {Record<string, { label: string, names: Record<string, string> }>} [choices]
 * @property {Record<string, string>} [grids]  what its variables are called
 * @property {string} [whole]  what the names of its variables do
 * @property {Record<string, string>} [names]  of rows, columns and words that are not called by their keys
 * @property {Record<string, Record<string, string | ((...given: any[]) => string)>>} [figures]  what its figures say, by their ids
 * @property {GuessStrings} [guess]
 *   asked before the first step, and what happened
 * @property {string[]} lesson                 five steps, told beside scenes/lessons.js
 */

/** Of the pad to draw on, which several scenes have. */
const pad = {
  /** @param {boolean} isDown */
  label: (isDown) =>
    `Pad to draw a digit on. Arrows move the pen, Space ${isDown ? 'lifts it' : 'puts it down'}, Delete clears.`,
  samples: 'Digits written by others',
  /** @param {number} digit */
  sample: (digit) => `A ${digit} by somebody else`,
  clear: 'Clear',
};

/** Of the points of a plane that a network tells apart. */
const plane = {
  /** @param {string} score @param {string} test @param {string} loss */
  label: (score, test, loss) =>
    `${score} of the points are on the right side, and ${test} of 160 others that it never trains on (loss ${loss}).`,
};

/** Of a network whose layers are grids, and of the points that it tells apart. */
const layered = {
  sizeLabel: 'Hidden layers',
  choices: {
    data: { label: 'Data', names: { circle: 'Circle', xor: 'Exclusive or', spiral: 'Spiral' } },
  },
  grids: { w1: 'Inputs to layer 1', w2: 'Layer 1 to layer 2', w3: 'Output' },
  whole: 'Lock or free the layer, its bias too',
  names: { bias: 'bias' },
};

export const en = {
  languageName: 'English',
  title: 'gradlock',
  tagline: 'Lock any cell. Train the rest. Exactly.',
  scenesLabel: 'Scenes',
  /** Simple or full. */
  detail: { more: 'All controls', fewer: 'Fewer controls' },

  /** @type {Record<string, SceneStrings>} */
  scenes: {
    'two-by-two': {
      name: 'Two by two',
      lede: 'Four numbers, each with a goal. Two are locked. Press Play: the free ones learn, and the locked ones keep every bit.',
      hint: 'Click a cell to lock or free it, while it runs too.',
      guess: {
        question: 'While the others train, what will the two locked cells do?',
        answers: ['Move a little', 'Stay, to the bit', 'Move at first only'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} of ${facts.held} locked cells have moved.`
            : `None of the ${facts.held} locked cells has moved by a single bit.`,
      },
      lesson: [
        'Four cells, four numbers. Each wants to become its goal. Two wear a padlock and a hatch: they are locked.',
        'Train 50 steps and watch: the free cells travel to their goals. The locked ones stand still.',
        'The count below says it exactly: none of the locked cells has moved by a single bit.',
        'Locks can change at any time. Free the cell at the top right, then train on: it sets out as if it were the first step, by its own clock.',
        'A value can be set by hand: choose a cell and type. A locked cell refuses, and says so. Now try what you like.',
      ],
    },
    picture: {
      name: 'Picture',
      lede: 'Noise learns to be a picture. Draw on it: whatever you lock stays as it is, and the picture grows around it.',
      hint: 'Drag to draw locks. Start on a locked cell to wipe them off.',
      choices: {
        picture: {
          label: 'Picture',
          names: { evening: 'Evening', heart: 'Heart', ripples: 'Ripples' },
        },
      },
      guess: {
        question: 'Every cell moves to a picture. What becomes of the locked ring?',
        answers: [
          'It turns into the picture, too',
          'It stays the noise it is',
          'It blurs into its neighbours',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} cells of the ring have moved.`
            : `The ring is the noise it was: none of its ${facts.held} cells has moved by a single bit.`,
      },
      lesson: [
        'A thousand cells of noise, and a ring of them is locked.',
        'Train: every free cell moves to its place in the picture. The ring stays noise.',
        'Draw with the pointer, or hold Shift and move with the arrows: what you lock now keeps what it has learnt so far.',
        'Beside the cells you can see what the optimizer knows. This is the gradient: locked cells feel one too, and do not follow it.',
        'Slide back below the chart to an earlier step, or change the optimizer while it runs. Now draw what you like.',
      ],
    },
    membrane: {
      name: 'Membrane',
      lede: 'A film that wants to be smooth. Locked cells are its frame: they hold still, and the film stretches between them.',
      hint: 'Lock cells in the middle and the film hangs from them too.',
      choices: {
        frame: {
          label: 'Frame',
          names: { saddle: 'Saddle', crown: 'Crown', tilt: 'Tilt', photo: 'A photo with holes' },
        },
      },
      lesson: [
        'Every cell wants to be like its neighbours. The rim is locked: it is the wire frame of a soap film.',
        'Train: the noise goes smooth, and the film stretches from rim to rim.',
        'Pressure is what a lock costs: how much the loss would fall if that cell could move. It is drawn beside the film.',
        'The same problem mends pictures: here seven of ten cells are lost. What is left is locked; the film fills the holes.',
        'Lock cells in the middle of the film and it hangs from them. Now stretch one of your own.',
      ],
    },
    'leak-lab': {
      name: 'Leak lab',
      lede: 'The same problem twice: with a true lock, and with what people do today, the gradient times 0. After 8 free steps the same cells are held in both.',
      hint: 'Switch the optimizer and see when the mask leaks.',
      guess: {
        question:
          'On the right the gradient of the held cells is multiplied by 0. How many of them will move?',
        answers: ['None: no gradient, no step', 'A few', 'All of them'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Under the mask ${facts.moved} of ${facts.held} held cells have moved, by up to ${facts.farthest}; under the true lock, none.`,
      },
      lesson: [
        'Both start alike and train freely for 8 steps. Then the same cells are held: here by a lock, there by a mask that multiplies their gradient by 0.',
        'Under Adam, train on. The mask’s cells go on moving: Adam’s moments still carry them. A crack in a padlock marks each cell that left its place.',
        'Under plain SGD nothing carries them, and the mask holds. That is why the trick looks right at first.',
        'Momentum remembers, so the mask leaks again. No gradient, yet it moves.',
        'AdamW’s weight decay shrinks every cell, held or not: the mask’s cells never come to rest. The lock: still none, by a single bit.',
      ],
    },
    network: {
      name: 'Weights',
      lede: 'A small network learns which points are which. Its weights are cells: lock some, or set the smallest to 0 for good, and the others learn around them.',
      hint: 'Rows are where a weight comes from, columns where it goes. Click a cell or an edge to lock it.',
      ...layered,
      figures: {
        net: {
          /** @param {number} layer @param {number} last */
          layers: (layer, last) =>
            layer === 0 ? 'Inputs' : layer === last ? 'Output' : `Layer ${layer}`,
          /** @param {number} all @param {number} held */
          label: (all, held) =>
            `The network: ${all} edges, ${held} of them locked (sleepers). Point at an edge or at its cell to see the other.`,
        },
        plane,
      },
      lesson: [
        'Discs and squares on a plane. The colours behind them are what the network says; its weights are the cells, and the edges: point at one to see the other.',
        'Train 300 steps: the colours close in on the points.',
        'Prune: half of each matrix, the smallest weights, become 0 and are locked there.',
        'Train on. The pruned weights stay 0 to the bit, and the others make up for them.',
        'Lock a whole column by a rectangle (Shift), or choose the spiral and see how many weights it needs.',
      ],
    },
    lottery: {
      name: 'Lottery ticket',
      lede: 'A network is pruned and starts again: what is left of it gets its first values back. If it then learns as well as the whole, it was a winning ticket. As many weights drawn by lot seldom are.',
      hint: 'Train, then prune and rewind, then train again. Only the weights that are left are drawn as edges.',
      ...layered,
      figures: {
        lottery: {
          kept: 'Weights to keep',
          /** @param {string} kept @param {number} count @param {number} all */
          keptOf: (kept, count, all) => `${kept} %: ${count} of ${all}`,
          prune: 'Prune and rewind',
          start: 'Draw the curve',
          again: 'Draw it again',
          stop: 'Stop',
          progress: 'How much of the curve is drawn',
          plot: 'Runs of the study: accuracy over weights kept',
          across: 'weights kept',
          up: 'unseen points told right',
          ticket: 'Ticket',
          random: 'By lot',
          ticketKey: 'ticket',
          randomKey: 'drawn by lot (line: mean of three)',
          liveKey: 'this run',
          /** @param {string} kind @param {number} kept @param {number} count @param {number} all @param {string} score */
          point: (kind, kept, count, all, score) =>
            `${kind}, ${kept} % kept (${count} of ${all}): ${score} of the unseen points right.`,
          opens: 'Enter or click: open it.',
          hint: 'Each mark is a run: point at it to read it, click to open it.',
          before: 'The curve takes 41 runs of 1,500 steps. They are trained aside.',
          /** @param {number} at @param {number} count */
          running: (at, count) => `Training run ${at} of ${count}, aside.`,
          /** @param {number} done @param {number} count */
          part: (done, count) => `${done} of ${count} runs are drawn.`,
          /** @param {number} count */
          done: (count) => `All ${count} runs are drawn, 1,500 steps each.`,
          stale: 'They were drawn with another optimizer: draw the curve again.',
        },
        net: {
          /** @param {number} layer @param {number} last */
          layers: (layer, last) =>
            layer === 0 ? 'Inputs' : layer === last ? 'Output' : `Layer ${layer}`,
          /** @param {number} all @param {number} held */
          label: (all, held) =>
            `The network: ${all} edges, ${held} of them locked. Edges that are locked at 0 are left out until they are pointed at.`,
        },
        plane,
      },
      lesson: [
        'The network of Weights, only larger: 267 weights that are to learn a spiral. At first each has a value drawn at random.',
        'Train 1,500 steps: it learns the spiral, also where it saw no points.',
        'Prune and rewind: the smaller two thirds of each matrix become 0 and are locked there; the others get the values back that they had at first.',
        'Train again. A third of the weights, from the same first values: has it found a winning ticket? The cross in the plot says it.',
        'Draw the curve: it prunes a fifth at a time, and beside each ticket trains as many weights drawn by lot. Open a mark to see its run.',
      ],
    },
    digits: {
      name: 'Digits',
      lede: 'Real handwriting, told apart by ten images of weights. A pixel counts for a digit where its image is blue, and against it where it is orange.',
      hint: 'Lock an image, or cells of it, and see what the score makes of it.',
      grids: Object.fromEntries(
        Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`]),
      ),
      figures: {
        images: {
          /** @param {string} score */
          label: (score) => `${score} of 300 unseen digits are read right.`,
        },
      },
      lesson: [
        'Twenty of 300 digits that the model never trains on, with its guess below each. At first it knows nothing.',
        'Train 50 steps: each image becomes a picture of what speaks for its digit, and what against.',
        'Prune: the smallest weights become 0 and are locked there. The corners go first: hardly a stroke ever passes.',
        'Train on: the pruned weights stay 0, and the score barely falls.',
        'Lock one image whole before you start anew: that digit has to make do with what it has.',
      ],
    },
    kernels: {
      name: 'Kernels',
      lede: 'A network reads handwriting through eight 3×3 kernels, each a small image that is looked for everywhere. Draw a digit and watch what each kernel sees of it.',
      hint: 'Type a filter into a kernel, lock it, and the others learn around it.',
      choices: {
        kernels: {
          label: 'Kernels',
          names: {
            sobel: 'Two of Sobel’s, locked',
            random: 'Random, free',
            locked: 'Random, all locked',
          },
        },
      },
      grids: {
        ...Object.fromEntries(
          Array.from({ length: 8 }, (_, i) => [`kernel${i + 1}`, `Kernel ${i + 1}`]),
        ),
        ...{ biases: 'Biases of the kernels', head: 'Head: ten digits by what it reads' },
        offsets: 'Bias',
      },
      figures: {
        pad,
        features: {
          /** @param {number | null} digit @param {string | null} score */
          label: (digit, score) =>
            `${digit === null ? 'The pad is empty.' : `This looks like a ${digit} to it.`} ${score} of 300 unseen digits are read right.`,
        },
      },
      lesson: [
        'Eight kernels, and below each its map: blue where what the kernel looks for was found in the digit on the pad. The first two are Sobel’s, for edges that stand and edges that lie; they are locked.',
        'Train 200 steps: six kernels become what helps, two stay what they were typed to be, to the bit.',
        'Draw a digit of your own on the pad, and see which maps light up.',
        'Now all eight are locked as they were drawn at random. Train: the head alone has to make do with what they see.',
        'Free one kernel and train on. How far does one that learns carry the others?',
      ],
    },
    freeze: {
      name: 'Freeze the base',
      lede: 'A small convolutional network knows the digits 0 to 4. Its base and those five answers are locked, and the other five learn 5 to 9 from twenty examples each.',
      hint: 'Unlock everything and start anew: the new digits cost the old ones.',
      guess: {
        question: 'The new digits are learnt on a locked base. What becomes of the old ones?',
        answers: [
          'They are forgotten',
          'What is known of them stays, to the bit',
          'They get better, too',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} of ${facts.held} locked weights have moved.`
            : `None of the ${facts.held} locked weights has moved by a single bit, so the five old answers to any image are the same numbers as before.`,
      },
      choices: {
        examples: {
          label: 'Examples',
          names: { new: 'Of new digits', both: 'Of new and a few old' },
        },
      },
      grids: {
        ...{ head: 'Head: a column a digit', bias: 'Its bias' },
        ...{ conv1: 'Base: first kernels', bias1: 'Their biases' },
        ...{ conv2: 'Base: second kernels', bias2: 'Their biases' },
      },
      names: { bias: 'bias' },
      figures: {
        accuracy: {
          padlock: 'Base and answers 0 to 4',
          ...{ old: 'Old digits, 0 to 4', fresh: 'New digits, 5 to 9' },
          ...{ lock: 'lock', mask: 'mask', free: 'no lock' },
          /**
           * @param {{ old: string, fresh: string }} own
           * @param {{ key: string, old: string, fresh: string }[]} lines
           * @param {{ all: number, changed: number } | null} answers
           */
          label: (own, lines, answers) => {
            /** @type {Record<string, string>} */
            const names = {
              lock: 'with the lock',
              mask: 'with a mask',
              free: 'with nothing locked',
            };
            const told = lines.map(({ key, old, fresh }) => `${names[key]} ${old} and ${fresh}`);
            const kept = answers
              ? answers.changed
                ? ` ${answers.changed} of ${answers.all} old answers are other numbers than before.`
                : ` All ${answers.all} old answers that are watched keep every bit.`
              : '';
            return `Of unseen digits, old and new, ${own.old} and ${own.fresh} are read right${told.length ? `; ${told.join(', ')}` : ''}.${kept}`;
          },
        },
        pad,
        features: {
          /** @param {number | null} digit */
          label: (digit) =>
            digit === null ? 'The pad is empty.' : `This looks like a ${digit} to it.`,
        },
      },
      lesson: [
        'A network that Keras taught the digits 0 to 4. Its base and the columns 0 to 4 of its head are locked.',
        'Train 200 steps: the columns 5 to 9 learn. Nothing else moves.',
        'Beside it the same lock as a mask under AdamW: its weight decay moves every old weight.',
        'Free everything and start anew: the new digits are learnt well, and the old ones are gone.',
        'With a few old digits among the examples less is forgotten. Compare it with the lock.',
      ],
    },
    words: {
      name: 'New words',
      lede: 'An embedding table: nine known words are locked, five new ones learn what they mean. Beside it the same under a gradient mask, which forgets the old words.',
      hint: 'Rows are words. Free a known word and it learns along.',
      guess: {
        question: 'A mask gives the old words no gradient. Will they stay where they are?',
        answers: ['Yes, nothing pulls them', 'No, they move'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Under the mask ${facts.moved} of ${facts.held} old numbers have moved, by up to ${facts.farthest}; under the true lock, none.`
            : 'Under this optimizer they have stayed. Try AdamW.',
      },
      figures: {
        words: {
          /** @param {string} score */
          label: (score) =>
            `${score} of the old words are where they belong (circles). Slanted: new.`,
          ...{ small: 'small', large: 'large', animal: 'animal', thing: 'thing' },
        },
      },
      lesson: [
        'Each row is a word, as eight numbers. A fixed matrix reads a row as a point: animal to thing, small to large. Circles are where words belong.',
        'Train: the five new words find their places from sentences they occur in.',
        'Under the lock, the nine old words keep every bit. Under the mask, AdamW’s decay pulls them to the middle: the model forgets what nobody asked it to.',
        'Plain Adam has no decay: switch, and the forgetting stops. What is forgotten stays forgotten.',
        'Free a row and it takes part. Which words should a model be allowed to change?',
      ],
    },
    graph: {
      name: 'Pinned graph',
      lede: 'Every two nodes want to be as far apart as the graph says. Pinned nodes are locked; the others find their places. Drag one: while you hold it, training cannot pull it away.',
      hint: 'Click a node to pin it, drag it to move it. A row is a node; lock only x or only y, and it slides along a line.',
      choices: {
        graph: {
          label: 'Graph',
          names: { mesh: 'Mesh', tree: 'Tree', club: 'Karate club' },
        },
      },
      guess: {
        question: 'All nodes pull at one another. Will the pinned nodes move?',
        answers: [
          'A little, as the others pull',
          'No, not by a bit',
          'Only until all is in balance',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} of ${facts.held} numbers of pinned nodes have moved.`
            : `The others found their places around them: of the pinned nodes’ ${facts.held} numbers none has moved by a bit.`,
      },
      grids: { x: 'Positions' },
      figures: {
        graph: {
          group: 'Nodes of the graph',
          /** @param {string} name @param {boolean} isHeld */
          node: (name, isHeld) => `Pin node ${name}${isHeld ? ', in hand' : ''}`,
          /** @param {string} name @param {number[]} at */
          moved: (name, at) => {
            const [x, y] = at.map((value) => value.toFixed(2).replace('-', '−'));
            return `Node ${name}, in hand: x ${x}, y ${y}`;
          },
          /** @param {string} name */
          freed: (name) => `Node ${name}: let go`,
          /** @param {number} all @param {number} pinned */
          label: (all, pinned) =>
            `${all} nodes, ${pinned} of them pinned. Thin, blue edges are too long, thick, orange ones too short. Click or Space pins a node; drag it, or move it by arrows, until Enter lets it go. Page keys go to the next.`,
        },
      },
      lesson: [
        'Nodes thrown down at random, and the edges between them like rubber bands. The corners carry a padlock: their rows are locked.',
        'Train: Each pair of nodes goes as far apart as there are edges on the way from one to the other. The loss, called stress, is how far they are from that.',
        'Drag a node while it trains. A drag is a holder of its own: it holds the node for as long as you do. Let go, and it springs back.',
        'A pin is yours, not the drag’s. This pins node 6; now drag it: it stays where you put it.',
        'The same with people: a karate club that broke apart. Its two leaders are pinned, left and right. Who stands with whom? Now pull at them.',
      ],
    },
    peaks: {
      name: 'Peaks',
      lede: 'A spectrum is a sum of four bells. Their widths are known from the instrument, and locked; their heights and places are found.',
      hint: 'A row is a bell. Its width is in tenths of the axis’s unit.',
      choices: { noise: { label: 'Data', names: { noisy: 'With noise', clean: 'Without noise' } } },
      names: { height: 'height', place: 'place', width: 'width' },
      figures: {
        curves: {
          /** @param {string} chi @param {number} freedom */
          label: (chi, freedom) =>
            `Dots: measured. Line: the sum. Dashed: its four parts. Misfit: reduced χ² = ${chi} over ${freedom} degrees of freedom; noise alone makes 1.`,
          /** @param {string} off */
          exact: (off) =>
            `Dots: measured, without noise. Line: the sum. Dashed: its four parts. Misfit: ${off} root mean square.`,
          across: 'place',
          up: 'height',
        },
      },
      lesson: [
        'Dots are measured. Each row of cells is a bell: its height, its place, its width. The widths are locked.',
        'Train 150 steps: heights and places move until the line meets the dots.',
        'The widths have kept every bit: what is known stays known.',
        'Pressure tells what each lock costs: how much the loss would fall if that width could change.',
        'Free a width and train on, or set one wrong by hand and see which bells must pay for it.',
      ],
    },
    own: {
      name: 'Your own',
      lede: 'Bring numbers or an image, choose where they should go and by which loss, lock what must not change, and train.',
      hint: 'Paste numbers below, or drop a file anywhere. Nothing leaves your computer.',
      choices: {
        target: {
          label: 'Target',
          names: {
            data: 'Your data',
            negative: 'Its negative',
            mirror: 'Its mirror image',
            zero: 'Zero',
          },
        },
        loss: {
          label: 'Loss',
          names: {
            squared: 'Squares',
            absolute: 'Distances',
            logCosh: 'Log-cosh',
            smooth: 'Roughness, no target',
          },
        },
      },
      lesson: [
        'Paste a table of numbers into the field below, or drop a file anywhere. Until then: rings on water.',
        'Train: noise becomes your data.',
        'Choose another target, such as the mirror image, and it starts from your data.',
        'Lock cells and train again: what is locked takes no part.',
        'Share a link: it holds your numbers, your locks and every step, to the bit.',
      ],
    },
  },

  run: {
    label: 'Run',
    play: 'Play',
    pause: 'Pause',
    step: 'Step',
    steps: '10 steps',
    reset: 'Reset',
    resetHint: 'Start again from step 0; locks stay, and Undo brings the run back',
    stepCount: 'step',
    rewind: 'Step shown',
    /** @param {string} step */
    rewound: (step) => `step ${step}`,
  },

  status: {
    ready: 'Ready',
    running: 'Training',
    paused: 'Paused',
    settled: 'Settled',
    allLocked: 'All locked',
    diverged: 'Diverged',
    looking: 'Looking back; Play goes on from here',
    replaying: 'Replaying',
  },

  /** While a long run is replayed. */
  replay: {
    cancel: 'Cancel',
    /** @param {string} step @param {string} to @param {string} left */
    text: (step, to, left) => `Replaying to the very bit: step ${step} of ${to}${left}`,
    /** @param {number} seconds not a number while it is not known */
    left: (seconds) => {
      if (Number.isNaN(seconds)) return '';
      if (seconds < 90) return `, about ${Math.max(1, Math.round(seconds))} s left`;
      return `, about ${Math.round(seconds / 60)} min left`;
    },
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
    seed: 'Seed',
    beside: 'Beside it',
    rivalRule: 'Other optimizer',
    rivalRate: 'Its learning rate',
    theme: 'Dark or light',
    toDark: 'Dark',
    toLight: 'Light',
  },

  beside: {
    values: 'Values',
    trueLock: 'True lock',
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
      clock: 'Own clock',
      mask: 'The same, by a gradient mask',
      rule: 'The same, other optimizer',
    },
    mask: 'Gradient mask',
    /** @param {string} reach */
    scale: (reach) => `colours from −${reach} to ${reach}`,
  },

  proof: {
    drift: 'Drift',
    held: 'Audit: every held cell has kept its bits',
    /** @param {number} count */
    leaked: (count) => `Audit: ${count} held ${count === 1 ? 'cell has' : 'cells have'} changed`,
  },

  prune: {
    label: 'Prune the smallest',
    act: 'Prune',
    /** @param {number} percent */
    share: (percent) => `${percent} %`,
    hint: 'They become 0 and are locked there',
  },

  share: {
    label: 'Share and export',
    link: 'Link to this very run',
    copy: 'Copy link',
    copied: 'Copied',
    notCopied: 'This browser did not allow it. What was to be copied is selected: copy it by keys.',
    embed: 'Copy for embedding',
    tooLong:
      'This run has become too long for a link. Save it as a file; the file holds all of it.',
    png: 'Picture (PNG)',
    csv: 'Values (CSV)',
    json: 'Run (JSON)',
    code: 'Code (npm)',
    open: 'Open a run (JSON)',
  },

  drift: {
    label: 'Drift',
    which: 'What the chart shows',
    /** @param {string} drift @param {string} step */
    chart: (drift, step) =>
      `Drift of held cells after ${step} steps: 0 under the true lock, ${drift} under the mask.`,
    mask: 'gradient mask',
    why: 'The run that leaks has the lower loss: it moves cells that it was told to hold, so it has more to fit with. A lower loss is no proof of a lock.',
  },

  /** A question before the first step. */
  guess: {
    title: 'Guess first',
    pass: 'Just show me',
    /** @param {string} answer */
    made: (answer) => `Your guess: “${answer}”.`,
  },

  code: {
    label: 'Code of this run',
    copy: 'Copy code',
    page: 'Save as a page that runs',
    /** @param {number} thousands of characters */
    long: (thousands) =>
      `The beginning of ${thousands},000 characters. Copied or saved it is whole.`,
  },

  own: {
    label: 'Your numbers',
    field: 'Numbers: a row a line, as CSV or from a spreadsheet; or JSON',
    use: 'Use these numbers',
    file: 'Or a file: CSV, JSON or an image',
    drop: 'Drop it: numbers, an image, or a saved run',
    /** @param {number} rows @param {number} cols */
    taken: (rows, cols) => `${rows} rows of ${cols} numbers.`,
    /** @param {number} headers @param {number} names */
    skipped: (headers, names) =>
      `Left out: ${[headers ? 'the header' : '', names ? 'the names of rows' : ''].filter(Boolean).join(' and ')}.`,
    /** @param {string} divisor */
    scaled: (divisor) =>
      `All are divided by ${divisor}, so that they are about 1 in size and usual learning rates suit them.`,
    /** @param {number} rows @param {number} cols */
    image: (rows, cols) =>
      `An image of ${rows} rows and ${cols} columns: black is −1, white +1. It starts as it is; choose where it should go.`,
    stays: 'What ran before is still there.',
    /** @type {Record<string, (where: { line: number, isRow?: boolean, column: number, given: string, count: number, wanted: number }) => string>} */
    problems: {
      empty: () => 'There are no numbers in it yet.',
      ragged: ({ line, isRow, count, wanted }) =>
        `${isRow ? 'Row' : 'Line'} ${line} has ${count} ${count === 1 ? 'cell' : 'cells'}, but the first has ${wanted}.`,
      notANumber: ({ line, isRow, column, given }) =>
        `${isRow ? 'Row' : 'Line'} ${line}, cell ${column}: “${given}” is not a number.`,
      noCell: ({ line, column }) => `Line ${line}, cell ${column} is empty.`,
      grouped: ({ line, column, given }) =>
        `Line ${line}, cell ${column}: “${given}” can mean one number or a thousand times as much. Write it without a comma.`,
      tooLarge: () => 'That is too large: at most 128 rows and 128 columns.',
      tooSmall: () => 'It takes at least two rows and two columns.',
      image: () => 'This file is no image that the browser can read.',
      json: ({ line }) => `This begins as JSON, but is none: see line ${line}.`,
      jsonShape: () =>
        'This JSON holds no table: it takes a list of rows such as [[0, 1], [1, 0]], or an object with that as "values".',
      binary: () => 'This file is neither text nor an image.',
    },
  },

  lesson: {
    guess: 'Guess first; the answer comes with the training.',
    label: 'Tour',
    start: 'Take the tour',
    /** @param {number} at @param {number} all */
    count: (at, all) => `${at} of ${all}`,
    back: 'Back',
    next: 'Next',
    done: 'Done',
    skip: 'Skip the tour',
    act: 'Do it',
  },

  loss: {
    label: 'Loss',
    log: 'Log scale',
    /** @param {string} first @param {string} now @param {string} steps */
    chart: (first, now, steps) => `Loss by step: from ${first} to ${now} in ${steps} steps`,
    empty: 'The loss will be drawn here, step by step.',
    marker: 'locks changed',
    own: 'this run',
    rival: 'beside it',
    test: 'on unseen points',
    lost: 'not a number',
  },

  locks: {
    label: 'Locks',
    all: 'Lock all',
    none: 'Free all',
    /** @param {string} name */
    whole: (name) => `${name}: lock all`,
    matrix: 'Lock or free the whole matrix',
    draw: 'Draw',
    drawHint: 'A finger draws locks instead of scrolling',
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
    /** @param {string} leaked */
    leaked: (leaked) =>
      `under the true lock none has moved by a single bit, under the mask ${leaked} have`,
  },

  legend: {
    label: 'Legend',
    value: 'value',
    locked: 'locked, held to the bit',
    free: 'free, learns',
    drifted: 'held by a mask, has moved',
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
    path: 'Its recent path',
    /** What an optimizer remembers, by the library's name. @type {Record<string, string>} */
    slots: {
      m: 'first moment m',
      v: 'second moment v',
      momentum: 'velocity',
      velocity: 'velocity',
    },
  },

  licences: 'Licences',
  reference: 'Reference: guide, JavaScript and C',

  keys: {
    label: 'Keys',
    list: [
      ['Arrows', 'move, on to the next matrix, up to names, which lock all of theirs'],
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
    /** @param {string} given @param {string} kept */
    grouped: (given, kept) =>
      `“${given}” can mean one number or a thousand times as much, so the cell keeps ${kept}. Type it without a comma.`,
    /** @param {string} given @param {string} kept */
    beyond: (given, kept) =>
      `“${given}” is more than a 32-bit number can hold, so the cell keeps ${kept}. Type a number up to 3.4e38.`,
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
    link: (field) =>
      `Something in this link or file could not be read (${field}). The rest of it is here.`,
    /** @param {number} left */
    edits: (left) =>
      `${left === 1 ? 'One edit' : `${left} edits`} of this run could not be read. The run is replayed without ${left === 1 ? 'it' : 'them'}, so its numbers may differ.`,
    file: 'This file holds no run. Everything stays as it was.',
    /** @param {string} field */
    refused: (field) => `That was not taken (${field}); everything stays as it was.`,
    diverged:
      'The numbers have grown beyond all bounds: the learning rate is too large for this optimizer. Grey cells are no numbers any more; locked cells still hold. Reset, and try a smaller rate.',
    tooLarge:
      'The value that you set is so large that the loss does not fit a 32-bit number. Undo, or set a smaller value.',
    drawing: 'Something on this page could not be drawn. The run goes on.',
    figure: 'This figure could not be drawn. The run goes on.',
    offline:
      'A part of this page is not loaded yet, and it cannot be reached. Everything stays as it was. Check the connection and try again; if that does not help, reload the page.',
    failed: 'The library refused this, and everything stays as it was.',
    study: 'The study that is trained aside has broken off; the run on the screen goes on.',
    sandboxed:
      'The demo could not start its engine, since it is in a frame with a sandbox. Add allow-same-origin to the sandbox of the frame.',
    broken:
      'The demo could not start. It needs a browser with WebAssembly SIMD, from 2023 or later.',
  },

  /** What a screen reader hears now and then. */
  spoken: {
    /** @param {string} status @param {string} step @param {string} loss @param {string} locks */
    summary: (status, step, loss, locks) => `${status}. Step ${step}, loss ${loss}, ${locks}.`,
  },
};
