/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'A kernel is a stencil of 3 × 3 numbers that finds its kind of stroke.',
    ledeLater: 'A locked kernel sees the same as at first. Draw a stroke and compare.',
    hint: 'Point at a kernel to see its map. Type a filter into a kernel and lock it: the others learn around it.',
    choices: {
      kernels: {
        label: 'Kernels',
        names: { sobel: 'Two of Sobel’s', random: 'Random, free', locked: 'Random, locked' },
      },
    },
    grids: {
      ...Object.fromEntries(Array.from('12345678', (i) => [`kernel${i}`, `Kernel ${i}`])),
      ...{ biases: 'Biases of the kernels', head: 'Head: from maps to ten digits' },
      offsets: 'Bias',
    },
    figures: {
      pad: en.pad,
      features: {
        ...en.features,
        headline: (n, score) => `8 kernels, ${n || 'none'} locked: ${score} of digits are read.`,
      },
      maps: {
        kernel: (number, isLocked) => `Kernel ${number}, ${isLocked ? 'locked' : 'free'}`,
        ...{ first: 'sees at first', same: 'now the same', differs: 'now changed' },
        label: 'What kernels see, at first and now: blue where they find their kind of stroke.',
      },
    },
    guess: {
      question: 'What will free kernels see after training?',
      answers: ['The same as now', 'Other strokes'],
      told: (facts) =>
        `Free kernels see something else now, and ${facts.percent('score')} of digits are read. ${en.locked(facts)}`,
    },
    lesson: [
      'Point at a kernel: above is what it sees, now and at the start. It is blue where the digit on the pad contains what the kernel looks for. The first two are Sobel’s kernels, for vertical and horizontal edges; they are locked.',
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
    lede: 'Ein Filter ist eine Schablone aus 3 × 3 Zahlen und findet seine Art Strich.',
    ledeLater: 'Ein gesperrter Filter sieht dasselbe wie am Anfang. Zeichne und vergleiche.',
    hint: 'Zeige auf einen Filter, um seine Karte zu sehen. Tippe einen Filter ein und sperre ihn: Die anderen lernen um ihn herum.',
    choices: {
      kernels: {
        label: 'Filter',
        names: { sobel: 'Zwei von Sobel', random: 'Zufällig, frei', locked: 'Zufällig, fest' },
      },
    },
    grids: {
      ...Object.fromEntries(Array.from('12345678', (i) => [`kernel${i}`, `Filter ${i}`])),
      ...{ biases: 'Bias der Filter', head: 'Kopf: von Karten zu zehn Ziffern' },
      offsets: 'Bias',
    },
    figures: {
      pad: de.pad,
      features: {
        ...de.features,
        headline: (n, score) =>
          `8 Filter, ${n || 'keiner'} gesperrt: ${score} der Ziffern werden gelesen.`,
      },
      maps: {
        kernel: (number, isLocked) => `Filter ${number}, ${isLocked ? 'gesperrt' : 'frei'}`,
        ...{ first: 'sieht zuerst', same: 'nun dasselbe', differs: 'nun anderes' },
        label: 'Was Filter sehen, am Anfang und jetzt: blau, wo sie ihre Art von Strich finden.',
      },
    },
    guess: {
      question: 'Was sehen freie Filter nach dem Training?',
      answers: ['Dasselbe wie jetzt', 'Andere Striche'],
      told: (facts) =>
        `Freie Filter sehen nun anderes, und ${facts.percent('score')} der Ziffern werden gelesen. ${de.locked(facts)}`,
    },
    lesson: [
      'Zeige auf einen Filter: Oben ist, was er sieht, jetzt und am Anfang. Es ist blau, wo die Ziffer auf der Fläche enthält, was der Filter sucht. Die ersten zwei sind von Sobel, für senkrechte und waagrechte Kanten; sie sind gesperrt.',
      'Trainiere 200 Schritte: Sechs Filter lernen, was hilft. Die zwei gesperrten behalten jedes Bit (jede 0 und 1 im Speicher).',
      'Zeichne selbst eine Ziffer auf die Fläche und sieh, welche Karten aufleuchten.',
      'Nun sind alle acht Filter zufällig und gesperrt. Trainiere: Nur der Kopf lernt, aus dem, was diese Filter finden.',
      'Gib einen Filter frei und trainiere weiter. Wie sehr verbessert ein Filter, der lernt, das Ergebnis?',
    ],
  },
};
