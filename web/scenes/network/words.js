/** The words of Weights. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Weights',
    loss: 'how wrong the colours are',
    card: 'A small network, weight by weight: lock some, train the rest.',
    lede: 'Each line is a number. In goes a place (x, y), out comes its colour. Eight are locked.',
    ledeLater: 'Locked lines are as they were. The rest learns around them: see the colours.',
    ledeActed: (_, locked, free) =>
      `${locked} of ${locked + free} numbers are locked. A few can be worked around, most cannot.`,
    hint: 'Click an edge, or its cell, to lock or free a weight. Drag a cell up or down to pull its value. Biases are cells without an edge.',
    ...en.layered,
    figures: {
      shares: { right: (count, share) => `${count} locked: ${share} of blue dots right` },
      net: {
        ...en.net,
        label: (all, held) =>
          `The network has ${all} edges, and ${held} of them are locked (with an outline). Point at an edge or at its cell to see the other.`,
      },
      plane: en.plane,
    },
    guess: {
      question: 'Eight lines cannot change. Can the others still learn the colours?',
      answers: ['No, those eight matter', 'Yes, they work around them'],
      told: ({ percent }) =>
        `The eight before the output stayed. The rest still learnt: ${percent('score')} right.`,
      next: 'Lock all 88 lines',
    },
    lesson: [
      'Discs and squares are two kinds of points. The colours behind them show the network’s answers. Each edge is a weight. Those with a padlock, which lead to the output, are locked.',
      'Train 300 steps: the colours come to match the points. The locked weights are the same numbers as before.',
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
    card: 'Ein kleines Netz, Gewicht für Gewicht: Sperre einige, trainiere den Rest.',
    lede: 'Jede Linie ist eine Zahl. Hinein geht ein Ort (x, y), heraus seine Farbe. Acht sind gesperrt.',
    ledeLater: 'Gesperrte Linien sind wie zuvor. Der Rest lernt um sie herum: Sieh die Farben.',
    ledeActed: (_, locked, free) =>
      `${locked} von ${locked + free} Zahlen sind gesperrt. Wenige lassen sich umgehen, die meisten nicht.`,
    hint: 'Klicke auf eine Kante oder ihre Zelle, um ein Gewicht zu sperren oder freizugeben. Ziehe eine Zelle nach oben oder unten, um ihren Wert zu ändern. Ein Bias ist eine Zelle ohne Kante.',
    ...de.layered,
    figures: {
      shares: { right: (count, share) => `${count} gesperrt: ${share} der blauen Punkte richtig` },
      net: {
        ...de.net,
        label: (all, held) =>
          `Das Netz hat ${all} Kanten, und ${held} davon sind gesperrt (mit Rand). Zeige auf eine Kante oder auf ihre Zelle, um die andere zu sehen.`,
      },
      plane: de.plane,
    },
    guess: {
      question: 'Acht Linien können sich nicht ändern. Lernen die anderen die Farben trotzdem?',
      answers: ['Nein, die acht zählen', 'Ja, sie umgehen sie'],
      told: ({ percent }) => `Acht blieben, der Rest lernt trotzdem: ${percent('score')} richtig.`,
      next: 'Alle 88 Linien sperren',
    },
    lesson: [
      'Scheiben und Quadrate sind zwei Arten von Punkten. Die Farben dahinter zeigen die Antworten des Netzes. Jede Kante ist ein Gewicht. Die mit Schloss, die zum Ausgang führen, sind gesperrt.',
      'Trainiere 300 Schritte: Die Farben passen immer besser zu den Punkten. Die gesperrten Gewichte sind dieselben Zahlen wie vorher.',
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
