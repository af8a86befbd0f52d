/** The words of Lottery ticket. */

import { de, en } from '../shared/phrases.js';

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Lottery ticket',
    loss: 'how wrong the colours are',
    card: 'Remove most of a network. Can the rest still learn?',
    lede: '267 lines learn these colours. Which of them are needed?',
    ledeLater: 'Grey lines are cut: locked at 0, they carry nothing. The others learn alone.',
    hint: 'Train, prune and rewind, then train again. Grey lines are locked at 0.',
    ...en.layered,
    figures: {
      tickets: {
        stages: 'Train, Lock 4 of 5, Train again',
        cut: 'Cut 4 of 5, train again',
        0: (right) => `All 267 lines: ${right} right.`,
        1: (_, left) => `${267 - left} are locked at 0.\nThe other ${left} are as before training.`,
        2: (right, left, name) => `${name} ${left} learn: ${right} right.`,
        told: (name, left, right) => `All 267: 99\u00a0% right.\n${name} ${left}: ${right} right.`,
        both: (count, best, other) =>
          `The largest ${count} suffice: ${best} right.\nA random ${count} do not: ${other}.`,
        ...{ ticket: 'The largest', random: 'A random', other: 'The other' },
        keep: (name) => `Try ${name.toLowerCase()} fifth`,
        ...{ ready: 'Are all of them needed?', none: 'No recorded runs here.' },
      },
      lottery: {
        ...{ plot: 'New points right', across: 'lines kept' },
        ...{ ticket: 'Largest', random: 'Random', now: 'this run' },
        point: (kind, kept, count, all, score) =>
          `${kind}, ${kept} % kept (${count} of ${all}): ${score} of the unseen points right.`,
        known: (count) =>
          `The ${count} runs were trained beforehand, 1,500 steps each. Open one: it comes to the same bits.`,
      },
      net: {
        ...en.net,
        label: (all, held) =>
          `The network has ${all} edges, and ${held} of them are locked. Those that are locked at 0 are grey.`,
      },
      plane: en.plane,
    },
    guess: {
      question: 'Cut four of five lines: lock them at 0. Can the rest still learn?',
      answers: ['No, too few are left', 'Yes, almost as well as all'],
      told: ({ held, percent }) =>
        `All ${held} cut lines stayed at exactly 0. The others: ${percent('testScore')} right.`,
    },
    lesson: [
      'This is the network of the scene Weights, but larger: 267 weights learn a spiral. Each starts with a random value.',
      'Train 1,500 steps: it learns the spiral, even where it saw no points.',
      'Prune and rewind: the smaller two thirds of each matrix become 0 and are locked. The others get their first values back.',
      'Train again. A third of the weights starts from the same first values. Is it a winning ticket? The dot in the plot shows the answer.',
      'The curve prunes a fifth at a time. For each ticket it has runs of the same number of random weights. Open a mark to see its run.',
    ],
  },
  de: {
    name: 'Lotterielos',
    loss: 'wie falsch die Farben sind',
    card: 'Entferne den größten Teil eines Netzes. Lernt der Rest noch?',
    lede: '267 Linien lernen diese Farben. Welche davon braucht es?',
    ledeLater:
      'Graue sind abgeschnitten: Bei 0 gesperrt, tragen sie nichts. Die anderen lernen allein.',
    hint: 'Trainiere, beschneide und spule zurück, trainiere dann wieder. Graue Linien sind bei 0 gesperrt.',
    ...de.layered,
    figures: {
      tickets: {
        stages: 'Trainieren, 4 von 5 sperren, Neu trainieren',
        cut: '4 von 5 abschneiden, neu trainieren',
        0: (right) => `Alle 267 Linien: ${right} richtig.`,
        1: (_, left) =>
          `${267 - left} sind bei 0 gesperrt.\nDie anderen ${left} sind wie am Anfang.`,
        2: (right, left, name) => `${name} ${left} lernen: ${right} richtig.`,
        told: (name, left, right) => `Alle 267: 99\u00a0% richtig.\n${name} ${left}: ${right}.`,
        both: (count, best, other) =>
          `Die größten ${count} genügen: ${best} richtig.\nZufällige ${count} nicht: ${other}.`,
        ...{ ticket: 'Die größten', random: 'Zufällige', other: 'Die anderen' },
        keep: (name) => `Nimm ${name.toLowerCase()} 21\u00a0%`,
        ready: 'Braucht es alle?',
        none: 'Zu diesem Anfang gibt es keine aufgezeichneten Läufe.',
      },
      lottery: {
        ...{ plot: 'Neue Punkte richtig', across: 'Linien, die bleiben' },
        ...{ ticket: 'Größte', random: 'Zufällig', now: 'dieser Lauf' },
        point: (kind, kept, count, all, score) =>
          `${kind}, ${kept} % bleiben (${count} von ${all}): ${score} der ungesehenen Punkte richtig.`,
        known: (count) =>
          `Die ${count} Läufe wurden vorher trainiert, je 1.500 Schritte. Öffne einen: Er kommt auf dieselben Bits.`,
      },
      net: {
        ...de.net,
        label: (all, held) =>
          `Das Netz hat ${all} Kanten, und ${held} davon sind gesperrt. Die bei 0 gesperrten sind grau.`,
      },
      plane: de.plane,
    },
    guess: {
      question: 'Schneide vier von fünf Linien ab: Sperre sie bei 0. Lernt der Rest dann noch?',
      answers: ['Nein, zu wenige bleiben', 'Ja, fast so gut wie alle'],
      told: ({ held, percent }) =>
        `Alle ${held} blieben bei genau 0. Die anderen: ${percent('testScore')} richtig.`,
    },
    lesson: [
      'Dies ist das Netz der Szene Gewichte, nur größer: 267 Gewichte lernen eine Spirale. Jedes beginnt mit einem zufälligen Wert.',
      'Trainiere 1.500 Schritte: Es lernt die Spirale, auch dort, wo es keine Punkte sah.',
      'Beschneide und spule zurück: Die kleineren zwei Drittel jeder Matrix werden 0 und gesperrt. Die anderen bekommen ihre ersten Werte zurück.',
      'Trainiere wieder. Ein Drittel der Gewichte beginnt mit denselben ersten Werten. Ist es ein Gewinnlos? Der Punkt im Bild zeigt die Antwort.',
      'Die Kurve nimmt jedes Mal ein Fünftel weg. Zu jedem Los hat sie Läufe mit ebenso vielen zufälligen Gewichten. Öffne eine Marke, um ihren Lauf zu sehen.',
    ],
  },
};
