/** The words of Membrane. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Membrane',
    loss: 'how rough the film is',
    card: 'A soap film stretches between locked cells. It also repairs photos.',
    lede: 'A soap film seen from above: blue is high, orange low. Locked cells hold it.',
    ledeLater:
      'The locks shaped the film. Press a cell and pull it up or down, or lift the middle.',
    ledeActed: 'Lock a few cells, and all others follow. Holes in photos are filled this way, too.',
    hint: 'Drag a cell up or down: it is locked where you leave it, and the film hangs from it. Click a locked cell to free it.',
    choices: {
      frame: {
        label: 'Frame',
        names: { saddle: 'Saddle', crown: 'Crown', tilt: 'Tilt', photo: 'A photo with holes' },
      },
    },
    guess: {
      question: 'The cells inside start as noise. What will they become?',
      answers: ['Noise, as now', 'One smooth film', 'All the same colour'],
      next: 'Lift the middle',
      told: () => 'Locked cells decide: each free one became the average of its neighbours.',
    },
    lesson: [
      'Every cell tries to become like its neighbours. The rim is locked, like the wire frame of a soap film.',
      'Train: the noise becomes smooth, and the film stretches from rim to rim.',
      'Pressure is the cost of a lock: how much the loss would fall if that cell could move. It is drawn next to the film.',
      'The same method repairs pictures. In this one, seven of ten cells are lost. The others are locked, and the film fills the holes.',
      'Lock cells in the middle of the film, and it hangs from them. Now make your own film.',
    ],
  },
  de: {
    name: 'Membran',
    loss: 'wie rau die Haut ist',
    card: 'Eine Seifenhaut spannt sich zwischen gesperrten Zellen. Sie repariert auch Fotos.',
    lede: 'Eine Seifenhaut von oben: Blau ist hoch, Orange tief. Gesperrtes hält sie.',
    ledeLater: 'Die Sperren formten die Haut. Drücke eine Zelle und zieh, oder heb die Mitte.',
    ledeActed: 'Sperre wenige Zellen, und alle anderen folgen. So ergänzt man auch Fotos.',
    hint: 'Ziehe eine Zelle nach oben oder unten: Sie bleibt gesperrt, wo du sie lässt, und die Haut hängt an ihr. Ein Klick gibt sie frei.',
    choices: {
      frame: {
        label: 'Rahmen',
        names: { saddle: 'Sattel', crown: 'Krone', tilt: 'Schräge', photo: 'Foto mit Löchern' },
      },
    },
    guess: {
      question: 'Die Zellen innen beginnen als Rauschen. Was wird aus ihnen?',
      answers: ['Rauschen, wie jetzt', 'Eine glatte Haut', 'Alle dieselbe Farbe'],
      next: 'Heb die Mitte an',
      told: () => 'Die gesperrten Zellen entscheiden: Jede freie wurde das Mittel ihrer Nachbarn.',
    },
    lesson: [
      'Jede Zelle gleicht sich ihren Nachbarn an. Der Rand ist gesperrt, wie der Drahtrahmen einer Seifenhaut.',
      'Trainiere: Das Rauschen wird glatt, und die Haut spannt sich von Rand zu Rand.',
      'Druck ist, was eine Sperre kostet: wie sehr der Verlust fiele, wenn die Zelle sich bewegen dürfte. Er ist neben der Haut gezeichnet.',
      'Dasselbe Verfahren ergänzt Bilder. In diesem fehlen sieben von zehn Zellen. Die übrigen sind gesperrt, und die Haut füllt die Löcher.',
      'Sperre Zellen mitten in der Haut, und sie hängt an ihnen. Nun spanne eine eigene Haut.',
    ],
  },
};
