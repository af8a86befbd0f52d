/** The words of Digits. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Digits',
    loss: 'how wrong the answers are',
    card: 'Draw a digit. Ten images of weights read it.',
    lede: 'Each digit learns an image. The 6’s is locked and stays blank. Press Play.',
    ledeLater: 'Locked images stay as they are. The others learn to say no.',
    hint: 'Draw a digit. Click the number above an image to lock or free all of it: the others learn round it.',
    grids: Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`])),
    figures: {
      pad: en.pad,
      features: en.features,
    },
    guess: {
      question: 'The image of the 6 stays blank. Will a 6 still be read as a 6?',
      answers: ['No, it has no image', 'Yes, nearly always'],
      told: (facts) =>
        `With its image blank, ${facts.percent('sixes')} of 30 new 6s are read correctly.`,
    },
    lesson: [
      'Draw a digit, or take one of other people’s. The bars show which of the ten images it fits. At first it fits all alike.',
      'Train 50 steps: each free image comes to show what speaks for its digit and against it. The 6 keeps every bit, and is read all the same: the others learn what is no 6.',
      'Prune: the smallest weights become 0 and are locked. The corners go first, because few strokes reach them.',
      'Train on: the pruned weights stay 0, and the score hardly falls.',
      'Lock another image, or two, before you start again. How many can be locked until digits are confused?',
    ],
  },
  de: {
    name: 'Ziffern',
    loss: 'wie falsch die Antworten sind',
    card: 'Zeichne eine Ziffer. Zehn Bilder aus Gewichten lesen sie.',
    lede: 'Jede Ziffer lernt ein Bild. Das der 6 ist leer gesperrt. Drücke „Starten“.',
    ledeLater: 'Gesperrte Bilder bleiben, wie sie sind. Die anderen lernen, nein zu sagen.',
    hint: 'Zeichne eine Ziffer. Klicke auf die Zahl über einem Bild, um es ganz zu sperren oder freizugeben: Die anderen lernen darum herum.',
    grids: Object.fromEntries(Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`])),
    figures: {
      pad: de.pad,
      features: de.features,
    },
    guess: {
      question: 'Das Bild der 6 bleibt leer. Wird eine 6 trotzdem als 6 gelesen?',
      answers: ['Nein, sie hat kein Bild', 'Ja, fast immer'],
      told: (facts) =>
        `Mit leerem Bild werden ${facts.percent('sixes')} von 30 ungesehenen Sechsen gelesen.`,
    },
    lesson: [
      'Zeichne eine Ziffer, oder nimm eine von anderen. Die Balken zeigen, zu welchem der zehn Bilder sie passt. Zuerst passt sie zu allen gleich.',
      'Trainiere 50 Schritte: Jedes freie Bild zeigt dann, was für seine Ziffer und gegen sie spricht. Die 6 behält jedes Bit und wird doch gelesen: Die anderen lernen, was keine 6 ist.',
      'Beschneide: Die kleinsten Gewichte werden 0 und gesperrt. Die Ecken gehen zuerst, denn dort sind kaum Striche.',
      'Trainiere weiter: Die beschnittenen Gewichte bleiben 0, und die Trefferzahl sinkt kaum.',
      'Sperre ein weiteres Bild oder zwei, bevor du neu beginnst. Wie viele dürfen gesperrt sein, bis Ziffern verwechselt werden?',
    ],
  },
};
