/** The words of Peaks. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Peaks',
    loss: 'how far from the dots',
    card: 'Four bell curves look for a spectrum. One number is locked at a wrong value.',
    lede: 'Dots are measured, bell curves try to fit them. The framed number is locked.',
    ledeLater: 'A locked number can hold its bell back. Click the framed one to free it.',
    ledeFree: 'Free, each bell meets its dots. A wrong lock spoils the fit, a right one helps.',
    hint: 'Each row is a bell curve. Its width is in tenths of the axis’s unit. Drag a number up or down to pull it.',
    sizeLabel: 'Peaks and numbers of each',
    ownLede: 'Your points, as a sum of bell curves. Lock what you know, and see the best fit.',
    choices: { noise: { label: 'Data', names: { noisy: 'With noise', clean: 'Without noise' } } },
    names: { place: 'position' },
    figures: {
      curves: {
        measured: 'Dots: measured values; grey: how far the line is from them.',
        exact: 'Dots: values without noise; grey: how far the line is from them.',
        plain: 'Dots: your points.',
        lines: (hasBand) => ` Line: sum; dashed: parts${hasBand ? '; 95 % band' : ''}. Misfit: `,
        chi: (chi, freedom) => `reduced χ² ${chi}, ${freedom} degrees of freedom; noise alone: 1.`,
        off: (off) => `${off} root mean square.`,
        across: 'position',
        up: 'height',
      },
    },
    guess: {
      question: 'C’s height is locked. What will bell C do?',
      answers: ['Meet its dots all the same', 'Get wider, and stay too low'],
      told: () =>
        'C cannot grow taller, so it grows wider and misses dots (grey lines). Now click its framed height.',
    },
    lesson: [
      'Dots are measured values. Each row of cells is a bell curve: its height, its position, its width. The height of C is locked, too low.',
      'Train 150 steps: three bells come to meet their dots. C gets wide, because it may not get high.',
      'The locked height has kept every bit (every 0 and 1 in memory).',
      'Pressure shows the cost of the lock: how much the loss would fall if that height could change.',
      'Free the height and train on: C meets its dots, too. Now lock a width that you have set wrong.',
    ],
  },
  de: {
    name: 'Spektrum',
    loss: 'Abstand von den Punkten',
    card: 'Vier Glocken suchen ein Spektrum. Eine Zahl ist falsch gesperrt.',
    lede: 'Punkte sind gemessen, Glocken passen sich an. Die gerahmte Zahl ist gesperrt.',
    ledeLater: 'Eine gesperrte Zahl kann ihre Glocke bremsen. Klicke die umrahmte frei.',
    ledeFree: 'Frei trifft jede Glocke ihre Punkte. Falsch gesperrt stört, richtig hilft.',
    hint: 'Jede Zeile ist eine Glockenkurve. Ihre Breite ist in Zehnteln der Einheit der Achse. Ziehe eine Zahl nach oben oder unten, um sie zu ändern.',
    sizeLabel: 'Glocken und Zahlen je Glocke',
    ownLede: 'Deine Messwerte als Summe von Glocken. Sperre, was du weißt, und passe sie an.',
    choices: { noise: { label: 'Daten', names: { noisy: 'Verrauscht', clean: 'Rauschfrei' } } },
    names: { height: 'Höhe', place: 'Ort', width: 'Breite' },
    figures: {
      curves: {
        measured: 'Punkte: Messwerte; grau: wie weit die Linie davon weg ist.',
        exact: 'Punkte: Werte ohne Rauschen; grau: wie weit die Linie davon weg ist.',
        plain: 'Punkte: deine Messwerte.',
        lines: (hasBand) =>
          ` Linie: Summe. Gestrichelt: ihre Teile.${hasBand ? ' Schattiert: 95-%-Band.' : ''} Abweichung: `,
        chi: (chi, freedom) => `reduziertes χ² ${chi}, ${freedom} Freiheitsgrade; nur Rauschen: 1.`,
        off: (off) => `${off} im quadratischen Mittel.`,
        across: 'Ort',
        up: 'Höhe',
      },
    },
    guess: {
      question: 'Die Höhe von C ist gesperrt. Was tut Glocke C?',
      answers: ['Ihre Punkte doch treffen', 'Breiter werden, zu niedrig bleiben'],
      told: () =>
        'C kann nicht höher werden, also wird sie breiter und verfehlt Punkte (grau). Klicke nun auf ihre umrahmte Höhe.',
    },
    lesson: [
      'Punkte sind gemessene Werte. Jede Zeile ist eine Glockenkurve: ihre Höhe, ihr Ort, ihre Breite. Die Höhe von C ist zu niedrig gesperrt.',
      'Trainiere 150 Schritte: Drei Glocken treffen ihre Punkte. C wird breit, weil sie nicht hoch werden darf.',
      'Die gesperrte Höhe hat jedes Bit (jede 0 und 1 im Speicher) behalten.',
      'Druck zeigt, was die Sperre kostet: wie sehr der Verlust fiele, wenn die Höhe sich ändern dürfte.',
      'Gib die Höhe frei und trainiere weiter: Auch C trifft ihre Punkte. Sperre nun eine Breite, die du falsch gesetzt hast.',
    ],
  },
};
