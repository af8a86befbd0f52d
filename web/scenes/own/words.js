/** The words of Your own. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Your own',
    loss: 'the differences that are left',
    card: 'Bring a table or an image. What you know is locked, the rest is filled in.',
    lede: 'An example: sea levels. What was measured is locked; training fills in what was lost.',
    ledeLater: 'Framed cells were measured. The others were lost, and are filled in now.',
    ledeFree: 'Without locks all numbers level out. What was measured is lost, too.',
    ledeOther: 'Each free cell follows what you chose. Click one: it stays.',
    ownLede: 'Known cells are locked and stay. Free ones change as it trains.',
    hint: 'Click a cell to lock or free it. You can drop a file anywhere. Nothing leaves this device.',
    choices: {
      target: {
        label: 'Free cells should',
        names: {
          ...{ gaps: 'Fill the gaps', data: 'Learn the data' },
          ...{ mirror: 'Mirror it', negative: 'Invert it', zero: 'Go to 0' },
        },
      },
      loss: {
        label: 'Loss',
        names: {
          ...{ squared: 'Squared error', absolute: 'Absolute error' },
          ...{ logCosh: 'Log-cosh', smooth: 'Roughness (no target)' },
        },
      },
    },
    figures: {
      off: {
        ...{ up: 'metres', across: 'day, 8 to 17 h' },
        told: (far) => `Line: real sea level. Dots: filled in, ${far}\u00a0m off on average.`,
      },
    },
    guess: {
      question: 'How close will training come to the lost readings?',
      answers: ['To about 0.1 m', 'To about 0.5 m'],
      told: () =>
        'Locked readings pull the lost ones into place. You can also paste your own table.',
      next: 'Again without locks',
    },
    lesson: [
      'This is an example: the sea level at a pier. Each row is a day, each column an hour. Choose a file or paste a table, and your own data take its place.',
      'Train: each free cell becomes like its neighbours, so the gaps are filled. The known cells are locked and keep every bit.',
      'You can ask for something else. Now all cells start as the data and become their mirror image.',
      'Click cells to lock them, and train again: they do not change.',
      'Share a link: it contains your numbers and locks, and repeats every step to the bit (every 0 and 1 in memory).',
    ],
  },
  de: {
    name: 'Eigenes',
    loss: 'die Unterschiede, die bleiben',
    card: 'Bring eine Tabelle oder ein Bild mit. Was du weißt, ist gesperrt, der Rest wird ergänzt.',
    lede: 'Ein Beispiel: Wasserstände. Gemessenes ist gesperrt; das Training ergänzt, was fehlt.',
    ledeLater: 'Umrandete Zellen sind gemessen. Die anderen gingen verloren: nun ergänzt.',
    ledeFree: 'Ohne Sperren gleicht sich alles an. Auch was gemessen war, geht verloren.',
    ledeOther: 'Jede freie Zelle folgt deiner Wahl. Klicke eine an: Sie bleibt.',
    ownLede: 'Bekannte Zellen sind gesperrt und bleiben. Freie ändern sich beim Training.',
    hint: 'Klicke eine Zelle an, um sie zu sperren oder freizugeben. Du kannst überall eine Datei ablegen. Nichts verlässt dieses Gerät.',
    choices: {
      target: {
        label: 'Freie Zellen sollen',
        names: {
          ...{ gaps: 'Lücken füllen', data: 'Daten lernen' },
          ...{ mirror: 'Spiegeln', negative: 'Umkehren', zero: 'Zu 0 werden' },
        },
      },
      loss: {
        label: 'Verlust',
        names: {
          ...{ squared: 'Quadratischer Fehler', absolute: 'Absoluter Fehler' },
          ...{ logCosh: 'Log-cosh', smooth: 'Rauheit (ohne Ziel)' },
        },
      },
    },
    names: Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((i) => [`day ${i}`, `Tag ${i}`])),
    figures: {
      off: {
        ...{ up: 'Meter', across: 'Tag, 8 bis 17 Uhr' },
        told: (far) => `Linie: wahr. Punkte: ergänzt, im Mittel ${far}\u00a0m daneben.`,
      },
    },
    guess: {
      question: 'Wie nah kommt das Training den verlorenen Werten?',
      answers: ['Auf etwa 0.1 m', 'Auf etwa 0.5 m'],
      told: () => 'Gesperrte Messwerte ziehen die verlorenen mit. Du kannst auch Eigenes einfügen.',
      next: 'Noch einmal ohne Sperren',
    },
    lesson: [
      'Dies ist ein Beispiel: der Wasserstand an einem Steg. Jede Zeile ist ein Tag, jede Spalte eine Stunde. Wähle eine Datei oder füge eine Tabelle ein, dann stehen hier deine Daten.',
      'Trainiere: Jede freie Zelle gleicht sich ihren Nachbarn an, so füllen sich die Lücken. Die bekannten Zellen sind gesperrt und behalten jedes Bit.',
      'Du kannst etwas anderes verlangen. Nun beginnen alle Zellen bei den Daten und werden zu ihrem Spiegelbild.',
      'Klicke Zellen an, um sie zu sperren, und trainiere wieder: Sie ändern sich nicht.',
      'Teile einen Link: Er enthält deine Zahlen und Sperren und wiederholt jeden Schritt aufs Bit genau (jede 0 und 1 im Speicher).',
    ],
  },
};
