/** The words of Weights. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Weights',
    loss: 'how wrong the colours are',
    card: 'A small network, weight by weight: lock some, prune many.',
    lede: 'Each line is a weight, and one is locked. Can the others learn?',
    ledeLater: 'Now press Prune: half of the weights are locked at 0. Is the rest enough?',
    ledeActed: 'More weights are locked, exactly. The rest works around them.',
    hint: 'Click an edge, or its cell, to lock or free a weight. Drag a cell up or down to pull its value.',
    ...en.layered,
    figures: {
      net: {
        ...en.net,
        kept: (held, others, share) =>
          `${held.length === 1 ? `It keeps ${held[0].toFixed(2).replace('-', '−')}` : `${held.length} are locked`}. The other ${others} learn: ${share} right.`,
        label: (all, held) =>
          `The network has ${all} edges, and ${held} of them are locked (crossed by short lines). Point at an edge or at its cell to see the other.`,
      },
      plane: en.plane,
    },
    guess: {
      question: 'One weight may not change. Can the others still tell blue from orange?',
      answers: ['No, each weight matters', 'Yes, they work around it'],
      told: ({ percent }) =>
        `The locked weight has kept every bit. The others get ${percent('testScore')} of unseen points right.`,
    },
    lesson: [
      'Discs and squares are two kinds of points. The colours behind them show the network’s answers. Each edge is a weight. That with the padlock is locked.',
      'Train 300 steps: the colours come to match the points. The locked weight is the same number as before.',
      'Prune: the smaller half of the weights in each matrix becomes 0 and is locked.',
      'Train on. The pruned weights stay exactly 0, and the others make up for them.',
      'Lock a whole column with a rectangle (hold Shift), or choose the spiral and see how many weights it needs.',
    ],
    challenge: {
      name: 'Few weights',
      task: 'Put 95 % of the points on the right side with as few weights as you can: prune, train, and prune again. Pruned weights are 0 and locked. Keep the data and the layers.',
      score: (weights) => `${weights} ${weights === '1' ? 'weight' : 'weights'} left`,
    },
  },
  de: {
    name: 'Gewichte',
    loss: 'wie falsch die Farben sind',
    card: 'Ein kleines Netz, Gewicht für Gewicht: Sperre einige, beschneide viele.',
    lede: 'Jede Linie ist ein Gewicht, eines ist gesperrt. Lernen es die anderen?',
    ledeLater: 'Drücke jetzt Beschneiden: Die Hälfte wird bei 0 gesperrt. Reicht der Rest?',
    ledeActed: 'Mehr Gewichte sind gesperrt, exakt. Der Rest lernt um sie herum.',
    hint: 'Klicke auf eine Kante oder ihre Zelle, um ein Gewicht zu sperren oder freizugeben. Ziehe eine Zelle nach oben oder unten, um ihren Wert zu ändern.',
    ...de.layered,
    figures: {
      net: {
        ...de.net,
        kept: (held, others, share) =>
          `${held.length === 1 ? `Es bleibt ${held[0].toFixed(2).replace('-', '−')}` : `${held.length} sind gesperrt`}. ${others} lernen: ${share} richtig.`,
        label: (all, held) =>
          `Das Netz hat ${all} Kanten, und ${held} davon sind gesperrt (mit Querstrichen). Zeige auf eine Kante oder auf ihre Zelle, um die andere zu sehen.`,
      },
      plane: de.plane,
    },
    guess: {
      question: 'Ein Gewicht bleibt, wie es ist. Trennen die anderen trotzdem Blau von Orange?',
      answers: ['Nein, jedes Gewicht zählt', 'Ja, sie umgehen es'],
      told: ({ percent }) =>
        `Das gesperrte Gewicht hat jedes Bit behalten. Die anderen ordnen ${percent('testScore')} der ungesehenen Punkte richtig zu.`,
    },
    lesson: [
      'Scheiben und Quadrate sind zwei Arten von Punkten. Die Farben dahinter zeigen die Antworten des Netzes. Jede Kante ist ein Gewicht. Das mit dem Schloss ist gesperrt.',
      'Trainiere 300 Schritte: Die Farben passen immer besser zu den Punkten. Das gesperrte Gewicht ist dieselbe Zahl wie vorher.',
      'Beschneide: In jeder Matrix wird die kleinere Hälfte der Gewichte 0 und gesperrt.',
      'Trainiere weiter. Die beschnittenen Gewichte bleiben genau 0, und die anderen gleichen das aus.',
      'Sperre eine ganze Spalte mit einem Rechteck (halte die Umschalttaste), oder wähle die Spirale und sieh, wie viele Gewichte sie braucht.',
    ],
    challenge: {
      name: 'Wenige Gewichte',
      task: 'Bringe 95 % der Punkte mit möglichst wenigen Gewichten auf die richtige Seite: beschneide, trainiere und beschneide wieder. Beschnittene Gewichte sind 0 und gesperrt. Daten und Schichten bleiben.',
      score: (weights) => `noch ${weights} ${weights === '1' ? 'Gewicht' : 'Gewichte'}`,
    },
  },
};
