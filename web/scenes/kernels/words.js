/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'Two filters are fixed by hand. Press Play: the other six learn around them.',
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
      pad: en.pad,
      features: en.features,
      maps: {
        ...{ kernel: 'Kernel', sees: 'sees' },
        label: 'Below each kernel is what it sees: blue where the digit has what it looks for.',
      },
    },
    guess: {
      question: 'How many of 300 unseen digits will be read correctly after 200 steps?',
      answers: en.scores,
      told: (facts) =>
        `${facts.percent('score')} of 300 unseen digits are read correctly. ${en.locked(facts)}`,
    },
    lesson: [
      'Below each of the eight kernels is its map. It is blue where the digit on the pad contains what the kernel looks for. The first two are Sobel’s kernels, for vertical and horizontal edges; they are locked.',
      'Train 200 steps: six kernels learn what helps. The two locked ones keep every bit (every 0 and 1 in memory).',
      'Draw your own digit on the pad and see which maps light up.',
      'Now all eight kernels are random and locked. Train: only the head learns, from what these kernels find.',
      'Free one kernel and train on. How much does one kernel that learns improve the result?',
    ],
  },
  de: {
    name: 'Filter',
    card: 'Zeichne eine Ziffer und sieh, was acht kleine Filter darin finden.',
    lede: 'Zwei Filter sind von Hand gesetzt. Drücke Starten: Die sechs anderen lernen um sie herum.',
    hint: 'Tippe einen Filter ein und sperre ihn: Die anderen lernen um ihn herum.',
    choices: {
      kernels: {
        label: 'Filter',
        names: {
          sobel: 'Zwei von Sobel, gesperrt',
          random: 'Zufällig, frei',
          locked: 'Zufällig, alle gesperrt',
        },
      },
    },
    grids: {
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, i) => [`kernel${i + 1}`, `Filter ${i + 1}`]),
      ),
      ...{ biases: 'Bias der Filter', head: 'Kopf: von Karten zu zehn Ziffern' },
      offsets: 'Bias',
    },
    figures: {
      pad: de.pad,
      features: de.features,
      maps: {
        ...{ kernel: 'Filter', sees: 'sieht' },
        label: 'Unter jedem Filter ist, was er sieht: blau, wo die Ziffer hat, was er sucht.',
      },
    },
    guess: {
      question: 'Wie viele von 300 ungesehenen Ziffern werden nach 200 Schritten richtig gelesen?',
      answers: de.scores,
      told: (facts) =>
        `Von 300 ungesehenen Ziffern werden ${facts.percent('score')} richtig gelesen. ${de.locked(facts)}`,
    },
    lesson: [
      'Unter jedem der acht Filter ist seine Karte. Sie ist blau, wo die Ziffer auf der Fläche enthält, was der Filter sucht. Die ersten zwei sind von Sobel, für senkrechte und waagrechte Kanten; sie sind gesperrt.',
      'Trainiere 200 Schritte: Sechs Filter lernen, was hilft. Die zwei gesperrten behalten jedes Bit (jede 0 und 1 im Speicher).',
      'Zeichne selbst eine Ziffer auf die Fläche und sieh, welche Karten aufleuchten.',
      'Nun sind alle acht Filter zufällig und gesperrt. Trainiere: Nur der Kopf lernt, aus dem, was diese Filter finden.',
      'Gib einen Filter frei und trainiere weiter. Wie sehr verbessert ein Filter, der lernt, das Ergebnis?',
    ],
  },
};
