// Models of `gradlock fit`: those with a name, whose starts are guessed, and sums of them.
import { UsageError } from './command.js';

/** @import { Gradlock } from '../gradlock.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @typedef {readonly number[]} Numbers */
/**
 * @typedef {object} Kind
 * @property {readonly string[]} names The names of its parameters.
 * @property {(g: Gradlock, x: Tensor, p: readonly any[]) => Tensor} curve By ops; p in order.
 * @property {(x: Numbers, y: Numbers) => number[]} guess For points in the order of x.
 * @property {boolean} [isPeak] True if there may be many.
 */

/** @param {Numbers} list */
const last = (list) => Number(list.at(-1));
/** @param {Numbers} x */
const spanOf = (x) => last(x) - Number(x[0]) || 1;

/** The mean of y at both ends, over a twentieth of the points. @param {Numbers} y */
const endsOf = (y) => {
  const n = Math.ceil(y.length / 20);
  const mean = (/** @type {Numbers} */ part) => part.reduce((sum, value) => sum + value, 0) / n;
  return [mean(y.slice(0, n)), mean(y.slice(-n))];
};

/**
 * The first x at which y has come from a to b by a share of the way.
 * @param {Numbers} x @param {Numbers} y @param {number} a @param {number} b @param {number} share
 */
const crossing = (x, y, a, b, share) =>
  x[y.findIndex((value) => (value - a) / (b - a) >= share)] ?? last(x);

/** The highest point, and how far from it y halves. @param {number} unit */
const guessPeak = (unit) => (/** @type {Numbers} */ x, /** @type {Numbers} */ y) => {
  const height = y.reduce((most, value) => Math.max(most, value), -Infinity);
  const centre = Number(x[y.indexOf(height)]);
  const half = x.reduce((least, at, i) => {
    const away = Math.abs(at - centre);
    return Number(y[i]) < height / 2 && away > 0 ? Math.min(least, away) : least;
  }, spanOf(x) / 4);
  return [height, centre, half / unit];
};

const PEAK = { names: ['height', 'centre', 'width'], isPeak: true };

/** @type {Record<string, Kind>} */
const KINDS = {
  gauss: {
    ...PEAK,
    curve: (g, x, [height, centre, width]) =>
      g.mul(height, g.exp(g.neg(g.square(g.div(g.sub(x, centre), width))))),
    guess: guessPeak(Math.sqrt(Math.LN2)),
  },
  lorentz: {
    ...PEAK,
    curve: (g, x, [height, centre, width]) =>
      g.div(height, g.add(1, g.square(g.div(g.sub(x, centre), width)))),
    guess: guessPeak(1),
  },
  line: {
    names: ['slope', 'level'],
    curve: (g, x, [slope, level]) => g.add(g.mul(slope, x), level),
    guess: (x, y) => {
      const [a = 0, b = 0] = endsOf(y);
      const slope = (b - a) / spanOf(x);
      return [slope, a - slope * Number(x[0])];
    },
  },
  decay: {
    names: ['amplitude', 'rate', 'background'],
    curve: (g, x, [amplitude, rate, background]) =>
      g.add(g.mul(amplitude, g.exp(g.neg(g.mul(rate, x)))), background),
    guess: (x, y) => {
      const [a = 0, b = 0] = endsOf(y);
      const [from, to, half] = [Number(x[0]), last(x), crossing(x, y, a, b, 0.5)];
      // Half of the way in the second half of the time: it grows, away from what it had at first.
      const isGrowth = half - from > to - half;
      const time = isGrowth ? to - half : half - from;
      const rate = ((isGrowth ? -1 : 1) * Math.LN2) / (time || spanOf(x) / 4);
      return isGrowth
        ? [(b - a) * Math.exp(rate * to), rate, a]
        : [(a - b) * Math.exp(rate * from), rate, b];
    },
  },
  michaelisMenten: {
    names: ['speed', 'half'],
    curve: (g, x, [speed, half]) => g.div(g.mul(speed, x), g.add(half, x)),
    guess: (x, y) => {
      const speed = last([...y].sort((a, b) => a - b));
      return [speed, crossing(x, y, 0, speed, 0.5) || spanOf(x) / 4];
    },
  },
  logistic: {
    names: ['top', 'rate', 'middle'],
    curve: (g, x, [top, rate, middle]) => g.mul(top, g.sigmoid(g.mul(rate, g.sub(x, middle)))),
    guess: (x, y) => {
      const [a = 0, b = 0] = endsOf(y);
      const [low, high] = [crossing(x, y, a, b, 0.25), crossing(x, y, a, b, 0.75)];
      const rate = (Math.log(9) * Math.sign(b - a)) / (high - low || spanOf(x) / 4);
      return [Math.max(a, b), rate, crossing(x, y, a, b, 0.5)];
    },
  },
};

/** @param {string} text */
const readTerm = (text) => {
  const [, name = '', digits = ''] = text.match(/^([a-zA-Z]+)([1-9]\d?)?$/) ?? [];
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (!kind || (digits && !kind.isPeak)) {
    const known = Object.entries(KINDS).flatMap(([key, { isPeak }]) => [
      key,
      ...(isPeak ? [`${key}2 … ${key}99`] : []),
    ]);
    throw new UsageError(
      `unknown model "${text}"; known: ${known.join(', ')}, sums such as gauss2+line, and files: ./my-model.mjs`,
    );
  }
  const count = Number(digits || 1);
  return Array.from({ length: count }, (_, i) => ({
    kind,
    names: kind.names.map((parameter) => (count > 1 ? `${parameter}${i + 1}` : parameter)),
  }));
};

/** Returns the model of a name such as `gauss2+line`, and its guesser. @param {string} text */
export const namedModel = (text) => {
  const terms = text.split('+').map(readTerm);
  const bases = terms.flatMap(([first]) => first?.kind.names ?? []);
  const twice = bases.find((name, i) => bases.indexOf(name) < i);
  if (twice) {
    throw new UsageError(`"${text}" has ${twice} twice; write your own module: ./my-model.mjs`);
  }
  const parts = terms.flat();
  return {
    /** @param {Gradlock} g */
    model: (g) => (/** @type {Tensor} */ x, /** @type {Record<string, Tensor>} */ p) =>
      parts
        .map(({ kind, names }) =>
          kind.curve(
            g,
            x,
            names.map((name) => p[name]),
          ),
        )
        .reduce((a, b) => g.add(a, b)),

    /**
     * Guess one part after the other, each from what those before it leave; peaks last.
     * @param {Gradlock} g @param {Numbers} x @param {Numbers} y
     */
    guess: (g, x, y) => {
      const order = x.map((_, i) => i).sort((a, b) => Number(x[a]) - Number(x[b]));
      const at = order.map((i) => Number(x[i]));
      let rest = order.map((i) => Number(y[i]));
      /** @type {Record<string, number>} */
      const found = Object.fromEntries(parts.flatMap(({ names }) => names.map((n) => [n, 1])));
      const isLate = (/** @type {{ kind: Kind }} */ part) => Number(part.kind.isPeak ?? false);
      for (const { kind, names } of [...parts].sort((a, b) => isLate(a) - isLate(b))) {
        const values = kind.guess(at, rest).map((value) => (Number.isFinite(value) ? value : 1));
        names.forEach((name, i) => {
          found[name] = Number(values[i]);
        });
        const curve = kind.curve(g, g.tensor(at), values).data();
        rest = rest.map((value, i) => value - Number(curve[i]));
      }
      return found;
    },
  };
};
