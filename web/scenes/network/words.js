/** The words of Weights. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Weights',
    card: 'A small network, weight by weight: lock some, prune many.',
    lede: 'Lock a weight. Press Play: the others learn to tell blue from orange.',
    hint: 'A weight’s row is the node that it comes from, its column the node that it goes to. Each is a cell and an edge.',
    ...en.layered,
    figures: {
      net: {
        ...en.net,
        invite: 'Lock this?',
        kept: (value, others) =>
          `It keeps ${value.toFixed(2).replace('-', '−')}; the other ${others} learn`,
        label: (all, held) =>
          `The network has ${all} edges, and ${held} of them are locked (crossed by short lines). Point at an edge or at its cell to see the other.`,
      },
      plane: en.plane,
    },
    guess: {
      question: 'How many of 160 unseen points will it get right after 300 steps?',
      answers: ['About half', 'Two of three', 'More than nine of ten'],
      told: (facts) =>
        `${facts.percent('testScore')} of the points that it never trains on are right, and ${facts.percent('score')} of the others.`,
    },
    lesson: [
      'Discs and squares are two kinds of points. The colours behind them show the network’s answers. Each weight is a cell and an edge: point at one to see the other.',
      'Train 300 steps: the colours come to match the points.',
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
    card: 'Ein kleines Netz, Gewicht für Gewicht: Sperre einige, beschneide viele.',
    lede: 'Sperre ein Gewicht. Drücke Starten: Die anderen lernen, Blau von Orange zu trennen.',
    hint: 'Die Zeile eines Gewichts ist der Knoten, von dem es kommt, die Spalte der Knoten, zu dem es geht. Jedes ist eine Zelle und eine Kante.',
    ...de.layered,
    figures: {
      net: {
        ...de.net,
        invite: 'Sperren?',
        kept: (value, others) =>
          `Es bleibt ${value.toFixed(2).replace('-', '−')}; ${others} lernen`,
        label: (all, held) =>
          `Das Netz hat ${all} Kanten, und ${held} davon sind gesperrt (mit Querstrichen). Zeige auf eine Kante oder auf ihre Zelle, um die andere zu sehen.`,
      },
      plane: de.plane,
    },
    guess: {
      question: 'Wie viele von 160 ungesehenen Punkten ordnet es nach 300 Schritten richtig zu?',
      answers: ['Etwa die Hälfte', 'Zwei von drei', 'Mehr als neun von zehn'],
      told: (facts) =>
        `Von den Punkten, mit denen es nie trainiert, sind ${facts.percent('testScore')} richtig, von den anderen ${facts.percent('score')}.`,
    },
    lesson: [
      'Scheiben und Quadrate sind zwei Arten von Punkten. Die Farben dahinter zeigen die Antworten des Netzes. Jedes Gewicht ist eine Zelle und eine Kante: Zeige auf die eine, um die andere zu sehen.',
      'Trainiere 300 Schritte: Die Farben passen immer besser zu den Punkten.',
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
