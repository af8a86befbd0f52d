/** The words of Leak lab. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Leak lab',
    card: 'A lock and a gradient mask hold the same cells. Which one holds?',
    lede: 'Each cell learns a colour. Framed ones should stay. Left: locked. Right: masked.',
    ledeLater: 'A ball rolls on after a push. So do masked cells: they have momentum.',
    ledeActed: 'Without momentum (SGD) no cell rolls on: the mask holds. A lock always does.',
    hint: 'Change the optimizer and see when the mask leaks.',
    guess: {
      question: 'Each step pushes cells. A mask blocks the push. How many of its cells still move?',
      answers: ['None', 'A few', 'All'],
      next: 'Again without momentum',
      told: (facts) =>
        facts.moved
          ? `Under the mask, ${facts.moved} of ${facts.held} rolled on. Under the lock, none moved.`
          : 'With this optimizer, the mask has held. Choose Adam or AdamW and look again.',
    },
    lesson: [
      'Both start with the same numbers and train freely for 8 steps. Then both hold the same cells: the left with a lock, the right with a mask that multiplies their gradient by 0.',
      'Train on with Adam. The masked cells continue to move, because Adam’s moments, which are averages of earlier gradients, still push them. The lower half of each cell that has moved shows it as it was.',
      'Plain SGD has no such averages, so nothing pushes the masked cells. That is why the trick looks right at first.',
      'Momentum adds up earlier gradients, so the mask leaks again. The cells have no gradient now, but they still move.',
      'AdamW’s weight decay shrinks every cell, masked or not, so the masked cells never stop. Under the lock, none has moved by a single bit (a 0 or 1 in memory).',
    ],
  },
  de: {
    name: 'Lecklabor',
    card: 'Eine Sperre und eine Maske halten dieselben Zellen. Welche hält?',
    lede: 'Jede Zelle lernt eine Farbe. Umrandete sollen bleiben. Links gesperrt, rechts maskiert.',
    ledeLater: 'Ein Ball rollt nach dem Stoß weiter. Maskierte Zellen auch: Sie haben Schwung.',
    ledeActed: 'Ohne Schwung (SGD) rollt nichts: Die Maske hält. Eine Sperre hält immer.',
    hint: 'Wechsle den Optimierer und sieh, wann die Maske leckt.',
    guess: {
      question:
        'Jeder Schritt stößt Zellen an, eine Maske sperrt den Stoß. Wie viele ihrer Zellen bewegen sich doch?',
      answers: ['Keine', 'Einige', 'Alle'],
      next: 'Noch einmal ohne Schwung',
      told: (facts) =>
        facts.moved
          ? `Unter der Maske rollten ${facts.moved} von ${facts.held} weiter, unter der Sperre keine.`
          : 'Mit diesem Optimierer hat die Maske gehalten. Wähle Adam oder AdamW und sieh noch einmal hin.',
    },
    lesson: [
      'Beide beginnen mit denselben Zahlen und trainieren 8 Schritte frei. Dann halten beide dieselben Zellen: links eine Sperre, rechts eine Maske, die ihren Gradienten mit 0 multipliziert.',
      'Trainiere mit Adam weiter. Die maskierten Zellen bewegen sich noch, denn Adams Momente, das sind Mittel früherer Gradienten, schieben sie weiter. Die untere Hälfte jeder Zelle, die sich bewegt hat, zeigt sie, wie sie war.',
      'Einfaches SGD hat keine solchen Mittel, also schiebt nichts die maskierten Zellen. Darum sieht der Trick zuerst richtig aus.',
      'Momentum summiert frühere Gradienten, also leckt die Maske wieder. Die Zellen haben keinen Gradienten mehr und bewegen sich trotzdem.',
      'AdamWs Gewichtsabnahme lässt jede Zelle schrumpfen, maskiert oder nicht. Darum kommen die maskierten Zellen nie zur Ruhe. Unter der Sperre hat sich keine auch nur um ein Bit (eine 0 oder 1 im Speicher) bewegt.',
    ],
  },
};
