/** The words of New words. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'New words',
    card: 'A model learns new words. Does it still know the old ones?',
    lede: 'Words on a map: old ones are held, new ones find places.',
    ledeLater: 'Under the mask, old words slide to the middle: the optimizer shrinks every number.',
    ledeActed: 'Without shrinking (Adam) the mask holds. With it (AdamW) only the lock does.',
    hint: 'Each row is a word. Free a known word, and it learns, too.',
    guess: {
      question: 'The usual way to hold old words is a mask. Will they stay?',
      answers: ['Yes', 'No, they move'],
      next: 'Again without shrinking (Adam)',
      told: (facts) =>
        facts.moved
          ? `AdamW shrinks every number a little at each step, so ${Math.ceil(facts.moved / 8)} old words slide to 0, the middle. New words go wrong, too.`
          : 'With this optimizer they have stayed. Try AdamW.',
    },
    figures: {
      words: {
        label: (score) =>
          `${score} of the old words are where they belong (circles). New words are slanted.`,
        ...{ small: 'small', large: 'large', animal: 'animal', thing: 'thing' },
        ...{ belongs: 'where it belongs', start: 'new words start here' },
        inPlace: (count, all) => `${count} of ${all} old words in place`,
      },
    },
    lesson: [
      'Each word is a row of eight numbers. A fixed matrix turns a row into a point, from animal to thing and from small to large. Circles show where words belong.',
      'Train: the five new words find their positions from sentences that contain them.',
      'Under the lock, the nine old words keep every bit (every 0 and 1 in memory). Under the mask, AdamW’s weight decay pulls them to the middle: the model forgets them, although nobody asked it to.',
      'Plain Adam has no weight decay: switch to it, and the forgetting stops. What is forgotten stays forgotten.',
      'With all controls, free a row, and it learns again. Which words should a model be allowed to change?',
    ],
  },
  de: {
    name: 'Neue Wörter',
    card: 'Ein Modell lernt neue Wörter. Kennt es die alten noch?',
    lede: 'Wörter auf einer Karte: Alte sind gehalten, neue lernen ihre Plätze.',
    ledeLater:
      'Unter der Maske rutschen alte Wörter zur Mitte: Der Optimierer verkleinert jede Zahl.',
    ledeActed: 'Ohne Schrumpfen (Adam) hält die Maske, mit ihm (AdamW) nur die Sperre.',
    hint: 'Jede Zeile ist ein Wort. Gib ein bekanntes Wort frei, und es lernt mit.',
    guess: {
      question: 'Üblich hält alte Wörter eine Maske. Bleiben sie?',
      answers: ['Ja', 'Nein, sie bewegen sich'],
      next: 'Noch einmal ohne Schrumpfen (Adam)',
      told: (facts) =>
        facts.moved
          ? `AdamW verkleinert jede Zahl bei jedem Schritt, also rutschen ${Math.ceil(facts.moved / 8)} alte Wörter zur Mitte, zur 0. Auch neue liegen falsch.`
          : 'Mit diesem Optimierer sind sie geblieben. Versuche AdamW.',
    },
    names: {
      ...{ mouse: 'Maus', cat: 'Katze', dog: 'Hund', horse: 'Pferd', elephant: 'Elefant' },
      ...{ spoon: 'Löffel', chair: 'Stuhl', car: 'Auto', house: 'Haus', kitten: 'Kätzchen' },
      ...{ whale: 'Wal', needle: 'Nadel', lorry: 'Lastwagen', 'toy dog': 'Spielhund' },
    },
    figures: {
      words: {
        label: (score) =>
          `${score} der alten Wörter sind, wo sie hingehören (Kreise). Neue Wörter sind schräg gedruckt.`,
        ...{ small: 'klein', large: 'groß', animal: 'Tier', thing: 'Ding' },
        ...{ belongs: 'sein Ort', start: 'hier beginnen neue' },
        inPlace: (count, all) => `${count} von ${all} alten Wörtern am Platz`,
      },
    },
    lesson: [
      'Jedes Wort ist eine Zeile aus acht Zahlen. Eine feste Matrix macht aus einer Zeile einen Punkt, von Tier zu Ding und von klein zu groß. Kreise zeigen, wo Wörter hingehören.',
      'Trainiere: Die fünf neuen Wörter finden ihren Platz aus Sätzen, in denen sie vorkommen.',
      'Unter der Sperre behalten die neun alten Wörter jedes Bit (jede 0 und 1 im Speicher). Unter der Maske zieht AdamWs Gewichtsabnahme sie zur Mitte: Das Modell vergisst sie, obwohl das niemand wollte.',
      'Einfaches Adam hat keine Gewichtsabnahme: Wechsle zu ihm, und das Vergessen hört auf. Was vergessen ist, bleibt vergessen.',
      'Gib mit allen Reglern eine Zeile frei, und sie lernt wieder. Welche Wörter sollte ein Modell ändern dürfen?',
    ],
  },
};
