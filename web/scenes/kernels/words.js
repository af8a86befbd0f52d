/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'Kernels are 3 × 3 filters that slide over the image. Two are locked. Press Play.',
    ledeLater: 'Free kernels change. Locked ones keep every number.',
    hint: 'Point at a kernel to see its map. Type a filter into a kernel and lock it: the others learn around it.',
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
        kernel: (number, locked) =>
          `Kernel ${number}, ${locked ? (locked < 9 ? `${locked} of 9 locked` : 'locked') : 'free'}`,
        ...{ sees: 'What it sees', other: 'Point at another one below.' },
        score: (share) => `${share} of digits read`,
        label: 'Beside the kernel is what it sees: blue where the digit has what it looks for.',
      },
    },
    guess: {
      question: 'How many of 300 unseen digits will be read correctly after 200 steps?',
      answers: ['About 30, by luck', 'About half', 'More than 250'],
      told: (facts) =>
        `${facts.percent('score')} of 300 unseen digits are read correctly. ${en.locked(facts)}`,
    },
    lesson: [
      'Point at a kernel: above is its map. It is blue where the digit on the pad contains what the kernel looks for. The first two are Sobel’s kernels, for vertical and horizontal edges; they are locked.',
      'Train 200 steps: six kernels learn what helps. The two locked ones keep every bit (every 0 and 1 in memory).',
      'Draw your own digit on the pad and see which maps light up.',
      'Now all eight kernels are random and locked. Train: only the head learns, from what these kernels find.',
      'Free one kernel and train on. How much does one kernel that learns improve the result?',
    ],
  },
  de: {
    name: 'Filter',
    loss: 'wie falsch die Antworten sind',
    card: 'Zeichne eine Ziffer und sieh, was acht kleine Filter darin finden.',
    lede: 'Filter aus 3 × 3 Zahlen gleiten über das Bild. Zwei sind gesperrt. Drücke Starten.',
    ledeLater: 'Freie Filter ändern sich. Gesperrte behalten jede Zahl.',
    hint: 'Zeige auf einen Filter, um seine Karte zu sehen. Tippe einen Filter ein und sperre ihn: Die anderen lernen um ihn herum.',
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
        kernel: (number, locked) =>
          `Filter ${number}, ${locked ? (locked < 9 ? `${locked} von 9 gesperrt` : 'gesperrt') : 'frei'}`,
        ...{ sees: 'Was er sieht', other: 'Zeige unten auf einen anderen.' },
        score: (share) => `${share} der Ziffern gelesen`,
        label: 'Neben dem Filter ist, was er sieht: blau, wo die Ziffer hat, was er sucht.',
      },
    },
    guess: {
      question: 'Wie viele von 300 ungesehenen Ziffern werden nach 200 Schritten richtig gelesen?',
      answers: ['Etwa 30, durch Glück', 'Etwa die Hälfte', 'Mehr als 250'],
      told: (facts) =>
        `Von 300 ungesehenen Ziffern werden ${facts.percent('score')} richtig gelesen. ${de.locked(facts)}`,
    },
    lesson: [
      'Zeige auf einen Filter: Oben ist seine Karte. Sie ist blau, wo die Ziffer auf der Fläche enthält, was der Filter sucht. Die ersten zwei sind von Sobel, für senkrechte und waagrechte Kanten; sie sind gesperrt.',
      'Trainiere 200 Schritte: Sechs Filter lernen, was hilft. Die zwei gesperrten behalten jedes Bit (jede 0 und 1 im Speicher).',
      'Zeichne selbst eine Ziffer auf die Fläche und sieh, welche Karten aufleuchten.',
      'Nun sind alle acht Filter zufällig und gesperrt. Trainiere: Nur der Kopf lernt, aus dem, was diese Filter finden.',
      'Gib einen Filter frei und trainiere weiter. Wie sehr verbessert ein Filter, der lernt, das Ergebnis?',
    ],
  },
};
