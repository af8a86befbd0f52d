/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'A stencil slides over the drawing and marks where its stroke is.',
    ledeLater: 'The locked stencils stay. Training learns what their marks mean.',
    ledeOther: 'Lock what is good: it stays good. What is bad stays bad until you free it.',
    hint: 'Lock or free a stencil by its number, and play on.',
    choices: {
      kernels: {
        label: 'Kernels',
        names: {
          ...{ strokes: 'Known, locked', free: 'Random, free', fixed: 'Random, locked' },
          sobel: 'Two of Sobel’s; 600 digits',
          ...{ random: 'Random, free; 600 digits', locked: 'Random, locked; 600 digits' },
        },
      },
    },
    grids: {
      ...Object.fromEntries(Array.from('12345678', (i) => [`kernel${i}`, i])),
      ...{ biases: 'Biases of the kernels', head: 'Head: from maps to ten digits' },
      ...{ kernel1: 'Stencil 1', kernel4: '4 of 8', offsets: 'Bias' },
    },
    figures: {
      pad: en.pad,
      results: {
        ...{ title: 'New digits read right', known: 'by hand', random: 'random' },
        held: (count) => (count ? `${count} locked` : 'free'),
      },
      map: {
        ...{ fits: 'Its marks', read: 'Read from the marks: ' },
        label: (number, row, col) =>
          `Stencil ${number} fits ${row ? `best at row ${row}, column ${col}` : 'nowhere'}.`,
      },
    },
    guess: {
      question:
        'Eight stencils stay locked. Training learns to read their marks. How many digits will be right?',
      answers: ['About 3 in 10', 'About 7 in 10'],
      told: (facts) =>
        `Nobody trained these stencils: drawn by hand and locked, they are enough for ${facts.percent('score')} of new digits. And random ones?`,
      next: 'Now random ones: locked, then free',
    },
    lesson: [
      'The image beside each kernel is blue where your digit contains what it looks for. Four find lines. Four more, in “All controls”, find edges (Sobel’s). They are known, so they are locked.',
      'Train 100 steps: the head learns from 20 digits what strokes make a digit. The locked kernels keep every bit (every 0 and 1 in memory).',
      'Draw your own digit on the pad, and point at kernels: which of them find much?',
      'Now all eight kernels are random and learn, too. From so few digits they learn less than you know: fewer new digits are read.',
      'In “Kernels” choose random ones that are locked. How many digits are read now, and why?',
    ],
  },
  de: {
    name: 'Filter',
    loss: 'wie falsch die Antworten sind',
    card: 'Zeichne eine Ziffer und sieh, was acht kleine Filter darin finden.',
    lede: 'Eine Schablone gleitet über die Zeichnung und markiert, wo ihr Strich ist.',
    ledeLater: 'Die gesperrten Schablonen bleiben. Training lernt, was ihre Marken bedeuten.',
    ledeOther:
      'Sperre, was gut ist: Es bleibt gut. Schlechtes bleibt schlecht, bis du es freigibst.',
    hint: 'Sperre oder gib eine Schablone durch ihre Nummer frei und spiele weiter ab.',
    choices: {
      kernels: {
        label: 'Filter',
        names: {
          ...{ strokes: 'Bekannt, fest', free: 'Zufällig, frei', fixed: 'Zufällig, fest' },
          sobel: 'Zwei von Sobel; 600 Ziffern',
          ...{ random: 'Zufällig, frei; 600 Ziffern', locked: 'Zufällig, fest; 600 Ziffern' },
        },
      },
    },
    grids: {
      ...Object.fromEntries(Array.from('12345678', (i) => [`kernel${i}`, i])),
      ...{ biases: 'Bias der Filter', head: 'Kopf: von Karten zu zehn Ziffern' },
      ...{ kernel1: 'Schablone 1', kernel4: '4 von 8', offsets: 'Bias' },
    },
    figures: {
      pad: de.pad,
      results: {
        ...{ title: 'Neue Ziffern richtig gelesen', known: 'von Hand', random: 'zufällig' },
        held: (count) => (count ? `${count} fest` : 'frei'),
      },
      map: {
        ...{ fits: 'Ihre Marken', read: 'Aus den Marken: ' },
        label: (number, row, col) =>
          `Schablone ${number} passt ${row ? `am besten bei Zeile ${row}, Spalte ${col}` : 'nirgends'}.`,
      },
    },
    guess: {
      question:
        'Acht Schablonen bleiben fest. Training lernt ihre Marken lesen. Wie viele Ziffern sind richtig?',
      answers: ['Etwa 3 von 10', 'Etwa 7 von 10'],
      told: (facts) =>
        `Niemand trainierte diese Schablonen: Von Hand gezeichnet und fest, genügen sie für ${facts.percent('score')} neuer Ziffern. Und zufällige?`,
      next: 'Nun zufällige: fest, dann frei',
    },
    lesson: [
      'Das Bild neben jedem Filter ist blau, wo deine Ziffer enthält, was er sucht. Vier finden Linien. Vier weitere, bei „Alle Regler“, finden Kanten (Sobel). Sie sind bekannt, also gesperrt.',
      'Trainiere 100 Schritte: Der Kopf lernt aus 20 Ziffern, welche Striche sie haben. Die gesperrten Filter behalten jedes Bit (jede 0 und 1 im Speicher).',
      'Zeichne selbst eine Ziffer auf die Fläche und zeige auf Filter: Welche finden viel?',
      'Nun sind alle acht Filter zufällig und lernen auch. Aus so wenigen Ziffern lernen sie weniger, als du weißt: Weniger neue werden gelesen.',
      'Wähle bei „Filter“ zufällige, die fest sind. Wie viele Ziffern werden nun gelesen, und warum?',
    ],
  },
};
