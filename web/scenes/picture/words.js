/** The words of Picture. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Picture',
    loss: 'how far from the changing picture',
    card: 'Day turns to night, and what you lock stays as it was.',
    lede: 'Click a cell or draw a stroke: it stays. The rest turns to night, then day.',
    ledeLater: 'Day turns to night and back. Your lock keeps what it holds exactly.',
    ledeDrifted: 'Your lock kept it exactly, day and night. The mask let it drift away.',
    ledeOther: 'Numbers become a picture. What you lock stays as it was, exactly.',
    hint: 'Drag to lock cells. Drag along locked cells to free them.',
    choices: {
      picture: {
        label: 'Picture',
        names: { day: 'Day and night', evening: 'Evening', heart: 'Heart', ripples: 'Ripples' },
      },
    },
    guess: {
      question: 'A mask stops the pull (gradient) on held cells. Will they stay?',
      answers: ['Yes: no pull, no step', 'No, they drift'],
      told: (facts) =>
        facts.moved
          ? `Under the mask, ${facts.moved} of ${facts.held} held cells have drifted, by up to ${facts.farthest}. The optimizer also takes steps that need no pull.`
          : 'With this optimizer, the mask has held so far. Choose AdamW and look again.',
    },
    lesson: [
      'A thousand cells start as noise. Lock one: it gets an outline and keeps its value.',
      'Train: every free cell takes its colour in the picture, which turns from day to night and back. Locked cells stay as they are.',
      'Draw with the pointer. Or lock a cell with Space, hold Shift and press arrow keys. What you lock now keeps what it has learnt.',
      'Switch to Mask. It sets the gradient of the held cells to 0. But AdamW shrinks every number a little, so they drift.',
      'Switch back to Lock. Go back to an earlier step with the slider below the chart, or change the optimizer while it trains. Now draw what you like.',
    ],
  },
  de: {
    name: 'Bild',
    loss: 'Abstand vom Bild, das sich ändert',
    card: 'Tag wird Nacht, und was du sperrst, bleibt, wie es war.',
    lede: 'Klicke auf eine Zelle oder male einen Strich: Das bleibt. Der Rest wird Nacht, dann Tag.',
    ledeLater: 'Tag wird Nacht und wieder Tag. Deine Sperre behält exakt, was sie hält.',
    ledeDrifted: 'Deine Sperre hielt es exakt, Tag und Nacht. Die Maske ließ es davondriften.',
    ledeOther: 'Zahlen werden ein Bild. Was du sperrst, bleibt exakt, wie es war.',
    hint: 'Ziehe, um Zellen zu sperren. Ziehe entlang gesperrter Zellen, um sie freizugeben.',
    choices: {
      picture: {
        label: 'Bild',
        names: { day: 'Tag & Nacht', evening: 'Abend', heart: 'Herz', ripples: 'Wellen' },
      },
    },
    guess: {
      question: 'Eine Maske stoppt den Zug (Gradienten) an gehaltenen Zellen. Bleiben sie?',
      answers: ['Ja: kein Zug, kein Schritt', 'Nein, sie driften'],
      told: (facts) =>
        facts.moved
          ? `Unter der Maske haben sich ${facts.moved} von ${facts.held} gehaltenen Zellen bewegt, um bis zu ${facts.farthest}. Der Optimierer macht auch Schritte, die keinen Zug brauchen.`
          : 'Mit diesem Optimierer hat die Maske bisher gehalten. Wähle AdamW und sieh noch einmal hin.',
    },
    lesson: [
      'Tausend Zellen beginnen als Rauschen. Sperre eine: Sie bekommt einen Rand und behält ihren Wert.',
      'Trainiere: Jede freie Zelle nimmt ihre Farbe im Bild an, das Tag wird und Nacht und wieder Tag. Gesperrte Zellen bleiben, wie sie sind.',
      'Zeichne mit dem Zeiger. Oder sperre eine Zelle mit der Leertaste, halte die Umschalttaste und drücke Pfeiltasten. Was du jetzt sperrst, behält, was es gelernt hat.',
      'Schalte auf Maske. Sie setzt den Gradienten der gehaltenen Zellen auf 0. Doch AdamW macht jede Zahl etwas kleiner, und so bewegen sie sich.',
      'Schalte zurück auf Sperre. Gehe mit dem Regler unter der Kurve zurück zu einem früheren Schritt, oder wechsle den Optimierer während des Trainings. Nun zeichne, was du magst.',
    ],
  },
};
