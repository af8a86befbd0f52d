/** All texts of the page. A translation is another table like this one. Numbers arrive formatted. */

import { classEn } from './class-en.js';

/** @typedef {{ question: string, answers: string[], told: (facts: import('../scenes/guesses.js').Facts) => string }} GuessStrings */

/**
 * @typedef {object} SceneStrings
 * @property {string} name
 * @property {string} card  one sentence for its card
 * @property {string} lede
 * @property {string} hint
 * @property {string} [sizeLabel]
 * @property {string} [ownLede]  with a person's points
 * @property {Record<string, { label: string, names: Record<string, string> }>} [choices]
 * @property {Record<string, string>} [grids]  names of its variables
 * @property {string} [whole]  the action of a variable's name
 * @property {Record<string, string>} [names]  of rows, columns and words, by their keys
 * @property {Record<string, Record<string, string | ((...given: any[]) => string)>>} [figures]  texts of its figures, by their ids
 * @property {GuessStrings} [guess]  a question before the first step, and its answer
 * @property {string[]} lesson  the texts of the five steps in scenes/lessons.js
 */

/** What has become of the held cells, in answers to guesses. @param {import('../scenes/guesses.js').Facts} facts */
const locked = ({ held, moved, farthest }) =>
  moved
    ? `${moved} of ${held} held cells have moved, by up to ${farthest}.`
    : `None of the ${held} locked cells has moved by a single bit (a 0 or 1 in memory).`;

/** The drawing pad of several scenes. */
const pad = {
  /** @param {boolean} isDown */
  label: (isDown) =>
    `Draw a digit on this pad. Arrow keys move the pen, Space ${isDown ? 'lifts it' : 'puts it down'}, Delete clears the pad.`,
  samples: 'Digits by other people',
  /** @param {number} digit */
  sample: (digit) => `A ${digit} by someone else`,
  clear: 'Clear',
};

/** A network that tells points of a plane apart. */
const plane = {
  /** @param {string} score @param {string} test @param {string} loss */
  label: (score, test, loss) =>
    `The network puts ${score} of the points on the right side, and ${test} of 160 points that it never trains on (loss ${loss}).`,
};

/** A network whose layers are grids. */
const layered = {
  sizeLabel: 'Hidden layers',
  choices: {
    data: { label: 'Data', names: { circle: 'Circle', xor: 'Exclusive or', spiral: 'Spiral' } },
  },
  grids: { w1: 'Inputs to layer 1', w2: 'Layer 1 to layer 2', w3: 'Output' },
  whole: 'Lock or free the layer and its bias',
  names: { bias: 'bias' },
};

