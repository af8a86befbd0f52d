/* Residuals of the problems of tests/golden/bounded.json that are not NIST's, over the same
 * arithmetic as nist-models.js. bounded.py names their sources. */

/** @template T @typedef {import('./nist-models.js').Arithmetic<T>} Arithmetic */
/**
 * Residuals, in one or several pieces.
 * @typedef {<T>(m: Arithmetic<T>, b: T[], x: T, y: T) => T[]} Residuals
 */

/**
 * @template T
 * @param {Arithmetic<T>} m
 * @param {(T | number)[]} terms
 */
const sum = (m, [first, ...rest]) =>
  /** @type {T} */ (rest.reduce((all, term) => m.add(all, term), first));

/** height · exp(−rate · x) @type {<T>(m: Arithmetic<T>, height: T, rate: T, x: T) => T} */
const decay = (m, height, rate, x) => m.mul(height, m.exp(m.neg(m.mul(rate, x))));

const PINENE_TIMES = [1230, 3060, 4920, 7800, 10680, 15030, 22620, 36420];
const LONGEST_STEP = 2000;

/**
 * Five substances, by six terms of the Taylor series a step.
 * @type {Residuals}
 */
const pinene = (m, b, _, y) => {
  const rates = b.map((value) => m.mul(value, 1e-5));
  const [r0, r1, r2, r3, r4] = rates;
  const one = m.add(m.mul(r0, 0), 1);
  /** @param {(typeof one)[]} s */
  const slope = ([a, , c, , e]) => {
    const [fast, slow] = [m.mul(r0, a), m.mul(r1, a)];
    const [out, there, back] = [m.mul(r2, c), m.mul(r3, c), m.mul(r4, e)];
    return [
      m.neg(m.add(fast, slow)),
      fast,
      m.add(m.sub(m.sub(slow, out), there), back),
      out,
      m.sub(there, back),
    ];
  };
  let state = [100, 0, 0, 0, 0].map((share) => m.mul(one, share));
  let time = 0;
  const found = [];
  for (const until of PINENE_TIMES) {
    const steps = Math.ceil((until - time) / LONGEST_STEP);
    for (let step = 0; step < steps; step++) {
      let term = state;
      for (let k = 1; k <= 6; k++) {
        term = slope(term).map((value) => m.mul(value, (until - time) / steps / k));
        state = state.map((value, i) => m.add(value, term[i]));
      }
    }
    time = until;
    found.push(...state);
  }
  return [m.sub(m.concat(found), y)];
};

/** @type {Record<string, Residuals>} */
export const RESIDUALS = {
  rosenbrock: (m, [p, q]) => [m.mul(10, m.sub(q, m.square(p))), m.sub(1, p)],
  broyden: (m, b) =>
    b.map((value, i) => {
      const own = m.add(m.mul(m.sub(3, value), value), 1);
      const left = i > 0 ? m.sub(own, b[i - 1]) : own;
      return i + 1 < b.length ? m.sub(left, m.mul(2, b[i + 1])) : left;
    }),
  chebyshev8: (m, b) => {
    const points = b.map((value) => m.sub(m.mul(2, value), 1));
    let before = points.map((point) => m.add(m.mul(point, 0), 1));
    let now = points;
    return b.map((_, k) => {
      const i = k + 1;
      const row = m.sub(m.div(sum(m, now), b.length), i % 2 ? 0 : -1 / (i * i - 1));
      const next = points.map((point, j) => m.sub(m.mul(2, m.mul(point, now[j])), before[j]));
      before = now;
      now = next;
      return row;
    });
  },
  exponential: (m, b, x, y) => [m.sub(m.mul(b[0], m.exp(m.mul(b[1], x))), y)],
  osborne1: (m, b, x, y) => [
    m.sub(sum(m, [b[0], decay(m, b[1], b[3], x), decay(m, b[2], b[4], x)]), y),
  ],
  osborne2: (m, b, x, y) => {
    const peaks = [0, 1, 2].map((i) => decay(m, b[i + 1], b[i + 5], m.square(m.sub(x, b[i + 8]))));
    return [m.sub(sum(m, [decay(m, b[0], b[4], x), ...peaks]), y)];
  },
  pinene,
};
