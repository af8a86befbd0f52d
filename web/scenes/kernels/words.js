/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'Eight stencils (kernels) each seek a shape in your digit; together they name it.',
    ledeLater: 'Locked stencils stay, free ones learn. See where each fits.',
    ledeOther: 'Random ones that are locked help less. Lock what is good, let the rest learn.',
    hint: 'Lock another by its number, and play on.',
    choices: {
      kernels: {
        label: 'Kernels',
        names: { sobel: 'Two of Sobel’s', random: 'Random, free', locked: 'Random, locked' },
      },
    },
    grids: {
      ...Object.fromEntries(Array.from('12345678', (i) => [`kernel${i}`, i])),
      ...{ biases: 'Biases of the kernels', head: 'Head: from maps to ten digits' },
      offsets: 'Bias',
    },
    figures: {
      pad: { ...en.pad, here: 'Draw here' },
      features: {
        ...en.features,
        held: (count, score) => `${score} with ${count} locked`,
        fresh: (told) => `New digits read: ${told}.`,
      },
      map: {
        told: (number) => `Where stencil ${number} fits`,
        next: (number) => `Stencil ${number} ›`,
        label: (number, row, col) =>
          `Stencil ${number} fits ${row ? `best at row ${row}, column ${col}` : 'nowhere'}.`,
      },
    },
    guess: {
      question: 'Two are locked, six learn. How many new digits will it read?',
      answers: ['About half', 'About nine in ten'],
      told: (facts) =>
        `Two edge finders stayed, six learnt around them: ${facts.percent('score')} of new digits read. And if eight random ones stay?`,
      next: 'Lock eight random ones',
    },
    lesson: [
      'Point at a kernel: the image beside the pad is blue where your digit contains what that kernel looks for. The first two are Sobel’s kernels, for vertical and horizontal edges; they are locked. The others are random and find little.',
      'Train 200 steps: six kernels learn what helps. The two locked ones keep every bit (every 0 and 1 in memory).',
      'Draw your own digit on the pad, and point at kernels: which of them find much?',
      'Now all eight kernels are random and locked. Train: only the head learns, from what these kernels find.',
      'Free one kernel and train on. How much does one kernel that learns improve the result?',
    ],
  },
  de: {
    name: 'Filter',
    loss: 'wie falsch die Antworten sind',
    card: 'Zeichne eine Ziffer und sieh, was acht kleine Filter darin finden.',
    lede: 'Acht Schablonen (Filter) suchen je eine Form in der Ziffer; zusammen nennen sie sie.',
    ledeLater: 'Gesperrte bleiben, freie lernen. Sieh, wo jede passt.',
    ledeOther: 'Gesperrte zufällige helfen weniger. Sperre Gutes, lass den Rest lernen.',
    hint: 'Sperre noch eine durch ihre Nummer und spiele weiter ab.',
    choices: {
      kernels: {
        label: 'Filter',
        names: { sobel: 'Zwei von Sobel', random: 'Zufällig, frei', locked: 'Zufällig, fest' },
      },
    },
    grids: {
      ...Object.fromEntries(Array.from('12345678', (i) => [`kernel${i}`, i])),
      ...{ biases: 'Bias der Filter', head: 'Kopf: von Karten zu zehn Ziffern' },
      offsets: 'Bias',
    },
    figures: {
      pad: { ...de.pad, here: 'Hier zeichnen' },
      features: {
        ...de.features,
        held: (count, score) => `${score} mit ${count} gesperrten`,
        fresh: (told) => `Neue Ziffern gelesen: ${told}.`,
      },
      map: {
        told: (number) => `Wo Schablone ${number} passt`,
        next: (number) => `Schablone ${number} ›`,
        label: (number, row, col) =>
          `Schablone ${number} passt ${row ? `am besten bei Zeile ${row}, Spalte ${col}` : 'nirgends'}.`,
      },
    },
    guess: {
      question: 'Zwei sind gesperrt, sechs lernen. Wie viele neue Ziffern liest es dann?',
      answers: ['Etwa die Hälfte', 'Etwa neun von zehn'],
      told: (facts) =>
        `Zwei Kantenfinder blieben, sechs lernten um sie herum: ${facts.percent('score')} neuer Ziffern gelesen. Und wenn acht zufällige bleiben?`,
      next: 'Acht zufällige sperren',
    },
    lesson: [
      'Zeige auf einen Filter: Das Bild neben der Fläche ist blau, wo deine Ziffer enthält, was er sucht. Die ersten zwei sind von Sobel, für senkrechte und waagrechte Kanten; sie sind gesperrt. Die anderen sind zufällig und finden wenig.',
      'Trainiere 200 Schritte: Sechs Filter lernen, was hilft. Die zwei gesperrten behalten jedes Bit (jede 0 und 1 im Speicher).',
      'Zeichne selbst eine Ziffer auf die Fläche und zeige auf Filter: Welche finden viel?',
      'Nun sind alle acht Filter zufällig und gesperrt. Trainiere: Nur der Kopf lernt, aus dem, was diese Filter finden.',
      'Gib einen Filter frei und trainiere weiter. Wie sehr verbessert ein Filter, der lernt, das Ergebnis?',
    ],
  },
};
