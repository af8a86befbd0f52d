/** Words that several scenes share, by language. */

/** A digit with its article: a 7, an 8. @param {number} digit */
const aDigit = (digit) => `${digit === 8 ? 'an' : 'a'} ${digit}`;

export const en = {
  /** The drawing pad of several scenes. */
  pad: {
    /** @param {boolean} isDown */
    label: (isDown) =>
      `Draw a digit on this pad. Arrow keys move the pen, Space ${isDown ? 'lifts it' : 'puts it down'}, Delete clears the pad.`,
    samples: 'Digits by other people',
    /** @param {number} digit */
    sample: (digit) => `${aDigit(digit).replace('a', 'A')} by someone else`,
    ...{ here: 'Draw your own', clear: 'Clear' },
  },

  /** What is read on it. */
  features: {
    /** @param {number | null} digit −1 if none fits best @param {number[]} tied as good */
    read(digit, ...tied) {
      if (digit === null) return 'The pad is empty.';
      return digit < 0 ? 'No votes yet.' : `Read as ${[digit, ...tied].map(aDigit).join(' or ')}.`;
    },
    votes: 'Votes: the highest wins',
    /** @param {string} score */
    score: (score) => `${score} of 300 unseen digits are read correctly.`,
  },

  /** A network that tells points of a plane apart. */
  plane: {
    title: 'Goal: colours match dots',
    /** @param {string} score @param {string} test @param {string} loss */
    label: (score, test, loss) =>
      `The network puts ${score} of the points on the right side, and ${test} of 160 points that it never trains on (loss ${loss}).`,
  },

  /** A network as nodes and edges. */
  net: {
    /** @param {number} layer @param {number} last */
    layers: (layer, last) =>
      layer === 0 ? 'Inputs' : layer === last ? 'Output' : `Layer ${layer}`,
  },

  /** A network whose layers are grids. */
  layered: {
    sizeLabel: 'Hidden layers',
    choices: {
      data: { label: 'Data', names: { circle: 'Circle', xor: 'Exclusive or', spiral: 'Spiral' } },
    },
    grids: { w1: 'Inputs to layer 1', w2: 'Layer 1 to layer 2', w3: 'Output' },
    whole: 'Lock or free the layer and its bias',
    names: { bias: 'bias' },
  },
};

/** @type {typeof en} */
export const de = {
  pad: {
    label: (isDown) =>
      `Zeichne auf dieser Fläche eine Ziffer. Pfeiltasten bewegen den Stift, die Leertaste ${isDown ? 'hebt ihn' : 'setzt ihn auf'}, Entf leert die Fläche.`,
    samples: 'Ziffern von anderen',
    sample: (digit) => `Eine ${digit} von jemand anderem`,
    ...{ here: 'Zeichne hier', clear: 'Leeren' },
  },

  features: {
    read(digit, ...tied) {
      if (digit === null) return 'Die Fläche ist leer.';
      return digit < 0 ? 'Noch keine Stimmen.' : `Als ${[digit, ...tied].join(' oder ')} gelesen.`;
    },
    votes: 'Stimmen: die höchste gewinnt',
    score: (score) => `Von 300 ungesehenen Ziffern werden ${score} richtig gelesen.`,
  },

  plane: {
    title: 'Ziel: Farben wie die Punkte',
    label: (score, test, loss) =>
      `Das Netz ordnet ${score} der Punkte richtig zu, und ${test} von 160 Punkten, mit denen es nie trainiert (Verlust ${loss}).`,
  },

  net: {
    layers: (layer, last) =>
      layer === 0 ? 'Eingang' : layer === last ? 'Ausgang' : `Schicht ${layer}`,
  },

  layered: {
    sizeLabel: 'Verborgene Schichten',
    choices: {
      data: { label: 'Daten', names: { circle: 'Kreis', xor: 'Entweder-oder', spiral: 'Spirale' } },
    },
    grids: { w1: 'Eingang zu Schicht 1', w2: 'Schicht 1 zu 2', w3: 'Ausgang' },
    whole: 'Die Schicht und ihren Bias sperren oder freigeben',
    names: { bias: 'Bias' },
  },
};
