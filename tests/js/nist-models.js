/* The models of NIST's nonlinear regression sets (tests/golden/nist.json), each written once for
 * two arithmetics: gradlock's tensors, and plain doubles. The doubles do not use gradlock, so they
 * can judge a point that it found. */

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {'add' | 'sub' | 'mul' | 'div' | 'pow'} Binary */
/** @typedef {'neg' | 'square' | 'exp' | 'sin' | 'cos' | 'atan'} Unary */
/**
 * @template T
 * @typedef {{ [op in Binary]: (a: T | number, b: T | number) => T }
 *   & { [op in Unary]: (a: T) => T } & { concat: (parts: T[]) => T }} Arithmetic
 */
/** @typedef {<T>(m: Arithmetic<T>, b: T[], x: T[]) => T} Model `x`: one entry a predictor. */

/** @typedef {number[]} Doubles One value for all readings, or one for each. */

/** @param {(a: number, b: number) => number} fn */
const pairwise = (fn) => {
  /** @param {Doubles | number} a @param {Doubles | number} b */
  return (a, b) => {
    const [p, q] = [[a].flat(), [b].flat()];
    const length = Math.max(p.length, q.length);
    return Array.from({ length }, (_, i) => fn(p[i % p.length], q[i % q.length]));
  };
};

/** @param {(a: number) => number} fn @returns {(a: Doubles) => Doubles} */
const each = (fn) => (a) => a.map((value) => fn(value));

/** @type {Arithmetic<Doubles>} */
export const doubles = {
  add: pairwise((a, b) => a + b),
  sub: pairwise((a, b) => a - b),
  mul: pairwise((a, b) => a * b),
  div: pairwise((a, b) => a / b),
  pow: pairwise((a, b) => a ** b),
  neg: each((a) => -a),
  square: each((a) => a * a),
  exp: each(Math.exp),
  sin: each(Math.sin),
  cos: each(Math.cos),
  atan: each(Math.atan),
  concat: (parts) => parts.flat(),
};

/**
 * @param {Gradlock} g
 * @returns {Arithmetic<import('gradlock').Tensor>}
 */
export const tensors = (g) => ({
  add: g.add,
  sub: g.sub,
  mul: g.mul,
  div: g.div,
  pow: g.pow,
  neg: g.neg,
  square: g.square,
  exp: g.exp,
  sin: g.sin,
  cos: g.cos,
  atan: g.atan,
  concat: (parts) => g.concat(parts),
});

/**
 * Horner's rule, from the lowest coefficient.
 * @type {<T>(m: Arithmetic<T>, c: (T | number)[], x: T) => T}
 */
const polynomial = (m, [first, ...rest], x) =>
  m.add(first, m.mul(x, rest.length > 1 ? polynomial(m, rest, x) : rest[0]));

/** height · exp(−rate · x) @type {<T>(m: Arithmetic<T>, height: T, rate: T, x: T) => T} */
const decay = (m, height, rate, x) => m.mul(height, m.exp(m.neg(m.mul(rate, x))));

/** @type {Model} */
const threeExponentials = (m, b, [x]) =>
  m.add(m.add(decay(m, b[0], b[1], x), decay(m, b[2], b[3], x)), decay(m, b[4], b[5], x));

/** @type {Model} */
const twoPeaks = (m, b, [x]) => {
  /** @param {number} i */
  const peak = (i) => m.mul(b[i], m.exp(m.neg(m.square(m.div(m.sub(x, b[i + 1]), b[i + 2])))));
  return m.add(m.add(decay(m, b[0], b[1], x), peak(2)), peak(5));
};

/** @type {Model} */
const cubicByCubic = (m, b, [x]) =>
  m.div(polynomial(m, b.slice(0, 4), x), polynomial(m, [1, ...b.slice(4)], x));

/** @type {Model} */
const decayByLine = (m, b, [x]) =>
  m.div(m.exp(m.neg(m.mul(b[0], x))), polynomial(m, b.slice(1), x));

/** @type {Model} */
const cycles = (m, b, [x]) => {
  const circle = m.mul(2 * Math.PI, x);
  const angles = [m.div(circle, 12), m.div(circle, b[3]), m.div(circle, b[6])];
  return [1, 4, 7].reduce(
    (sum, i, k) =>
      m.add(sum, m.add(m.mul(b[i], m.cos(angles[k])), m.mul(b[i + 1], m.sin(angles[k])))),
    b[0],
  );
};

/** @type {Record<string, Model>} */
export const MODELS = {
  Bennett5: (m, b, [x]) => m.mul(b[0], m.pow(m.add(b[1], x), m.div(-1, b[2]))),
  BoxBOD: (m, b, [x]) => m.mul(b[0], m.sub(1, m.exp(m.neg(m.mul(b[1], x))))),
  Chwirut1: decayByLine,
  Chwirut2: decayByLine,
  DanWood: (m, b, [x]) => m.mul(b[0], m.pow(x, b[1])),
  ENSO: cycles,
  Eckerle4: (m, b, [x]) =>
    m.mul(m.div(b[0], b[1]), m.exp(m.div(m.square(m.div(m.sub(x, b[2]), b[1])), -2))),
  Gauss1: twoPeaks,
  Gauss2: twoPeaks,
  Gauss3: twoPeaks,
  Hahn1: cubicByCubic,
  Kirby2: (m, b, [x]) =>
    m.div(polynomial(m, b.slice(0, 3), x), polynomial(m, [1, ...b.slice(3)], x)),
  Lanczos1: threeExponentials,
  Lanczos2: threeExponentials,
  Lanczos3: threeExponentials,
  MGH09: (m, b, [x]) =>
    m.div(
      m.mul(b[0], m.add(m.square(x), m.mul(x, b[1]))),
      m.add(m.add(m.square(x), m.mul(x, b[2])), b[3]),
    ),
  MGH10: (m, b, [x]) => m.mul(b[0], m.exp(m.div(b[1], m.add(x, b[2])))),
  MGH17: (m, b, [x]) => m.add(b[0], m.add(decay(m, b[1], b[3], x), decay(m, b[2], b[4], x))),
  Misra1a: (m, b, [x]) => m.mul(b[0], m.sub(1, m.exp(m.neg(m.mul(b[1], x))))),
  Misra1b: (m, b, [x]) => m.mul(b[0], m.sub(1, m.pow(m.add(1, m.div(m.mul(b[1], x), 2)), -2))),
  Misra1c: (m, b, [x]) => m.mul(b[0], m.sub(1, m.pow(m.add(1, m.mul(m.mul(2, b[1]), x)), -0.5))),
  Misra1d: (m, b, [x]) => {
    const product = m.mul(b[1], x);
    return m.mul(b[0], m.div(product, m.add(1, product)));
  },
  Nelson: (m, b, [x1, x2]) => m.sub(b[0], m.mul(m.mul(b[1], x1), m.exp(m.neg(m.mul(b[2], x2))))),
  Rat42: (m, b, [x]) => m.div(b[0], m.add(1, m.exp(m.sub(b[1], m.mul(b[2], x))))),
  Rat43: (m, b, [x]) =>
    m.div(b[0], m.pow(m.add(1, m.exp(m.sub(b[1], m.mul(b[2], x)))), m.div(1, b[3]))),
  Roszman1: (m, b, [x]) =>
    m.sub(m.sub(b[0], m.mul(b[1], x)), m.div(m.atan(m.div(b[2], m.sub(x, b[3]))), Math.PI)),
  Thurber: cubicByCubic,
};
