/** The words of Two by two. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Two by two',
    loss: 'how far from the goals',
    card: 'Four numbers, two of them locked. Watch every step of training.',
    lede: 'Four numbers learn. Training pulls each towards the goal written below it.',
    ledeActed: 'What you free goes to its goal. Click what is still locked.',
    ledeLater: 'Free cells go to their goals. Locked ones stay. Click one to free it.',
    ledeFree: 'All four are free: each goes to its goal, the loss to 0. This is training.',
    hint: 'Click a cell to lock or free it, also while it trains. Drag it up or down to pull its number.',
    guess: {
      question: 'How many of the four will reach their goals?',
      answers: ['All four', 'Two', 'None'],
      told: () => 'Locked numbers stayed, free ones moved to their goals. Now click a locked one.',
    },
    lesson: [
      'Each of the four cells is a number that should reach its goal. Two cells have a padlock and an outline: they are locked.',
      'Train 50 steps and watch: the free cells move to their goals. The locked cells do not move.',
      'The line below the cells counts it: none of the locked cells has moved by a single bit.',
      'You can change locks at any time. Free the cell at the top right and train on: the optimizer treats its next step as its first.',
      'You can also set a number by hand: drag its cell up or down. A locked cell stays where you leave it. Now try your own ideas.',
    ],
    challenge: {
      name: 'Three cells',
      task: 'Free three cells of your choice, and reach a loss of 0.3 in as few steps as you can. Choose the locks before the first step. You may change the optimizer and its rate.',
      score: (steps) => `${steps} ${steps === '1' ? 'step' : 'steps'}`,
    },
  },
  de: {
    name: 'Zwei mal zwei',
    loss: 'Abstand von den Zielen',
    card: 'Vier Zahlen, zwei davon gesperrt. Sieh jedem Trainingsschritt zu.',
    lede: 'Vier Zahlen lernen. Das Training zieht jede zum Ziel, das unter ihr steht.',
    ledeActed: 'Was du freigibst, geht zu seinem Ziel. Klicke an, was noch gesperrt ist.',
    ledeLater: 'Freie Zellen gehen zu ihren Zielen. Gesperrte bleiben: Klicke eine frei.',
    ledeFree: 'Alle vier sind frei: Jede geht ans Ziel, der Verlust auf 0. Das ist Training.',
    hint: 'Klicke auf eine Zelle, um sie zu sperren oder freizugeben, auch während des Trainings. Ziehe sie nach oben oder unten, um ihre Zahl zu ändern.',
    guess: {
      question: 'Wie viele der vier kommen an ihr Ziel?',
      answers: ['Alle vier', 'Zwei', 'Keine'],
      told: () => 'Gesperrte blieben, freie gingen zu ihrem Ziel. Klicke nun auf eine gesperrte.',
    },
    lesson: [
      'Jede der vier Zellen ist eine Zahl, die ihr Ziel erreichen soll. Zwei Zellen haben ein Schloss und einen Rand: Sie sind gesperrt.',
      'Trainiere 50 Schritte und sieh zu: Die freien Zellen bewegen sich zu ihren Zielen. Die gesperrten bewegen sich nicht.',
      'Die Zeile unter den Zellen zählt es: Keine der gesperrten Zellen hat sich um ein einziges Bit bewegt.',
      'Du kannst Sperren jederzeit ändern. Gib die Zelle oben rechts frei und trainiere weiter: Der Optimierer behandelt ihren nächsten Schritt als ihren ersten.',
      'Du kannst eine Zahl auch von Hand ändern: Ziehe ihre Zelle nach oben oder unten. Eine gesperrte Zelle bleibt, wo du sie lässt. Nun probiere eigene Ideen.',
    ],
    challenge: {
      name: 'Drei Zellen',
      task: 'Gib drei Zellen deiner Wahl frei und erreiche einen Verlust von 0.3 in möglichst wenigen Schritten. Wähle die Sperren vor dem ersten Schritt. Den Optimierer und seine Rate darfst du ändern.',
      score: (steps) => `${steps} ${steps === '1' ? 'Schritt' : 'Schritte'}`,
    },
  },
};
