/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'Each kernel lights up at its kind of stroke.',
    ledeLater: 'Now point at a free kernel: it has changed.',
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
        kernel: (number) => `Kernel ${number}`,
        locked: (count) => (count ? (count < 9 ? `${count} of 9 locked` : 'locked') : 'free'),
        ...{ now: 'Now', sees: 'what it sees', first: 'At first' },
        ...{ same: 'the same', differs: 'different' },
        label: 'What the kernel sees, now and at first: blue where it finds its kind of stroke.',
      },
    },
    guess: {
      question: 'Kernel 1 is locked. Which strokes does it see?',
      answers: ['Upright', 'Level'],
      told: (facts) => `Upright strokes light kernel 1 up, before and after. ${en.locked(facts)}`,
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
    lede: 'Jeder Filter leuchtet bei seiner Art Strich auf.',
    ledeLater: 'Zeige nun auf einen freien Filter: Er ist anders.',
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
        kernel: (number) => `Filter ${number}`,
        locked: (count) => (count ? (count < 9 ? `${count} von 9 gesperrt` : 'gesperrt') : 'frei'),
        ...{ now: 'Jetzt', sees: 'was er sieht', first: 'Am Anfang' },
        ...{ same: 'genau gleich', differs: 'anders' },
        label:
          'Was der Filter sieht, jetzt und am Anfang: blau, wo er seine Art von Strich findet.',
      },
    },
    guess: {
      question: 'Filter 1 ist gesperrt. Welche Striche sieht er?',
      answers: ['Senkrechte', 'Waagrechte'],
      told: (facts) => `Auf senkrechte Striche spricht er an, wie vorher. ${de.locked(facts)}`,
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
