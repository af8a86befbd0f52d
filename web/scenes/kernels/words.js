/** The words of Kernels. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Kernels',
    loss: 'how wrong the answers are',
    card: 'Draw a digit and see what eight small filters find in it.',
    lede: 'Kernels are small stencils that slide over your digit.',
    ledeLater: 'Locked stencils stay, free ones learn. Point at one: see where it fits.',
    ledeOther: (percent, locked) =>
      locked > 71
        ? `Eight random stencils, none learns: ${percent('score')} read. With six that learn: about 90\u00a0%.`
        : `Free stencils learn what helps: ${percent('score')} of new digits read.`,
    hint: 'Blue is where a stencil finds its pattern. Lock another by its number, and play on.',
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
      features: { ...en.features, score: (score) => `New digits: ${score} read.` },
      map: {
        finds:
          'left edge, top left, top edge, top right, right edge, lower right, lower edge, lower left, ink, upright, level, slant',
        label: (number, find) => `Blue: where stencil ${number} fits${find && `: ${find}`}`,
      },
    },
    guess: {
      question: 'Two are locked, six learn. How many new digits will it read?',
      answers: ['About half', 'About nine in ten'],
      told: (facts) =>
        `${facts.percent('score')} of new digits read: six learned around two locked ones. And with all eight random?`,
      next: 'Lock eight random ones',
    },
    lesson: [
      'Below each kernel is what it finds: its name, and where. It is blue where the digit on the pad contains what the kernel looks for. The first two are Sobel’s kernels, for vertical and horizontal edges; they are locked. The others are random and find little.',
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
    lede: 'Filter sind kleine Schablonen, die über die Ziffer gleiten.',
    ledeLater: 'Gesperrte bleiben, freie lernen. Zeige auf eine: Sieh, wo sie passt.',
    ledeOther: (percent, locked) =>
      locked > 71
        ? `Acht zufällige, keine lernt: ${percent('score')} gelesen. Mit sechs, die lernen: um 90\u00a0%.`
        : `Freie Schablonen lernen, was hilft: ${percent('score')} neuer Ziffern gelesen.`,
    hint: 'Blau ist, wo eine Schablone ihr Muster findet. Sperre noch eine durch ihre Nummer und spiele weiter ab.',
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
      features: { ...de.features, score: (score) => `Neue Ziffern: ${score} gelesen.` },
      map: {
        finds:
          'Rand links, links oben, Rand oben, rechts oben, Rand rechts, rechts unten, Rand unten, links unten, Tinte, senkrecht, waagrecht, schräg',
        label: (number, find) => `Blau: wo Schablone ${number} passt${find && `: ${find}`}`,
      },
    },
    guess: {
      question: 'Zwei sind gesperrt, sechs lernen. Wie viele neue Ziffern liest es dann?',
      answers: ['Etwa die Hälfte', 'Etwa neun von zehn'],
      told: (facts) =>
        `${facts.percent('score')} der neuen Ziffern gelesen: Sechs lernten um zwei gesperrte herum. Und mit acht zufälligen?`,
      next: 'Acht zufällige sperren',
    },
    lesson: [
      'Unter jedem Filter ist, was er findet: der Name, und wo. Es ist blau, wo die Ziffer auf der Fläche enthält, was der Filter sucht. Die ersten zwei sind von Sobel, für senkrechte und waagrechte Kanten; sie sind gesperrt. Die anderen sind zufällig und finden wenig.',
      'Trainiere 200 Schritte: Sechs Filter lernen, was hilft. Die zwei gesperrten behalten jedes Bit (jede 0 und 1 im Speicher).',
      'Zeichne selbst eine Ziffer auf die Fläche und sieh, welche Karten sich füllen.',
      'Nun sind alle acht Filter zufällig und gesperrt. Trainiere: Nur der Kopf lernt, aus dem, was diese Filter finden.',
      'Gib einen Filter frei und trainiere weiter. Wie sehr verbessert ein Filter, der lernt, das Ergebnis?',
    ],
  },
};
