/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'Kernels are 3×3 stencils that search the digit. Blue: found.',
    ledeLater: 'Free kernels learn what to search for. Locked ones stay. Draw a digit.',
    hint: 'Blue is where a kernel finds its pattern. Lock another kernel by its name, and play on.',
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
      features: { ...en.features, score: (score) => `New\u00a0digits: ${score} read.` },
      maps: {
        finds:
          'left edge, top left, top edge, top right, right edge, lower right, lower edge, lower left, ink, upright, level, slant',
        more: '3–6: All controls',
        label: (number) => `What kernel ${number} finds in the image: blue where its pattern is`,
      },
    },
    guess: {
      question: 'Two are set by hand, locked. Worse than eight learnt?',
      answers: ['Much worse', 'Just as well'],
      told: (facts) =>
        `${facts.percent('score')} of digits read, about as many as with eight learnt. What you know can be locked; the rest learns around it.`,
    },
    lesson: [
      'Right of each kernel is what it finds: its name, and where. It is blue where the digit on the pad contains what the kernel looks for. The first two are Sobel’s kernels, for vertical and horizontal edges; they are locked. The others are random and find little.',
      'Train 200 steps: six kernels learn what helps. The two locked ones keep every bit (every 0 and 1 in memory).',
      'Draw your own digit on the pad and see which maps fill.',
      'Now all eight kernels are random and locked. Train: only the head learns, from what these kernels find.',
      'Free one kernel and train on. How much does one kernel that learns improve the result?',
    ],
  },
  de: {
    name: 'Filter',
    loss: 'wie falsch die Antworten sind',
    card: 'Zeichne eine Ziffer und sieh, was acht kleine Filter darin finden.',
    lede: 'Filter sind 3×3-Schablonen, die die Ziffer absuchen. Dunkelblau: gefunden.',
    ledeLater:
      'Freie Filter lernen, was sie suchen sollen. Gesperrte bleiben. Zeichne eine Ziffer.',
    hint: 'Blau ist, wo ein Filter sein Muster findet. Sperre noch einen durch seinen Namen und spiele weiter ab.',
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
      features: { ...de.features, score: (score) => `Neue\u00a0Ziffern: ${score} gelesen.` },
      maps: {
        finds:
          'Rand links, links oben, Rand oben, rechts oben, Rand rechts, rechts unten, Rand unten, links unten, Tinte, senkrecht, waagrecht, schräg',
        more: '3–6: Alle Regler',
        label: (number) => `Was Filter ${number} im Bild findet: blau, wo sein Muster ist`,
      },
    },
    guess: {
      question: 'Zwei sind von Hand gesetzt, gesperrt. Schlechter als acht gelernte?',
      answers: ['Viel schlechter', 'Genauso gut'],
      told: (facts) =>
        `${facts.percent('score')} der Ziffern gelesen, etwa so viele wie mit acht gelernten. Was man weiß, kann man sperren; der Rest lernt dazu.`,
    },
    lesson: [
      'Rechts von jedem Filter ist, was er findet: der Name, und wo. Es ist blau, wo die Ziffer auf der Fläche enthält, was der Filter sucht. Die ersten zwei sind von Sobel, für senkrechte und waagrechte Kanten; sie sind gesperrt. Die anderen sind zufällig und finden wenig.',
      'Trainiere 200 Schritte: Sechs Filter lernen, was hilft. Die zwei gesperrten behalten jedes Bit (jede 0 und 1 im Speicher).',
      'Zeichne selbst eine Ziffer auf die Fläche und sieh, welche Karten sich füllen.',
      'Nun sind alle acht Filter zufällig und gesperrt. Trainiere: Nur der Kopf lernt, aus dem, was diese Filter finden.',
      'Gib einen Filter frei und trainiere weiter. Wie sehr verbessert ein Filter, der lernt, das Ergebnis?',
    ],
  },
};