export const en = {
  languageName: 'English',
  title: 'gradlock',
  tagline: 'Lock any cell. Train the rest. Exactly.',
  /** The lists of scenes: tabs, and cards in groups. */
  gallery: {
    label: 'Scenes',
    all: 'All scenes',
    close: 'Close',
    groups: {
      start: 'Start',
      leaks: 'Why masks leak',
      networks: 'Networks',
      yours: 'Yours',
    },
    /** @param {string} name */
    next: (name) => `Next scene: ${name}`,
    key: 'N opens the next scene',
  },
  skip: 'Skip to Play',
  /** The switch from locks to a mask, and the name in the picture that opens the page. */
  hold: {
    label: 'What holds the cells',
    ways: { lock: 'Lock', mask: 'Mask' },
    /** @param {string} moved @param {string} held @param {string} farthest @param {number} count */
    told: (moved, held, farthest, count) =>
      count === 0
        ? `0 of ${held} held cells have drifted`
        : `${moved} of ${held} held cells have drifted, by up to ${farthest}`,
    why: {
      lock: 'The lock takes these cells out of the optimizer, so nothing moves them.',
      adamW:
        'The mask sets the gradient of these cells to 0. But AdamW also shrinks every number at every step (weight decay). The arrows show these steps.',
      sgd: 'The mask sets the gradient of these cells to 0. Plain SGD uses nothing else, so it holds. Choose AdamW and look again.',
      empty:
        'The mask sets the gradient of these cells to 0. This optimizer also uses earlier gradients. The lock kept none, so the mask holds for now. Choose AdamW and look again.',
      memory:
        'The mask sets the gradient of these cells to 0. But this optimizer remembers earlier gradients, and they still move the cells. The arrows show these steps.',
    },
    /** The word until a person types a name. */
    word: 'HOLD',
    name: 'Your name',
    write: 'Lock it in',
    unwritable:
      'This name cannot be written here. Use A to Z and 0 to 9, at most 24 letters, or a larger grid. You can also draw it with the pointer.',
  },
  detail: { more: 'All controls', fewer: 'Fewer controls' },

  /** @type {Record<string, SceneStrings>} */
  scenes: {
    'two-by-two': {
      name: 'Two by two',
      card: 'Four numbers, two of them locked. Watch every step of training.',
      lede: 'Four numbers, each with a goal. Two are locked. Press Play and see which of them reach it.',
      hint: 'Click a cell to lock or free it. You can also do this while it trains.',
      guess: {
        question: 'What will the two locked cells do while the others train?',
        answers: ['Move a little', 'Keep every bit', 'Move only at first'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) => locked(facts),
      },
      lesson: [
        'Each of the four cells is a number that should reach its goal. Two cells have a padlock and stripes: they are locked.',
        'Train 50 steps and watch: the free cells move to their goals. The locked cells do not move.',
        'The line below the cells counts it: none of the locked cells has moved by a single bit.',
        'You can change locks at any time. Free the cell at the top right and train on: the optimizer treats its next step as its first.',
        'You can also set a value by hand: select a cell and type. A locked cell keeps its value, and a message says so. Now try your own ideas.',
      ],
    },
    picture: {
      name: 'Picture',
      card: 'Lock your name into noise while a picture grows around it.',
      lede: 'A locked cell keeps its value exactly while all others learn. Press Play. Then switch to Mask, the usual trick, and see if it holds what the lock held.',
      hint: 'Drag to lock cells. Start the drag on a locked cell to free cells.',
      choices: {
        picture: {
          label: 'Picture',
          names: { evening: 'Evening', heart: 'Heart', ripples: 'Ripples' },
        },
      },
      guess: {
        question:
          'Press Play, then switch to Mask, which sets the gradient of the held cells to 0. What will these cells do?',
        answers: ['Stay as they are: no gradient, no step', 'Turn into the picture', 'Drift away'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Under the mask, ${facts.moved} of ${facts.held} held cells have drifted, by up to ${facts.farthest}. The optimizer also takes steps that need no gradient.`
            : 'With this optimizer, the mask has held so far. Choose AdamW and look again.',
      },
      lesson: [
        'A thousand cells start as noise. Some of them are locked: they have stripes.',
        'Train: every free cell takes its colour in the picture. The locked cells stay as they are.',
        'Draw with the pointer, or hold Shift and press arrow keys. What you lock now keeps what it has learnt so far.',
        'Switch to Mask and choose AdamW. The mask sets the gradient of the held cells to 0. But AdamW shrinks every number a little, so they drift.',
        'Switch back to Lock. Go back to an earlier step with the slider below the chart, or change the optimizer while it trains. Now draw what you like.',
      ],
    },
    membrane: {
      name: 'Membrane',
      card: 'A soap film stretches between locked cells. It also repairs photos.',
      lede: 'Every cell of this film tries to become like its neighbours. Locked cells are the frame that the film is fixed to.',
      hint: 'Lock cells in the middle, and the film hangs from them, too.',
      choices: {
        frame: {
          label: 'Frame',
          names: { saddle: 'Saddle', crown: 'Crown', tilt: 'Tilt', photo: 'A photo with holes' },
        },
      },
      guess: {
        question:
          'The rim is locked, and the cells inside start as noise. What will become of them?',
        answers: ['They stay noise', 'They become one smooth film', 'They all get the same colour'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `The roughness (the loss) has changed from ${facts.first} to ${facts.loss}: the film is smooth from rim to rim. ${locked(facts)}`,
      },
      lesson: [
        'Every cell tries to become like its neighbours. The rim is locked, like the wire frame of a soap film.',
        'Train: the noise becomes smooth, and the film stretches from rim to rim.',
        'Pressure is the cost of a lock: how much the loss would fall if that cell could move. It is drawn next to the film.',
        'The same method repairs pictures. In this one, seven of ten cells are lost. The others are locked, and the film fills the holes.',
        'Lock cells in the middle of the film, and it hangs from them. Now make your own film.',
      ],
    },
    'leak-lab': {
      name: 'Leak lab',
      card: 'A lock and a gradient mask hold the same cells. Which one holds?',
      lede: 'The same problem trains twice: once with a true lock, once with the usual trick, a mask that multiplies the gradient by 0. After 8 free steps, both hold the same cells.',
      hint: 'Change the optimizer and see when the mask leaks.',
      guess: {
        question:
          'On the right, the gradient of the held cells is multiplied by 0. How many of them will move?',
        answers: ['None: no gradient, no step', 'A few', 'All of them'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Under the mask, ${facts.moved} of ${facts.held} held cells have moved, by up to ${facts.farthest}. Under the true lock, none has moved.`
            : 'With this optimizer, the mask has held. Choose Adam or AdamW and look again.',
      },
      lesson: [
        'Both start with the same numbers and train freely for 8 steps. Then both hold the same cells: the left with a lock, the right with a mask that multiplies their gradient by 0.',
        'Train on with Adam. The masked cells continue to move, because Adam’s moments, which are averages of earlier gradients, still push them. A cracked padlock marks each cell that has moved.',
        'Plain SGD has no such averages, so nothing pushes the masked cells. That is why the trick looks right at first.',
        'Momentum adds up earlier gradients, so the mask leaks again. The cells have no gradient now, but they still move.',
        'AdamW’s weight decay shrinks every cell, masked or not, so the masked cells never stop. Under the lock, none has moved by a single bit (a 0 or 1 in memory).',
      ],
    },
    network: {
      name: 'Weights',
      card: 'A small network, weight by weight: lock some, prune many.',
      lede: 'A small network learns to tell two kinds of points apart. The cells are its weights. Lock some, or set the smallest to 0 for good, and train on.',
      hint: 'A weight’s row is the node that it comes from, its column the node that it goes to. Click a cell or an edge to lock it.',
      ...layered,
      figures: {
        net: {
          /** @param {number} layer @param {number} last */
          layers: (layer, last) =>
            layer === 0 ? 'Inputs' : layer === last ? 'Output' : `Layer ${layer}`,
          /** @param {number} all @param {number} held */
          label: (all, held) =>
            `The network has ${all} edges, and ${held} of them are locked (crossed by short lines). Point at an edge or at its cell to see the other.`,
        },
        plane,
      },
      guess: {
        question:
          'Train 300 steps. How many of 160 points that it never trains on will the network get right?',
        answers: ['About half', 'Two of three', 'More than nine of ten'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `${facts.percent('testScore')} of the points that it never trains on are right, and ${facts.percent('score')} of the others.`,
      },
      lesson: [
        'Discs and squares are two kinds of points. The colours behind them show the network’s answers. Each weight is a cell and an edge: point at one to see the other.',
        'Train 300 steps: the colours come to match the points.',
        'Prune: the smaller half of the weights in each matrix becomes 0 and is locked.',
        'Train on. The pruned weights stay exactly 0, and the others make up for them.',
        'Lock a whole column with a rectangle (hold Shift), or choose the spiral and see how many weights it needs.',
      ],
    },
    lottery: {
      name: 'Lottery ticket',
      card: 'Remove most of a network. Can the rest still learn?',
      lede: 'Most weights are locked at 0. The others start again from their first values. If they learn as well as all weights did, they are a winning ticket.',
      hint: 'Train, prune and rewind, then train again. Only the weights that are left are drawn as edges.',
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
          plot: 'Runs of the study: accuracy by weights kept',
          across: 'weights kept',
          up: 'unseen points right',
          ticket: 'Ticket',
          random: 'Random',
          ticketKey: 'ticket',
          randomKey: 'random weights (line: mean of three)',
          liveKey: 'this run',
          /** @param {string} kind @param {number} kept @param {number} count @param {number} all @param {string} score */
          point: (kind, kept, count, all, score) =>
            `${kind}, ${kept} % kept (${count} of ${all}): ${score} of the unseen points right.`,
          opens: 'Press Enter or click to open it.',
          hint: 'Each mark is a run. Point at it to read it, click to open it.',
          before: 'The curve takes 41 runs of 1,500 steps. They train in the background.',
          /** @param {number} at @param {number} count */
          running: (at, count) => `Run ${at} of ${count} is training in the background.`,
          /** @param {number} done @param {number} count */
          part: (done, count) => `${done} of ${count} runs are drawn.`,
          /** @param {number} count */
          done: (count) => `All ${count} runs are drawn. Each has 1,500 steps.`,
          /** @param {number} count */
          known: (count) =>
            `The ${count} runs were trained beforehand, 1,500 steps each. Draw the curve again: it comes to the same bits.`,
          stale: 'These runs used another optimizer. Draw the curve again.',
        },
        net: {
          /** @param {number} layer @param {number} last */
          layers: (layer, last) =>
            layer === 0 ? 'Inputs' : layer === last ? 'Output' : `Layer ${layer}`,
          /** @param {number} all @param {number} held */
          label: (all, held) =>
            `The network has ${all} edges, and ${held} of them are locked. Edges that are locked at 0 are hidden until you point at them.`,
        },
        plane,
      },
      guess: {
        question:
          'Four of five weights are removed. The others get their first values back and train again. How good will they be?',
        answers: ['Far worse than all weights', 'Hardly worse', 'No better than tossing a coin'],
        told: () =>
          'All weights get 99 % of the unseen points right. The best fifth (21 %) alone also gets 99 %, a random fifth 56 % (mean of three).',
      },
      lesson: [
        'This is the network of the scene Weights, but larger: 267 weights learn a spiral. Each starts with a random value.',
        'Train 1,500 steps: it learns the spiral, even where it saw no points.',
        'Prune and rewind: the smaller two thirds of each matrix become 0 and are locked. The others get their first values back.',
        'Train again. A third of the weights starts from the same first values. Is it a winning ticket? The cross in the plot shows the answer.',
        'Draw the curve: it prunes a fifth at a time. For each ticket it also trains the same number of random weights. Open a mark to see its run.',
      ],
    },
    digits: {
      name: 'Digits',
      card: 'Draw a digit. Ten images of weights read it.',
      lede: 'Draw a digit: it is read as the image that it fits best. Blue speaks for a digit, orange against it. Lock an image, and the nine others learn without it.',
      hint: 'Click the number above an image to lock all of it. The others learn round it: how well is its digit read then?',
      grids: Object.fromEntries(
        Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`]),
      ),
      figures: {
        pad,
        features: {
          /** @param {number | null} digit @param {string | null} score */
          label: (digit, score) =>
            `${digit === null ? 'The pad is empty.' : `It is read as a ${digit}.`} ${score} of 300 unseen digits are read correctly.`,
        },
      },
      guess: {
        question:
          'Train 50 steps. How many of 300 digits that it never trains on will be read correctly?',
        answers: ['About 30, by luck', 'About half', 'More than 250'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) => `${facts.percent('score')} of 300 unseen digits are read correctly.`,
      },
      lesson: [
        'Draw a digit, or take one of other people’s. The bars show which of the ten images it fits. At first it fits all alike.',
        'Train 50 steps: each image comes to show what speaks for its digit and what speaks against it.',
        'Prune: the smallest weights become 0 and are locked. The corners go first, because few strokes reach them.',
        'Train on: the pruned weights stay 0, and the score hardly falls.',
        'Lock one whole image before you start again: that digit has to make do with what it has.',
      ],
    },
    kernels: {
      name: 'Kernels',
      card: 'Draw a digit and see what eight small filters find in it.',
      lede: 'Draw a digit and see what each of eight small images, the kernels, finds in it. The first two are known filters and locked; the other six learn round them.',
      hint: 'Type a filter into a kernel and lock it: the others learn around it.',
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
        ...{ biases: 'Biases of the kernels', head: 'Head: from maps to ten digits' },
        offsets: 'Bias',
      },
      figures: {
        pad,
        features: {
          /** @param {number | null} digit @param {string | null} score */
          label: (digit, score) =>
            `${digit === null ? 'The pad is empty.' : `The network reads a ${digit}.`} ${score} of 300 unseen digits are read correctly.`,
        },
      },
      guess: {
        question:
          'Two of eight kernels are locked, and each kernel is tiny. How many of 300 unseen digits will be read correctly after 200 steps?',
        answers: ['About 30, by luck', 'About half', 'More than 250'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `${facts.percent('score')} of 300 unseen digits are read correctly. ${locked(facts)}`,
      },
      lesson: [
        'Below each of the eight kernels is its map. It is blue where the digit on the pad contains what the kernel looks for. The first two are Sobel’s kernels, for vertical and horizontal edges; they are locked.',
        'Train 200 steps: six kernels learn what helps. The two locked ones keep every bit (every 0 and 1 in memory).',
        'Draw your own digit on the pad and see which maps light up.',
        'Now all eight kernels are random and locked. Train: only the head learns, from what these kernels find.',
        'Free one kernel and train on. How much does one kernel that learns improve the result?',
      ],
    },
    freeze: {
      name: 'Freeze the base',
      card: 'A network that knows five digits learns five more.',
      lede: 'A small convolutional network knows the digits 0 to 4. Its base and those five answers are locked. The other five learn 5 to 9 from twenty examples each.',
      hint: 'Free everything and start again: learning the new digits destroys the old ones.',
      guess: {
        question: 'The network learns new digits on a locked base. What happens to the old ones?',
        answers: ['They are forgotten', 'Their answers stay exactly the same', 'They improve, too'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `${locked(facts)}${facts.moved ? '' : ' So the five old answers to any image are the same numbers as before.'}`,
      },
      choices: {
        examples: {
          label: 'Examples',
          names: { new: 'Only new digits', both: 'New and a few old' },
        },
      },
      grids: {
        ...{ head: 'Head: one column per digit', bias: 'Head: bias' },
        ...{ conv1: 'Base: first kernels', bias1: 'Base: first biases' },
        ...{ conv2: 'Base: second kernels', bias2: 'Base: second biases' },
      },
      names: { bias: 'bias' },
      figures: {
        accuracy: {
          padlock: 'Base and answers 0 to 4',
          old: 'Old digits, 0 to 4: read correctly',
          ...{ lock: 'lock', mask: 'mask', free: 'no lock' },
          /** Of 100 old digits; NaN if not yet known. @param {number} lock @param {number} free */
          headline: (lock, free) =>
            Number.isNaN(lock + free)
              ? 'Old digits forgotten: not measured yet.'
              : `Old digits forgotten: ${lock} of 100 with the lock, ${free} of 100 without.`,
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
              free: 'without locks',
            };
            const told = lines.map(({ key, old, fresh }) => `${names[key]} ${old} and ${fresh}`);
            const kept = answers
              ? answers.changed
                ? ` ${answers.changed} of ${answers.all} old answers have changed.`
                : ` All ${answers.all} old answers that the page checks keep every bit.`
              : '';
            return `Of the unseen old and new digits, ${own.old} and ${own.fresh} are read correctly${told.length ? `; ${told.join(', ')}` : ''}.${kept}`;
          },
        },
        pad,
        features: {
          /** @param {number | null} digit */
          label: (digit) =>
            digit === null ? 'The pad is empty.' : `The network reads a ${digit}.`,
        },
      },
      lesson: [
        'This network learnt the digits 0 to 4 in Keras. Its base and the columns 0 to 4 of its head are locked.',
        'Train 200 steps: the columns 5 to 9 learn. Nothing else changes.',
        'Next to it, a mask holds the same weights under AdamW. The weight decay still moves every old weight.',
        'Free everything and start again: the network learns the new digits well and forgets the old ones.',
        'With a few old digits among the examples, the network forgets less. Compare that with the lock.',
      ],
    },
    words: {
      name: 'New words',
      card: 'A model learns new words. Does it still know the old ones?',
      lede: 'In this table of words, nine known words are held, and five new ones learn what they mean. On the left a lock holds the known words, on the right a gradient mask.',
      hint: 'Each row is a word. Free a known word, and it learns, too.',
      guess: {
        question: 'A mask gives the old words no gradient. Will they stay where they are?',
        answers: ['Yes, nothing pulls them', 'No, they move'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Under the mask, ${facts.moved} of ${facts.held} old numbers have moved, by up to ${facts.farthest}. Under the true lock, none has moved.`
            : 'With this optimizer they have stayed. Try AdamW.',
      },
      figures: {
        words: {
          /** @param {string} score */
          label: (score) =>
            `${score} of the old words are where they belong (circles). New words are slanted.`,
          ...{ small: 'small', large: 'large', animal: 'animal', thing: 'thing' },
        },
      },
      lesson: [
        'Each row is a word, stored as eight numbers. A fixed matrix turns a row into a point, from animal to thing and from small to large. Circles show where words belong.',
        'Train: the five new words find their places from sentences that contain them.',
        'Under the lock, the nine old words keep every bit (every 0 and 1 in memory). Under the mask, AdamW’s weight decay pulls them to the middle: the model forgets them, although nobody asked it to.',
        'Plain Adam has no weight decay: switch to it, and the forgetting stops. What is forgotten stays forgotten.',
        'Free a row, and it learns again. Which words should a model be allowed to change?',
      ],
    },
    graph: {
      name: 'Pinned graph',
      card: 'Pin nodes of a graph, and the others find their places.',
      lede: 'Training moves every two nodes as far apart as the graph says. Some nodes are pinned. Drag another one: while you hold it, training cannot pull it away.',
      hint: 'Click a node to pin it, drag it to move it. Each row is a node: lock only x or only y, and the node slides along a line.',
      choices: {
        graph: {
          label: 'Graph',
          names: { mesh: 'Mesh', tree: 'Tree', club: 'Karate club' },
        },
      },
      guess: {
        question: 'All nodes pull at one another. Will the pinned nodes move?',
        answers: ['A little, as the others pull', 'No, not at all', 'Only until all is in balance'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) => `The others have found their places. ${locked(facts)}`,
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
            `The graph has ${all} nodes, and ${pinned} of them are pinned. Thin blue edges are too long; thick orange edges are too short. Click or press Space to pin a node. Drag it, or move it with arrow keys and release it with Enter. Page Up and Page Down select another node.`,
        },
      },
      lesson: [
        'The nodes start at random places. The edges between them act like rubber bands. The corners have a padlock: their rows are locked.',
        'Train: the distance of each pair of nodes approaches the number of edges on the way between them. The loss, called stress, measures what is missing.',
        'Drag a node while it trains. The drag has its own lock, which holds the node only while you drag. Let go, and the node springs back.',
        'A pin is your own lock and stays after a drag. This step pins node 6. Now drag it: it stays where you put it.',
        'This graph shows people: the members of a karate club that split. Its two leaders are pinned, left and right. Who stands with whom? Now pull at them.',
      ],
    },
    peaks: {
      name: 'Peaks',
      card: 'Fit four peaks to a spectrum whose widths are known.',
      lede: 'A spectrum is a sum of four bell curves. Their widths are known from the instrument and are locked. Training looks for their heights and places.',
      hint: 'Each row is a bell curve. Its width is in tenths of the axis’s unit.',
      sizeLabel: 'Peaks and numbers of each',
      ownLede:
        'Your points, as a sum of bell curves. Lock what you know, give bounds in the report, and move the cells to the best fit.',
      choices: { noise: { label: 'Data', names: { noisy: 'With noise', clean: 'Without noise' } } },
      names: { height: 'height', place: 'place', width: 'width' },
      figures: {
        curves: {
          /** @param {string} chi @param {number} freedom @param {boolean} hasBand */
          label: (chi, freedom, hasBand) =>
            `Dots: measured values. Line: the sum. Dashed: its parts.${hasBand ? ' Shaded: 95 % band.' : ''} Misfit: reduced χ² = ${chi} with ${freedom} degrees of freedom; noise alone gives 1.`,
          /** @param {string} off @param {boolean} hasBand */
          exact: (off, hasBand) =>
            `Dots: values without noise. Line: the sum. Dashed: its parts.${hasBand ? ' Shaded: 95 % band.' : ''} Misfit: ${off} root mean square.`,
          /** @param {string} off @param {boolean} hasBand */
          plain: (off, hasBand) =>
            `Dots: your points. Line: the sum. Dashed: its parts.${hasBand ? ' Shaded: 95 % band.' : ''} Misfit: ${off} root mean square.`,
          across: 'place',
          up: 'height',
        },
      },
      guess: {
        question: 'Only heights and places may change. Can the line reach the dots?',
        answers: [
          'No, the widths would have to change',
          'Yes, but the locked widths move a little',
          'Yes, and the widths keep every bit',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `The loss has changed from ${facts.first} to ${facts.loss}: the line meets the dots. ${locked(facts)}`,
      },
      lesson: [
        'Dots are measured values. Each row of cells is a bell curve: its height, its place, its width. The widths are locked.',
        'Train 150 steps: heights and places change until the line meets the dots.',
        'The widths have kept every bit (every 0 and 1 in memory): what is known stays known.',
        'Pressure shows the cost of each lock: how much the loss would fall if that width could change.',
        'Free a width and train on. Or set a wrong width by hand and see which curves get worse.',
      ],
    },
    own: {
      name: 'Your own',
      card: 'Bring a table or an image. What you know is locked, the rest is filled in.',
      lede: 'Bring your own table or image. The cells that you know are locked, and training fills in the others from them.',
      hint: 'Click a cell to lock or free it. You can drop a file anywhere. Nothing leaves this device.',
      choices: {
        target: {
          label: 'What should the free cells do?',
          names: {
            gaps: 'Fill the gaps',
            data: 'Learn the data',
            mirror: 'Mirror it',
            negative: 'Invert it',
            zero: 'Go to 0',
          },
        },
        loss: {
          label: 'Loss',
          names: {
            squared: 'Squared error',
            absolute: 'Absolute error',
            logCosh: 'Log-cosh',
            smooth: 'Roughness (no target)',
          },
        },
      },
      guess: {
        question:
          'Half of the cells are known and locked. The others become like their neighbours. What will the known ones do?',
        answers: ['Move a little', 'Keep every bit', 'Blur, too'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `The gaps are filled: the roughness (the loss) has changed from ${facts.first} to ${facts.loss}. ${locked(facts)}`,
      },
      lesson: [
        'This is an example: the sea level at a pier. Each row is a day, each column an hour. Choose a file or paste a table, and your own data take its place.',
        'Train: each free cell becomes like its neighbours, so the gaps are filled. The known cells are locked and keep every bit.',
        'You can ask for something else. Now all cells start as the data and become their mirror image.',
        'Click cells to lock them, and train again: they do not change.',
        'Share a link: it contains your numbers and locks, and repeats every step to the bit (every 0 and 1 in memory).',
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
    resetHint: 'Start again from step 0. Locks stay, and Undo restores the run.',
    stepCount: 'step',
    goesOn: 'Play continues from here',
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
    looking: 'Earlier step',
    replaying: 'Replaying',
  },

  /** Shown while a long run is replayed. */
  replay: {
    cancel: 'Cancel',
    /** @param {string} step @param {string} to @param {string} left */
    text: (step, to, left) => `Repeating the run exactly: step ${step} of ${to}${left}`,
    /** @param {number} seconds NaN if unknown */
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
    speeds: (speed) => (speed ? `${speed} steps/s` : 'Fastest'),
    size: 'Grid',
    /** @param {number} rows @param {number} cols */
    sizes: (rows, cols) => `${rows} × ${cols}`,
    seed: 'Seed',
    beside: 'Also show',
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
      clock: 'Steps taken',
      mask: 'The same run with a mask',
      rule: 'The same run, other optimizer',
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
    /** @param {string} name @param {string} step */
    pictured: (name, step) => `${name} at step ${step}`,
    /** @param {string} loss @param {string} locked */
    described: (loss, locked) =>
      `Each square is a number, and its colour shows the value. Squares with stripes are locked: ${locked}. The loss is ${loss}.`,
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
    which: 'What the chart shows',
    /** @param {string} drift @param {string} step */
    chart: (drift, step) =>
      `Drift of held cells after ${step} steps: 0 under the true lock, ${drift} under the mask.`,
    mask: 'gradient mask',
    why: 'The run that leaks has the lower loss, because it also moves cells that it should hold. So a lower loss does not prove that a lock works.',
  },

  /** The question before the first step. */
  guess: {
    title: 'Guess first',
    pass: 'Just show me',
    close: 'Close',
    opening: 'In the run as the scene opens it:',
    /** @param {string} answer */
    made: (answer) => `Your guess: “${answer}”.`,
  },

  code: {
    label: 'Code of this run',
    copy: 'Copy code',
    page: 'Save as a page that runs',
    /** @param {number} thousands Thousands of characters. */
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
    sample: 'Example: the sea level at a pier, by day and hour.',
    /** @param {number} rows @param {number} cols */
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
    /** @param {string} divisor */
    scaled: (divisor) => `All numbers are divided by ${divisor}.`,
    /** @param {number} rows @param {number} cols */
    image: (rows, cols) =>
      `Your image: ${rows} rows and ${cols} columns. Black is −1, white is +1.`,
    /** @param {number} count */
    gaps: (count) =>
      count === 1
        ? 'The gap is free; the rest is locked.'
        : `The ${count} gaps are free; the rest is locked.`,
    erased: 'Some cells are erased for a trial; the rest is locked.',
    stays: 'The earlier run is still there.',
    /** @type {Record<string, (where: { line: number, isRow?: boolean, column: number, given: string, count: number, wanted: number }) => string>} */
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
      json: ({ line }) => `This begins like JSON but is not valid JSON: see line ${line}.`,
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
    /** @param {number} count @param {string[]} names of x, y and perhaps sigma */
    taken: (count, names) =>
      `${count} points. x, y${names.length > 2 ? ' and sigma' : ''} come from ${names.length > 2 ? 'the columns' : 'columns'} ${names.join(', ')}.`,
    noSigma: 'There is no sigma, so the errors are estimated from the misfit.',
    /** @param {number} count */
    left: (count) =>
      `${count === 1 ? 'One other column is' : `${count} other columns are`} not used.`,
    scaled:
      'The grid has scaled values; the plot and the report have yours. Peaks stand on 0: subtract a background first.',
  },
  fit: {
    label: 'Report of the fit',
    caption: 'The best fit from here, in the units of the data. ± is the standard error.',
    parameter: 'Parameter',
    found: 'Value',
    min: 'Min',
    max: 'Max',
    exact: '(locked: exact)',
    heldAt: { min: 'held at its min', max: 'held at its max' },
    take: 'Move the cells to this fit',
    text: 'The whole report as text',
    /** @type {Record<string, string>} */
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
    /** @param {string} chi @param {number} freedom */
    chi: (chi, freedom) => `Reduced χ² = ${chi} with ${freedom} degrees of freedom.`,
    poor: 'That is far above 1: there is a better place elsewhere, or the model misses something. Train first, or set a start by hand.',
    fromSigma: 'Errors come from the known noise.',
    fromResiduals: 'Errors are estimated from the misfit.',
    /** @param {string} names */
    undetermined: (names) =>
      `The data cannot tell these apart, so their errors are infinite: ${names}. Lock one of them, or free fewer.`,
    refused: 'There is no fit from here.',
  },

  lesson: {
    guess: 'Guess first. Training will show the answer.',
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
    rival: 'other run',
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
    drawHint: 'Your finger draws locks instead of scrolling',
    invert: 'Invert',
    undo: 'Undo',
    redo: 'Redo',
    brush: 'Brush',
    /** @param {number} side */
    brushes: (side) => (side === 1 ? '1 cell' : `${side} × ${side}`),
    /** @param {string} locked @param {string} all */
    count: (locked, all) => `${locked} of ${all} cells locked`,
    /** @param {string} held @param {string} all */
    masked: (held, all) => `${held} of ${all} cells held by a mask`,
    /** @param {string} moved @param {number} count */
    moved: (moved, count) =>
      count === 0 ? 'none has moved by a single bit' : `${moved} have moved: please report this`,
    /** @param {string} leaked */
    leaked: (leaked) =>
      `under the true lock none has moved by a single bit, under the mask ${leaked} have moved`,
  },

  legend: {
    label: 'Legend',
    value: 'value',
    locked: 'locked, keeps every bit',
    free: 'free, learns',
    drifted: 'held by a mask, but moved',
    next: 'step that the optimizer still takes on a masked cell',
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
    gradientHeld: 'gradient, ignored',
    next: 'next step under the mask',
    memory: '… from earlier gradients',
    decay: '… from weight decay',
    clock: 'trained for',
    /** @param {string} steps @param {boolean} isOne */
    steps: (steps, isOne) => `${steps} ${isOne ? 'step' : 'steps'}`,
    around: 'Its neighbours',
    path: 'Its recent path',
    /** The optimizer's slots, by the library's names. @type {Record<string, string>} */
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
      ['Arrows', 'move, also to the next matrix and to names, which lock a whole row or column'],
      ['Space, Enter', 'lock or free'],
      ['Shift + arrows', 'extend a rectangle'],
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
      `“${given}” is too large for a 32-bit number, so the cell keeps ${kept}. Type a number up to 3.4e38.`,
    /** @type {Record<string, (given: string, kept: string) => string>} */
    options: {
      learningRate: (given, kept) =>
        `“${given}” is not a learning rate, so ${kept} stays. Type a number from 0 up, such as 0.01.`,
      momentum: (given, kept) =>
        `“${given}” is not a momentum, so ${kept} stays. Type a number from 0 up that is less than 1.`,
      weightDecay: (given, kept) =>
        `“${given}” is not a weight decay, so ${kept} stays. Type a number from 0 up, such as 0.004.`,
    },
    outside:
      'This value is outside of the bounds, so the cell keeps its value. Change the bounds first.',
    bound: 'The cell is locked at a value outside of these bounds. Nothing has changed.',
    /** @param {string} name of a parameter */
    range: (name) =>
      `These are no bounds for ${name}: type numbers, with min at most as large as max. Nothing has changed.`,
    noScene:
      'This link or file names no scene of this page. It may be damaged, or made by a newer version of the page. Another scene is open instead.',
    /** @param {string} field */
    link: (field) =>
      `A part of this link or file could not be read (${field}). The rest is loaded.`,
    /** @param {number} left */
    edits: (left) =>
      `${left === 1 ? 'One edit' : `${left} edits`} of this run could not be read. The run is replayed without ${left === 1 ? 'it' : 'them'}, so its numbers may differ.`,
    file: 'This file contains no run. Nothing has changed.',
    /** @param {string} field */
    refused: (field) => `This was refused (${field}). Nothing has changed.`,
    diverged:
      'The numbers have grown without limit: the learning rate is too large for this optimizer. Grey cells are not numbers any more; locked cells keep their values. Reset, and try a smaller learning rate.',
    tooLarge:
      'The value that you set is so large that the loss does not fit into a 32-bit number. Undo, or set a smaller value.',
    drawing: 'A part of this page could not be drawn. The run continues.',
    figure: 'This figure could not be drawn. The run continues.',
    offline:
      'A part of this page is not loaded yet, and the server cannot be reached. Nothing has changed. Check the connection and try again. If that does not help, reload the page.',
    failed: 'The library refused this. Nothing has changed.',
    study: 'The study in the background has broken off. The run on the screen continues.',
    sandboxed:
      'The demo could not start its worker, because it is in a frame with a sandbox. Add allow-same-origin to the sandbox of the frame.',
    broken:
      'The demo could not start. It needs a browser from 2023 or later, with WebAssembly SIMD.',
  },

  /** Regular reports for screen readers. */
  spoken: {
    /** @param {string} status @param {string} step @param {string} loss @param {string} locks */
    summary: (status, step, loss, locks) => `${status}. Step ${step}, loss ${loss}, ${locks}.`,
  },

  ...classEn,
};
