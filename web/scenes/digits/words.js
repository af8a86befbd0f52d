/** The words of Digits. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Digits',
    card: 'Draw a digit. Ten images of weights read it.',
    lede: 'Draw a digit. Press Play: ten images of weights learn to read it.',
    hint: 'Click the number above an image to lock all of it. The others learn round it: how well is its digit read then?',
    grids: Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`])),
    figures: {
      pad: en.pad,
      features: en.features,
    },
    guess: {
      question: 'How many of 300 unseen digits will be read correctly after 50 steps?',
      answers: en.scores,
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
  de: {
    name: 'Ziffern',
    card: 'Zeichne eine Ziffer. Zehn Bilder aus Gewichten lesen sie.',
    lede: 'Zeichne eine Ziffer. Drücke Starten: Zehn Bilder aus Gewichten lernen, sie zu lesen.',
    hint: 'Klicke auf die Zahl über einem Bild, um es ganz zu sperren. Die anderen lernen darum herum: Wie gut wird seine Ziffer dann gelesen?',
    grids: Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`])),
    figures: {
      pad: de.pad,
      features: de.features,
    },
    guess: {
      question: 'Wie viele von 300 ungesehenen Ziffern werden nach 50 Schritten richtig gelesen?',
      answers: de.scores,
      told: (facts) =>
        `Von 300 ungesehenen Ziffern werden ${facts.percent('score')} richtig gelesen.`,
    },
    lesson: [
      'Zeichne eine Ziffer, oder nimm eine von anderen. Die Balken zeigen, zu welchem der zehn Bilder sie passt. Zuerst passt sie zu allen gleich.',
      'Trainiere 50 Schritte: Jedes Bild zeigt dann, was für seine Ziffer spricht und was gegen sie.',
      'Beschneide: Die kleinsten Gewichte werden 0 und gesperrt. Die Ecken gehen zuerst, denn dort sind kaum Striche.',
      'Trainiere weiter: Die beschnittenen Gewichte bleiben 0, und die Trefferzahl sinkt kaum.',
      'Sperre ein ganzes Bild, bevor du neu beginnst: Diese Ziffer muss mit dem auskommen, was sie hat.',
    ],
  },
};
