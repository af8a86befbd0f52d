/* g2p-en: from letters to phonemes, by a GRU that reads and a GRU that writes (256 units each), which
 * its authors trained in PyTorch. The weights are those of the package, under PyTorch's names. */
import { loadWeights, pytorchMapping, writeSafetensors } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { readBytes, readFixture } from './claims.js';
import { pathIn } from './packages.js';

export const golden = readFixture('g2p.json');

const UNITS = 256;
/** Numbers of `<s>` and `</s>` among the phonemes, and of `</s>` among the letters. */
const [START, END, LAST] = [2, 3, 2];
/** After so many phonemes the package gives up. */
const MOST = 20;

/** Names in the package, and those of PyTorch's modules. */
const NAMES = {
  enc_emb: 'letters.weight',
  enc_w_ih: 'reader.weight_ih_l0',
  enc_w_hh: 'reader.weight_hh_l0',
  enc_b_ih: 'reader.bias_ih_l0',
  enc_b_hh: 'reader.bias_hh_l0',
  dec_emb: 'phonemes.weight',
  dec_w_ih: 'writer.weight_ih_l0',
  dec_w_hh: 'writer.weight_hh_l0',
  dec_b_ih: 'writer.bias_ih_l0',
  dec_b_hh: 'writer.bias_hh_l0',
  fc_w: 'logits.weight',
  fc_b: 'logits.bias',
};

/**
 * A file of NumPy, of f32. Source: numpy/lib/format.py, version 1.0.
 * @param {Buffer} bytes
 */
const readArray = (bytes) => {
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.toString('latin1', 10, start);
  const [, sizes] =
    /'descr': '<f4', 'fortran_order': False, 'shape': \(([\d, ]+)\)/.exec(header) ?? [];
  if (sizes === undefined) throw new Error(`not f32 in rows: ${header}`);
  const shape = sizes
    .split(',')
    .filter((size) => size.trim())
    .map(Number);
  return { shape, data: new Float32Array(new Uint8Array(bytes.subarray(start)).buffer) };
};

/** The weights of the package. */
export const readWeights = () => {
  const folder = pathIn('g2p-en', 'g2p_en/checkpoint20/');
  const tensors = Object.entries(NAMES).map(([file, name]) => {
    const array = readArray(readBytes(new URL(`${file}.npy`, folder)));
    return /** @type {const} */ ([name, array]);
  });
  return writeSafetensors(Object.fromEntries(tensors));
};

/**
 * What is trained, from letters and the phonemes before to logits of each next one; what reads; and
 * what writes the next phoneme, from the last one and a state.
 * @param {import('gradlock').Gradlock} g
 */
export const openG2p = async (g) => {
  const nn = layers(g);
  const { graphemes, phonemes } = golden;
  const letters = nn.input({ shape: [null], name: 'word' });
  const before = nn.input({ shape: [null], name: 'before' });
  const state = nn.input({ shape: [UNITS], name: 'state' });
  // 0 is behind the end of a word: there the state is kept.
  const letter = nn.embedding({
    inputDim: graphemes.length,
    outputDim: UNITS,
    maskZero: true,
    name: 'letters',
  });
  const reader = nn.gru({ units: UNITS, name: 'reader' });
  const phoneme = nn.embedding({ inputDim: phonemes.length, outputDim: UNITS, name: 'phonemes' });
  const writer = nn.gru({ units: UNITS, returnSequences: true, returnState: true, name: 'writer' });
  const logits = nn.dense({ units: phonemes.length, name: 'logits' });
  const read = reader.apply(letter.apply(letters));
  /** @param {any} from */
  const write = (from) => {
    /** @type {import('gradlock/layers').SymbolicTensor[]} */
    const [steps, last] = writer.apply(phoneme.apply(before), { initialState: from });
    return [logits.apply(steps), last];
  };
  const net = nn.model({ inputs: [letters, before], outputs: write(read)[0] });
  const names = net.layers.map(({ name }) => name).filter((name) => !/word|before/.test(name));
  const mapping = pytorchMapping(net, Object.fromEntries(names.map((name) => [name, name])));
  const report = await loadWeights(net, readWeights(), { mapping });
  return {
    net,
    report,
    encoder: nn.model({ inputs: letters, outputs: read }),
    decoder: nn.model({ inputs: [before, state], outputs: write(state) }),
  };
};

/**
 * Numbers of letters, a row a word, with zeros behind the end.
 * @param {readonly string[]} words
 */
export const encodeWords = (words) => {
  const steps = Math.max(...words.map(({ length }) => length)) + 1;
  const unknown = golden.graphemes.indexOf('<unk>');
  return words.map((word) => {
    const known = [...word].map((letter) => golden.graphemes.indexOf(letter));
    const ids = [...known.map((id) => (id < 0 ? unknown : id)), LAST];
    return [...ids, ...new Array(steps - ids.length).fill(0)];
  });
};

/** Numbers of the golden words' phonemes: the one before each, and each; ends behind the end. */
export const encodePhonemes = () => {
  /** @type {number[][]} */
  const rows = golden.rows.map((/** @type {any} */ { phonemes }) =>
    phonemes.map((/** @type {string} */ name) => golden.phonemes.indexOf(name)),
  );
  const steps = Math.max(...rows.map(({ length }) => length)) + 1;
  const after = rows.map((row) => [...row, ...new Array(steps - row.length).fill(END)]);
  return { before: after.map((row) => [START, ...row.slice(0, -1)]), after };
};

/**
 * Phonemes of words, all at once, the likeliest each time.
 * @param {import('gradlock').Gradlock} g
 * @param {Awaited<ReturnType<typeof openG2p>>} networks
 * @param {readonly string[]} words
 */
export const spellOut = (g, { encoder, decoder }, words) => {
  let state = encoder.predict(g.tensor(encodeWords(words)));
  let last = words.map(() => START);
  const found = words.map(() => /** @type {string[]} */ ([]));
  const open = new Set(words.keys());
  for (let step = 0; step < MOST && open.size > 0; step++) {
    /** @type {import('gradlock').Tensor[]} */
    const [logits, next] = decoder.predict([g.tensor(last.map((id) => [id])), state]);
    last = [...g.argMax(g.squeeze(logits, [1]), -1).data()];
    state = next;
    for (const i of open) {
      if (last[i] === END) open.delete(i);
      else found[i]?.push(golden.phonemes[Number(last[i])]);
    }
  }
  return found;
};
