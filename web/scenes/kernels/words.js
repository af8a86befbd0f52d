/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'Stencils look for strokes: blue wants ink, orange none.',
    ledeLater: 'Locked stencils stay. The rest learns what strokes make a digit.',
    ledeOther: 'A lock keeps what is there: good stencils stay good, random ones bad.',
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
        ...{ title: 'New digits read', known: 'good', random: 'random' },
        held: (count) => (count ? `${count} locked` : 'free'),
      },
      map: {
        ...{ fits: 'Where it fits', read: 'Read as: ' },
        label: (number, row, col) =>
          `Stencil ${number} fits ${row ? `best at row ${row}, column ${col}` : 'nowhere'}.`,
      },
    },
    guess: {
      question: 'Eight such stencils are locked, the rest learns. How many digits will be read?',
      answers: ['About a third', 'About seven in ten'],
      told: (facts) =>
        `Eight good stencils stayed, the rest learnt: ${facts.percent('score')} of new digits read. And with eight random ones, also locked?`,
      next: 'Now lock random ones',
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
    lede: 'Schablonen suchen Striche: Blau will Tinte, Orange keine.',
    ledeLater: 'Gesperrte bleiben. Der Rest lernt, welche Striche eine Ziffer hat.',
    ledeOther: 'Eine Sperre behält, was da ist: Gute bleiben gut, zufällige schlecht.',
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
        ...{ title: 'Neue Ziffern gelesen', known: 'gut', random: 'zufällig' },
        held: (count) => (count ? `${count} fest` : 'frei'),
      },
      map: {
        ...{ fits: 'Wo sie passt', read: 'Gelesen: ' },
        label: (number, row, col) =>
          `Schablone ${number} passt ${row ? `am besten bei Zeile ${row}, Spalte ${col}` : 'nirgends'}.`,
      },
    },
    guess: {
      question: 'Acht Schablonen sind fest, der Rest lernt. Wie viele Ziffern werden gelesen?',
      answers: ['Etwa ein Drittel', 'Etwa sieben von zehn'],
      told: (facts) =>
        `Acht gute Schablonen blieben, der Rest lernte: ${facts.percent('score')} neuer Ziffern gelesen. Und mit acht zufälligen, auch fest?`,
      next: 'Nun zufällige sperren',
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
