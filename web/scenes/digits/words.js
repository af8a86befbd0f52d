/** The words of Digits. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Digits',
    loss: 'how wrong the answers are',
    card: 'Draw a digit. Ten boxes of weights read it.',
    lede: 'Laid over the drawing, each box gives a vote for its digit. Box 6 is locked blank.',
    ledeLater: 'The locked 6 stays blank. The other nine learn to say yes (blue) or no (orange).',
    ledeActed: 'Locked at blank, a box says nothing. Two blank ones cannot beat each other.',
    hint: 'Draw a digit. Click the number above a box to lock or free all of it: the others learn round it.',
    grids: Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`])),
    figures: {
      pad: en.pad,
      features: {
        ...en.features,
        sixes: (read) => `Of 30 sixes it never saw, ${read} are read.`,
      },
    },
    guess: {
      question: 'The box of the 6 stays blank. Will a 6 still be read?',
      answers: ['No, never', 'Yes, nearly always'],
      next: 'Lock the 9, too',
      told: (facts) =>
        `${Math.round(0.3 * Number.parseFloat(facts.percent('sixes')))} of 30 new sixes are read: nine boxes say no, the blank one says nothing, so it wins.`,
    },
    lesson: [
      'Draw a digit, or take one of other people’s. Bars will show which of the ten boxes it fits. At first it fits all alike: no votes.',
      'Train 50 steps: each free box comes to show what speaks for its digit and against it. The 6 keeps every bit, and is read all the same: the others learn what is no 6.',
      'Prune: the smallest weights become 0 and are locked. The corners go first, because few strokes reach them.',
      'Train on: the pruned weights stay 0, and digits are read as well as before.',
      'Lock another box, or two, before you start again. How many can be locked until digits are confused?',
    ],
  },
  de: {
    name: 'Ziffern',
    loss: 'wie falsch die Antworten sind',
    card: 'Zeichne eine Ziffer. Zehn Felder aus Gewichten lesen sie.',
    lede: 'Auf die Zeichnung gelegt, gibt jedes Feld seiner Ziffer eine Stimme. Feld 6 ist leer gesperrt.',
    ledeLater: 'Die gesperrte 6 bleibt leer. Die neun anderen lernen ja (blau) oder nein (orange).',
    ledeActed: 'Leer gesperrt sagt ein Feld nichts. Von zwei leeren schlägt keines das andere.',
    hint: 'Zeichne eine Ziffer. Klicke auf die Zahl über einem Feld, um es ganz zu sperren oder freizugeben: Die anderen lernen darum herum.',
    grids: Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`])),
    figures: {
      pad: de.pad,
      features: {
        ...de.features,
        sixes: (read) => `Von 30 ungesehenen Sechsen sind ${read} erkannt.`,
      },
    },
    guess: {
      question: 'Das Feld der 6 bleibt leer. Wird eine 6 trotzdem erkannt?',
      answers: ['Nein, nie', 'Ja, fast immer'],
      next: 'Auch die 9 sperren',
      told: (facts) =>
        `${Math.round(0.3 * Number.parseFloat(facts.percent('sixes')))} von 30 neuen Sechsen werden gelesen: Neun Felder sagen nein, das leere sagt nichts und gewinnt so.`,
    },
    lesson: [
      'Zeichne eine Ziffer, oder nimm eine von anderen. Balken zeigen bald, zu welchem der zehn Felder sie passt. Zuerst passt sie zu allen gleich: keine Stimmen.',
      'Trainiere 50 Schritte: Jedes freie Feld zeigt dann, was für seine Ziffer und gegen sie spricht. Die 6 behält jedes Bit und wird doch gelesen: Die anderen lernen, was keine 6 ist.',
      'Beschneide: Die kleinsten Gewichte werden 0 und gesperrt. Die Ecken gehen zuerst, denn dort sind kaum Striche.',
      'Trainiere weiter: Die beschnittenen Gewichte bleiben 0, und Ziffern werden so gut gelesen wie vorher.',
      'Sperre ein weiteres Feld oder zwei, bevor du neu beginnst. Wie viele dürfen gesperrt sein, bis Ziffern verwechselt werden?',
    ],
  },
};
