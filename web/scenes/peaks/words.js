/** The words of Peaks. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Peaks',
    card: 'Fit four peaks to a spectrum whose widths are known.',
    lede: 'Bell curves look for the dots. Locked numbers stay. Press Play.',
    ledeLater: 'Free numbers change, locked ones do not.',
    hint: 'Each row is a bell curve. Its width is in tenths of the axis’s unit. Drag a number up or down to pull it.',
    sizeLabel: 'Peaks and numbers of each',
    ownLede:
      'Your points, as a sum of bell curves. Lock what you know, give bounds in the report, and move the cells to the best fit.',
    choices: { noise: { label: 'Data', names: { noisy: 'With noise', clean: 'Without noise' } } },
    figures: {
      curves: {
        measured: 'Dots: measured values.',
        exact: 'Dots: values without noise.',
        plain: 'Dots: your points.',
        lines: (hasBand) =>
          ` Line: the sum. Dashed: its parts.${hasBand ? ' Shaded: 95 % band.' : ''} Misfit: `,
        chi: (chi, freedom) =>
          `reduced χ² = ${chi} with ${freedom} degrees of freedom; noise alone gives 1.`,
        off: (off) => `${off} root mean square.`,
        across: 'place',
        band: 'Orange: where the line may be (95 %)',
        up: 'height',
      },
    },
    guess: {
      question: 'Only heights and places may change. Can the line reach the dots?',
      answers: [
        'No, the widths would have to change',
        'Yes, but the locked widths move a little',
        'Yes, and the widths keep every bit',
      ],
      told: (facts) =>
        `The loss has changed from ${facts.first} to ${facts.loss}: the line meets the dots. ${en.locked(facts)}`,
    },
    lesson: [
      'Dots are measured values. Each row of cells is a bell curve: its height, its place, its width. The widths are locked.',
      'Train 150 steps: heights and places change until the line meets the dots.',
      'The widths have kept every bit (every 0 and 1 in memory): what is known stays known.',
      'Pressure shows the cost of each lock: how much the loss would fall if that width could change.',
      'Free a width and train on. Or set a wrong width by hand and see which curves get worse.',
    ],
  },
  de: {
    name: 'Spektrum',
    card: 'Passe vier Glocken an ein Spektrum an, deren Breiten bekannt sind.',
    lede: 'Glockenkurven suchen die Punkte. Gesperrte Zahlen bleiben. Drücke Starten.',
    ledeLater: 'Freie Zahlen ändern sich, gesperrte nicht.',
    hint: 'Jede Zeile ist eine Glockenkurve. Ihre Breite ist in Zehnteln der Einheit der Achse. Ziehe eine Zahl nach oben oder unten, um sie zu ändern.',
    sizeLabel: 'Glocken und Zahlen je Glocke',
    ownLede:
      'Deine Messwerte als Summe von Glockenkurven. Sperre, was du weißt, gib im Bericht Grenzen an, und setze die Zellen auf die beste Anpassung.',
    choices: {
      noise: { label: 'Daten', names: { noisy: 'Mit Rauschen', clean: 'Ohne Rauschen' } },
    },
    names: { height: 'Höhe', place: 'Ort', width: 'Breite' },
    figures: {
      curves: {
        measured: 'Punkte: Messwerte.',
        exact: 'Punkte: Werte ohne Rauschen.',
        plain: 'Punkte: deine Messwerte.',
        lines: (hasBand) =>
          ` Linie: Summe. Gestrichelt: ihre Teile.${hasBand ? ' Schattiert: 95-%-Band.' : ''} Abweichung: `,
        chi: (chi, freedom) =>
          `reduziertes χ² = ${chi} bei ${freedom} Freiheitsgraden; Rauschen allein ergibt 1.`,
        off: (off) => `${off} im quadratischen Mittel.`,
        across: 'Ort',
        band: 'Orange: wo die Linie liegen kann (95 %)',
        up: 'Höhe',
      },
    },
    guess: {
      question: 'Nur Höhen und Orte dürfen sich ändern. Erreicht die Linie die Punkte?',
      answers: [
        'Nein, die Breiten müssten sich ändern',
        'Ja, aber die gesperrten Breiten bewegen sich etwas',
        'Ja, und die Breiten behalten jedes Bit',
      ],
      told: (facts) =>
        `Der Verlust hat sich von ${facts.first} auf ${facts.loss} geändert: Die Linie trifft die Punkte. ${de.locked(facts)}`,
    },
    lesson: [
      'Punkte sind gemessene Werte. Jede Zeile ist eine Glockenkurve: ihre Höhe, ihr Ort, ihre Breite. Die Breiten sind gesperrt.',
      'Trainiere 150 Schritte: Höhen und Orte ändern sich, bis die Linie die Punkte trifft.',
      'Die Breiten haben jedes Bit (jede 0 und 1 im Speicher) behalten: Was bekannt ist, bleibt bekannt.',
      'Druck zeigt, was jede Sperre kostet: wie sehr der Verlust fiele, wenn die Breite sich ändern dürfte.',
      'Gib eine Breite frei und trainiere weiter. Oder setze eine Breite von Hand falsch und sieh, welche Kurven schlechter werden.',
    ],
  },
};
