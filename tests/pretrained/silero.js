/* silero-vad at 16 kHz: whether somebody speaks, by chunks of 512 samples. A spectrum, four
 * convolutions and an LSTM, whose state goes from chunk to chunk. Source: tinygrad_model.py of the
 * package, whose weights these are. */
import { loadWeights, pytorchMapping } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { Draws } from '../golden/golden.js';
import { readBytes, readFixture } from './claims.js';
import { pathIn } from './packages.js';

export const golden = readFixture('silero.json');

export const [CHUNK, CONTEXT, UNITS] = [512, 64, 128];
/** Of its Fourier transform, which is a convolution: real parts, then imaginary ones. */
const FREQUENCIES = 129;

/** @param {import('gradlock').Gradlock} g */
export const openSilero = async (g) => {
  const nn = layers(g);
  const samples = nn.input({ shape: [CONTEXT + CHUNK], name: 'samples' });
  const states = ['h', 'c'].map((name) => nn.input({ shape: [UNITS], name }));
  /** @param {any} x @param {string} name @param {any} config */
  const convolve = (x, name, config) => nn.conv1d({ name, activation: 'relu', ...config }).apply(x);
  const mirror = nn.lambda((x) =>
    g.expandDims(
      g.mirrorPad(
        x,
        [
          [0, 0],
          [0, CONTEXT],
        ],
        'reflect',
      ),
      -1,
    ),
  );
  const spectrum = { filters: 2 * FREQUENCIES, kernelSize: 256, strides: 128, useBias: false };
  const waves = convolve(mirror.apply(samples), 'stft_conv', { ...spectrum, activation: null });
  const strength = nn.lambda((x) => {
    const [real, imaginary] = g.split(g.square(x), 2, -1);
    return g.sqrt(g.add(real, imaginary));
  });
  // PyTorch's padding of 1 on both sides, which Keras's 'same' is not where strides are 2.
  const pad = nn.lambda((x) =>
    g.pad(x, [
      [0, 0],
      [1, 1],
      [0, 0],
    ]),
  );
  let x = strength.apply(waves);
  for (const [i, [filters, strides]] of [
    [128, 1],
    [64, 2],
    [64, 2],
    [128, 1],
  ].entries()) {
    x = convolve(pad.apply(x), `conv${i + 1}`, { filters, strides, kernelSize: 3 });
  }
  const lstm = nn.lstm({ units: UNITS, returnState: true, name: 'lstm_cell' });
  /** @type {import('gradlock/layers').SymbolicTensor[]} */
  const [y, h, c] = lstm.apply(x, { initialState: states });
  const last = nn.conv1d({ filters: 1, kernelSize: 1, activation: 'sigmoid', name: 'final_conv' });
  const chance = last.apply(nn.reshape({ targetShape: [1, UNITS] }).apply(nn.reLU().apply(y)));
  const net = nn.model({
    inputs: [samples, ...states],
    outputs: [nn.flatten().apply(chance), h, c],
  });
  const named = net.layers.map(({ name }) => name).filter((name) => /_conv|^conv|lstm/.test(name));
  const rules = pytorchMapping(net, Object.fromEntries(named.map((name) => [name, name])));
  // A cell's names do not say which layer they are of.
  const mapping = new Map([...rules].map(([name, rule]) => [name.replace(/_l0$/, ''), rule]));
  const weights = readBytes(pathIn('silero-vad', 'silero_vad/data/silero_vad_16k.safetensors'));
  return { net, report: await loadWeights(net, weights, { mapping }) };
};

/** The sound that silero.py makes, by the same sums and products. */
export const sound = () => {
  const { seed, vowels, periods, chunks } = golden;
  const draws = new Draws(seed);
  const samples = new Float32Array(CHUNK * chunks);
  const past = [
    [0, 0],
    [0, 0],
  ];
  let since = 0;
  for (let i = 0; i < samples.length; i++) {
    const part = Math.floor(i / CHUNK / 8);
    const isOn = Math.floor(i / CHUNK) % 8 < 6;
    since += 1;
    let value = 0;
    if (since >= periods[part % periods.length]) {
      since = 0;
      value = isOn ? 1 : 0;
    }
    value += draws.value() / (isOn ? 256 : 4096);
    for (const [k, [a, b]] of vowels[part % vowels.length].entries()) {
      const y = /** @type {number[]} */ (past[k]);
      value = value + a * Number(y[0]) + b * Number(y[1]);
      y.unshift(value);
      y.pop();
    }
    samples[i] = Math.max(-1, Math.min(1, Math.trunc(value * 1024) / 32768));
  }
  return samples;
};

/**
 * The chance of speech in each chunk of that sound, and the last state.
 * @param {import('gradlock').Gradlock} g
 * @param {import('gradlock/layers').Model} net
 */
export const hear = (g, net) => {
  const samples = Float32Array.of(...new Float32Array(CONTEXT), ...sound());
  const chances = [];
  let state = [0, 1].map(() => g.broadcastTo(0, [1, UNITS]));
  for (let at = CONTEXT; at < samples.length; at += CHUNK) {
    const chunk = g.tensor(samples.slice(at - CONTEXT, at + CHUNK), [1, CONTEXT + CHUNK]);
    /** @type {import('gradlock').Tensor[]} */
    const [chance, ...next] = net.predict([chunk, ...state]);
    state = next;
    chances.push(chance.item());
  }
  return { chances, state: g.concat(state).data() };
};

/** @param {string} what */
export const reference = (what) => golden.rows.find((/** @type {any} */ row) => row.what === what);
