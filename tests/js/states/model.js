// The model whose states are kept as files here, and what it came to.
import { createHash } from 'node:crypto';

/** @typedef {import('gradlock').Gradlock} Gradlock */

/**
 * @param {Gradlock} g
 */
export const model = (g) => {
  const draw = (/** @type {number} */ n, /** @type {number} */ a) =>
    Float32Array.from({ length: n }, (_, i) => Math.sin(i * a));
  const w = g.variable(new Float32Array(4000).fill(0.125), { shape: [40, 100], name: 'w' });
  const b = g.variable(new Float32Array(100), { name: 'b' });
  const x = g.tensor(draw(120, 0.9), [3, 40]);
  const loss = g.compile(() => g.mean(g.square(g.add(g.matMul(x, w), b))));
  const optimizer = g.optimizers.adam({ learningRate: 0.01, useEma: true, emaMomentum: 0.9 });
  const train = (/** @type {number} */ steps) =>
    optimizer.minimize(loss, { variables: [w, b], steps });
  /** Lock rows that are free, free those that are locked. @param {number[]} rows */
  const toggle = (rows) => w.toggle({ rows });
  return { w, b, loss, optimizer, train, toggle };
};

/**
 * Of each variable: its values, a slot, the average and the clock, as SHA-256 of their bytes.
 * @param {ReturnType<typeof model>} model
 */
export const digest = ({ w, b, optimizer }) =>
  [w, b].map((v) =>
    [v.data(), optimizer.slot(v, 'm'), optimizer.average(v), optimizer.clock(v)].map((view) =>
      createHash('sha256')
        .update(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
        .digest('hex'),
    ),
  );
