/** The words of Weights. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Weights',
    loss: 'how wrong the colours are',
    card: 'A small network, weight by weight: lock some, prune many.',
    lede: 'One weight is locked. Can the others tell blue from orange? Press Play.',
    ledeLater: 'The others adapt. Prune sets the smallest weights to 0 and locks them.',
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
      question: 'Then prune half of the weights. Can the rest still do it?',
      answers: ['No, half is too few', 'Mostly, after more training'],
      told: (facts) =>
        `With ${facts.held} weights locked, most of them at 0, ${facts.percent('testScore')} of the points that it never trains on are right.`,
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
    lede: 'Ein Gewicht ist gesperrt. Trennen die anderen Blau von Orange? Drücke Starten.',
    ledeLater: 'Die anderen passen sich an. Beschneiden sperrt die kleinsten bei 0.',
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
      question: 'Beschneide dann die Hälfte der Gewichte. Schafft es der Rest?',
      answers: ['Nein, das sind zu wenige', 'Meist, nach mehr Training'],
      told: (facts) =>
        `Mit ${facts.held} gesperrten Gewichten, die meisten bei 0, sind ${facts.percent('testScore')} der Punkte richtig, mit denen es nie trainiert.`,
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
