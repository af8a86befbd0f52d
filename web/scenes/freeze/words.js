/** The words of Freeze the base. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Freeze the base',
    loss: 'how wrong the answers are',
    card: 'A network that knows five digits learns five more.',
    lede: 'This network reads 0 to 4. Now it learns 5 to 9. What it knows is locked.',
    ledeLater: 'The locked numbers stay. Old digits lose a little, since 5 to 9 compete now.',
    ledeFree: 'Unlocked, it learns more of 5 to 9, but forgets 0 to 4. Locked, it keeps them.',
    hint: 'To learn 5 to 9 and keep most of 0 to 4, unlock, and choose examples with a few old digits.',
    guess: {
      question: 'What will happen to 0 to 4?',
      answers: ['Most are forgotten', 'Most are still read'],
      told: ({ percent }) => `Of 0 to 4, ${percent('old')} are still read. And if they are free?`,
      next: 'Unlock what it knows',
    },
    choices: {
      examples: { label: 'Examples', names: { new: 'Only new digits', both: 'New and a few old' } },
    },
    grids: {
      ...{ head: 'Numbers that decide each digit', bias: 'Bias by digit' },
      ...{ conv1: 'Base: first kernels', bias1: 'Base: first biases' },
      ...{ conv2: 'Base: second kernels', bias2: 'Base: second biases' },
    },
    figures: {
      accuracy: {
        headline: (kind, old, fresh) => `${kind}: old ${old}, new ${fresh}`,
        ...{ old: 'Old digits (0 to 4) read correctly', across: 'steps' },
        ...{ lock: 'locked', mask: 'masked', part: 'partly free', free: 'unlocked' },
        own: (old, fresh) => `Unseen digits that are read: ${old} of old, ${fresh} of new ones.`,
      },
      read: {
        old: (share) => `Old: ${share} read`,
        fresh: (share, isTaught) => `New: ${isTaught ? `${share} read` : 'not learnt yet'}`,
        label: (shares) => `Unseen digits that are read correctly: ${shares}.`,
      },
    },
    lesson: [
      'This network learnt the digits 0 to 4 in Keras. Its base and the columns 0 to 4 are locked.',
      'Train 200 steps: the columns 5 to 9 learn. Nothing else changes.',
      'Next to it, a mask holds the same weights under AdamW. The weight decay still moves every old weight.',
      'Free everything and start again: the network learns the new digits well and forgets the old ones.',
      'With a few old digits among the examples, the network forgets less. Compare that with the lock.',
    ],
    challenge: {
      name: 'Remember the old digits',
      task: 'Train 400 steps. Then at least 90 % of the old digits and 40 % of the new ones must be read correctly. Do it with as few locks as you can. Choose them before the first step.',
      score: (locks) => `${locks} ${locks === '1' ? 'lock' : 'locks'}`,
    },
  },
  de: {
    name: 'Basis einfrieren',
    loss: 'wie falsch die Antworten sind',
    card: 'Ein Netz, das fünf Ziffern kennt, lernt fünf weitere.',
    lede: 'Dieses Netz liest 0 bis 4. Nun lernt es 5 bis 9. Was es weiß, ist gesperrt.',
    ledeLater: 'Gesperrte Zahlen bleiben. Alte Ziffern verlieren etwas: 5 bis 9 stimmen mit.',
    ledeFree: 'Frei lernt es mehr von 5 bis 9, doch vergisst 0 bis 4. Gesperrt behält es sie.',
    hint: 'Soll es 5 bis 9 lernen und 0 bis 4 meist behalten, gib alles frei und nimm Beispiele mit einigen alten Ziffern.',
    guess: {
      question: 'Es lernt nun 5 bis 9. Was geschieht mit 0 bis 4?',
      answers: ['Die meisten werden vergessen', 'Die meisten werden noch gelesen'],
      told: ({ percent }) => `Von 0 bis 4 liest es noch ${percent('old')}. Und wenn sie frei sind?`,
      next: 'Altes Wissen freigeben',
    },
    choices: {
      examples: { label: 'Beispiele', names: { new: 'Nur neue', both: 'Neue, einige alte' } },
    },
    grids: {
      ...{ head: 'Zahlen für jede Ziffer', bias: 'Bias je Ziffer' },
      ...{ conv1: 'Basis: erste Filter', bias1: 'Basis: erster Bias' },
      ...{ conv2: 'Basis: zweite Filter', bias2: 'Basis: zweiter Bias' },
    },
    names: { bias: 'Bias' },
    figures: {
      accuracy: {
        headline: (kind, old, fresh) => `${kind}: alte ${old}, neue ${fresh}`,
        ...{ old: 'Alte Ziffern (0 bis 4) richtig gelesen', across: 'Schritte' },
        ...{ lock: 'gesperrt', mask: 'maskiert', part: 'teils frei', free: 'frei' },
        own: (old, fresh) => `Ungesehene, die es liest: ${old} der alten, ${fresh} der neuen.`,
      },
      read: {
        old: (share) => `Alte: ${share} gelesen`,
        fresh: (share, isTaught) => `Neue: ${isTaught ? `${share} gelesen` : 'noch nicht gelernt'}`,
        label: (shares) => `Ungesehene Ziffern, die richtig gelesen werden: ${shares}.`,
      },
    },
    lesson: [
      'Dieses Netz hat die Ziffern 0 bis 4 in Keras gelernt. Seine Basis und die Spalten 0 bis 4 sind gesperrt.',
      'Trainiere 200 Schritte: Die Spalten 5 bis 9 lernen. Sonst ändert sich nichts.',
      'Daneben hält eine Maske dieselben Gewichte unter AdamW. Die Gewichtsabnahme bewegt trotzdem jedes alte Gewicht.',
      'Gib alles frei und beginne von vorn: Das Netz lernt die neuen Ziffern gut und vergisst die alten.',
      'Mit einigen alten Ziffern unter den Beispielen vergisst das Netz weniger. Vergleiche das mit der Sperre.',
    ],
    challenge: {
      name: 'Die alten Ziffern behalten',
      task: 'Trainiere 400 Schritte. Danach müssen mindestens 90 % der alten und 40 % der neuen Ziffern richtig gelesen werden. Nimm dafür möglichst wenige Sperren. Wähle sie vor dem ersten Schritt.',
      score: (locks) => `${locks} ${locks === '1' ? 'Sperre' : 'Sperren'}`,
    },
  },
};
