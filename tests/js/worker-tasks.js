/* What workers of the tests train, by the kind that the page asks for. Node.js, browsers, Bun and
 * Deno run it with their own copies of the library; it imports nothing. */
import { STEPS } from './keep-training.js';

/** The loss of keep-training.js, and all that its next step depends on. @param {any} g */
const noisy = (g) => {
  const w = g.variable(g.random(3).normal([6, 4]), { name: 'w' }).lock({ rows: [1] });
  const b = g.variable([0, 0, 0, 0], { name: 'b' });
  const x = g.random(9).normal([8, 6]);
  const loss = g.compile(() =>
    g.mean(g.square(g.add(g.dropout(g.tanh(g.matMul(x, w)), 0.3, 11), b))),
  );
  const optimizer = g.optimizers.adam({ learningRate: 0.05, onUnlock: 'reset' });
  return { g, loss, optimizer };
};

/** @param {any} g @param {any} layers */
const makeNet = (g, layers) => {
  const nn = layers(g, { seed: 5 });
  const net = nn.sequential([
    nn.dense({ units: 8, activation: 'relu', inputShape: [4], name: 'base' }),
    nn.dropout({ rate: 0.2 }),
    nn.dense({ units: 3, activation: 'softmax', name: 'head' }),
  ]);
  net.compile({ optimizer: 'adam', loss: 'sparseCategoricalCrossentropy' });
  return { nn, net };
};

/** Makes the function that workers give to `train`. @param {any} library */
export const makeTasks = ({ init, layers, saveModel, loadModel }) => {
  /** @type {Record<string, (g: any, data: any, found: any) => any>} */
  const kinds = {
    noisy: (g, { steps = STEPS, ...more }) => ({ ...noisy(g), steps, ...more }),
    endless: (g) => noisy(g),
    /** Its clock jumps when it is told to: a save is due at once. */
    jumping: (g, { steps = STEPS }) => ({
      ...noisy(g),
      steps,
      calls: {
        jump() {
          const now = performance.now.bind(performance);
          performance.now = () => now() + 10_000;
        },
      },
    }),
    /** Its clock stands still but for 10 ms a step. */
    ticking(g, { steps }) {
      let now = 0;
      performance.now = () => now;
      return {
        ...noisy(g),
        steps,
        batch() {
          now += 10;
        },
      };
    },
    /** Its batches come later, as what is fetched does. */
    fetched: (g, { steps }) => {
      const task = kinds.batches?.(g, { steps }, null);
      const { batch } = task;
      return { ...task, batch: async (/** @type {number} */ step) => batch(await step) };
    },
    misspelt: (g) => ({ ...noisy(g), step: 3 }),
    pair(g) {
      const x = g.variable(
        [
          [0, 0],
          [0, 0],
        ],
        { name: 'x' },
      );
      const loss = g.compile(() =>
        g.sum(
          g.square(
            g.sub(x, [
              [1, 2],
              [3, 4],
            ]),
          ),
        ),
      );
      return { g, loss, optimizer: g.optimizers.sgd({ learningRate: 0.25 }), steps: 40 };
    },
    batches(g, { steps }) {
      const [w, target] = [
        g.variable([0, 0], { name: 'w' }),
        g.variable([0, 0], { name: 'batch' }),
      ];
      const loss = g.compile(() => g.sum(g.square(g.sub(w, target))));
      const batch = (/** @type {number} */ step) => target.assign([step % 3, -step]);
      return { loss, optimizer: g.optimizers.adam(), variables: [w], batch, steps };
    },
    curve(g) {
      const line = g.variable([0, 0], { name: 'line' });
      const at = [0, 1, 2, 3];
      const loss = g.compile(() => {
        const [a, b] = g.unstack(line);
        return g.sub(g.add(a, g.mul(b, at)), [1, 3, 5, 7]);
      });
      return { loss, optimizer: g.optimizers.levenbergMarquardt(), steps: 50 };
    },
    plain(g) {
      const w = g.variable([3], { name: 'w' });
      return {
        loss: () => g.sum(g.square(w)),
        optimizer: g.optimizers.sgd(),
        variables: [w],
        steps: 5,
      };
    },
    async net(g, { x, y, fit, isSaved = true }, found) {
      const made = makeNet(g, layers);
      const net = found ? await loadModel(made.nn, found.state) : made.net;
      return {
        model: net,
        x: g.tensor(x, [y.length, 4]),
        y,
        fit,
        ...(isSaved && { save: () => saveModel(net) }),
      };
    },
    calls: (g) => ({
      variables: [g.variable([1, 2, 3], { name: 'v' })],
      calls: {
        double: (/** @type {number} */ value) => 2 * value,
        fail() {
          g.variable([1, 2]).lock([1]).assign([3, 4]);
        },
        native: () => /** @type {any} */ (null).nothing,
        cause() {
          throw new TypeError('outer', { cause: new RangeError('inner', { cause: 'text' }) });
        },
        text() {
          throw 'only text';
        },
        unsendable: () => () => {},
        wait: () => new Promise(() => {}),
        exit: () => process.exit(),
        crash() {
          setTimeout(() => {
            throw new Error('nobody catches this');
          });
        },
      },
    }),
    loose: (g) => ({ loss: () => g.sum(g.variable([1])), optimizer: g.optimizers.sgd() }),
    nothing: () => ({}),
    refused: (g) => g.optimizers.sgd({ learningRate: -1 }),
  };
  return async (/** @type {any} */ { kind, ...data }, /** @type {any} */ { found }) =>
    kinds[kind]?.(await init(), data, found);
};
