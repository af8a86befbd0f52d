/** The words of Pinned graph. */

/** @type {Record<string, import('../scene.js').SceneWords>} */
export const words = {
  en: {
    name: 'Pinned graph',
    loss: 'how much the springs pull',
    card: 'Pin nodes of a graph, and the others find their places.',
    lede: 'Each node is two numbers. Training moves free nodes as springs would.',
    ledeLater: 'You place some nodes. Training places the rest. Diagrams are drawn this way.',
    hint: 'Click a node to pin it, drag it to move it. Each row is a node: lock only x or only y, and the node slides along a line.',
    choices: {
      graph: { label: 'Graph', names: { mesh: 'Mesh', tree: 'Tree', club: 'Karate club' } },
    },
    guess: {
      question: 'Some nodes are locked. Can springs still untangle the rest?',
      answers: ['Yes, they can', 'No, a knot stays'],
      told: () => 'Untangled, and only the free nodes moved. Now drag a locked one.',
    },
    grids: { x: 'Positions' },
    names: { x: 'x→', y: 'y↑' },
    figures: {
      graph: {
        group: 'Nodes of the graph',
        place: (all, springs, pinned) => `${all} nodes, ${springs} springs, ${pinned} locked`,
        drag: 'Drag a locked node: the rest follows.',
        pinned: (name) => `You placed node ${name}. Training placed the rest.`,
        free: (name) => `Node ${name} is free: released, it springs back.`,
        node: (name, isHeld) => `Pin node ${name}${isHeld ? ', in hand' : ''}`,
        hand: (name) => `${name}, in hand`,
        at: (name, [x, y]) =>
          `Node ${name}: x ${x.toFixed(2)}, y ${y.toFixed(2)}`.replaceAll('-', '−'),
        freed: (name) => `Node ${name}: let go`,
        label: (all, pinned) =>
          `The graph has ${all} nodes, and ${pinned} of them are pinned. Flat springs are too long or too short. Click or press Space to pin a node. Drag it, or move it with arrow keys and release it with Enter. Page Up and Page Down select another node.`,
      },
    },
    lesson: [
      'The nodes start at random places. The edges between them act like springs. The corners have a padlock: their rows are locked.',
      'Train: the distance of each pair of nodes approaches the number of edges on the way between them. The loss, called stress, measures what is missing.',
      'Drag a node while it trains. The drag has its own lock, which holds the node only while you drag. Let go, and the node springs back.',
      'A pin is your own lock and stays after a drag. This step pins node 6. Now drag it: it stays where you put it.',
      'This graph shows people: the members of a karate club that split. Its two leaders are pinned, left and right. Who stands with whom? Now pull at them.',
    ],
  },
  de: {
    name: 'Graph',
    loss: 'wie sehr die Federn ziehen',
    card: 'Hefte Knoten eines Graphen an, und die anderen finden ihren Platz.',
    lede: 'Jeder Knoten ist zwei Zahlen. Training bewegt freie Knoten wie Federn.',
    ledeLater: 'Du setzt einige Knoten, Training den Rest. So entstehen viele Schaubilder.',
    hint: 'Klicke auf einen Knoten, um ihn anzuheften, ziehe ihn, um ihn zu bewegen. Jede Zeile ist ein Knoten: Sperre nur x oder nur y, und der Knoten gleitet auf einer Linie.',
    choices: {
      graph: { label: 'Graph', names: { mesh: 'Netz', tree: 'Baum', club: 'Karateverein' } },
    },
    guess: {
      question: 'Einige Knoten sind gesperrt. Entwirren Federn den Rest trotzdem?',
      answers: ['Ja, das geht', 'Nein, ein Knäuel bleibt'],
      told: () =>
        'Entwirrt, und nur die freien Knoten sind gewandert. Zieh nun an einem gesperrten.',
    },
    grids: { x: 'Orte' },
    names: { x: 'x→', y: 'y↑' },
    figures: {
      graph: {
        group: 'Knoten des Graphen',
        place: (all, springs, pinned) => `${all} Knoten, ${springs} Federn, ${pinned} gesperrt`,
        drag: 'Zieh an einem gesperrten: Der Rest folgt.',
        pinned: (name) => `Du hast Knoten ${name} gesetzt, Training den Rest.`,
        free: (name) => `Knoten ${name} ist frei: Losgelassen federt er zurück.`,
        node: (name, isHeld) => `Knoten ${name} anheften${isHeld ? ', in der Hand' : ''}`,
        hand: (name) => `${name}, in der Hand`,
        at: (name, [x, y]) =>
          `Knoten ${name}: x ${x.toFixed(2)}, y ${y.toFixed(2)}`.replaceAll('-', '−'),
        freed: (name) => `Knoten ${name}: losgelassen`,
        label: (all, pinned) =>
          `Der Graph hat ${all} Knoten, und ${pinned} davon sind angeheftet. Flache Federn sind zu lang oder zu kurz. Klick oder Leertaste heftet einen Knoten an. Ziehe ihn, oder bewege ihn mit Pfeiltasten und lass ihn mit der Eingabetaste los. Bild auf und Bild ab wählen einen anderen Knoten.`,
      },
    },
    lesson: [
      'Die Knoten beginnen an zufälligen Orten. Die Kanten dazwischen wirken wie Federn. Die Ecken haben ein Schloss: Ihre Zeilen sind gesperrt.',
      'Trainiere: Der Abstand von je zwei Knoten nähert sich der Zahl der Kanten auf dem Weg zwischen ihnen. Der Verlust, Stress genannt, misst, wie viel daran fehlt.',
      'Ziehe während des Trainings einen Knoten. Das Ziehen hat eine eigene Sperre, die den Knoten nur hält, solange du ziehst. Lass los, und er schnellt zurück.',
      'Anheften ist deine eigene Sperre und bleibt nach dem Ziehen. Dieser Schritt heftet Knoten 6 an. Nun ziehe ihn: Er bleibt, wo du ihn hinlegst.',
      'Dieser Graph zeigt Menschen: die Mitglieder eines Karatevereins, der zerbrach. Seine beiden Anführer sind angeheftet, links und rechts. Wer steht bei wem? Nun ziehe an ihnen.',
    ],
  },
};
