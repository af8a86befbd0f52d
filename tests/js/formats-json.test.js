/* Tier: all. Precisions: f32, f64. */
/* JSON in files: every text that is written is read, whatever its size, and what could not be read
 * again is refused before anything is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormatError, init, OptionError } from 'gradlock';
import {
  loadModel,
  loadWeights,
  readSafetensors,
  saveModel,
  saveWeights,
  writeSafetensors,
} from 'gradlock/formats';
import { layers } from 'gradlock/layers';

const make = async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  return { nn, model: nn.sequential([nn.dense({ units: 1, inputShape: [1], name: 'd' })]) };
};

const TEXTS = {
  'of 20 MB': 'a'.repeat(20e6),
  'of 5 million quotes': '"'.repeat(5e6),
  'of 5 million backslashes': '\\'.repeat(5e6),
  'of brackets and commas': '{"a":[1,2],'.repeat(1e6),
  'with letters that JSON escapes': '\u2028\ud800\u0000é"\\"\\\\',
};

for (const [what, note] of Object.entries(TEXTS)) {
  test(`metadata ${what} is read as it was written`, async () => {
    const { nn, model } = await make();
    const words = { note, __proto__x: note.slice(0, 9) };
    const w = { shape: [1], data: [1] };
    assert.ok(readSafetensors(writeSafetensors({ w }, words)).metadata.note === note);
    const file = saveModel(model, { metadata: words });
    assert.ok(readSafetensors(file).metadata.note === note);
    await loadModel(nn, file);
    await loadWeights(model, saveWeights(model, { metadata: words }));
  });
}

test('a key twice is found behind a long text, and however it is spelled', () => {
  const long = 'x'.repeat(3e6);
  for (const header of [
    `{"__metadata__":{"long":"${long}\\\\","b":"","b":""}}`,
    '{"__metadata__":{"a\\"":"","b":"{","a\\u0022":""}}',
  ]) {
    const text = new TextEncoder().encode(header);
    const file = new Uint8Array(8 + text.length);
    new DataView(file.buffer).setUint32(0, text.length, true);
    file.set(text, 8);
    assert.throws(() => readSafetensors(file), /twice/);
  }
});

const TENSOR = { shape: [1], data: [1] };
/** @type {[string, () => unknown, RegExp][]} */
const UNREADABLE = [
  [
    'a header of more than 100 MB',
    () => writeSafetensors({ w: TENSOR }, { note: 'é'.repeat(50_000_001) }),
    /shorten the metadata/,
  ],
  [
    'metadata of more letters than a string may have',
    () => writeSafetensors({}, { a: 'a'.repeat(2 ** 28), b: 'b'.repeat(2 ** 28) }),
    /shorten the metadata/,
  ],
  [
    'two tensors of one name',
    () =>
      writeSafetensors(
        new Map(
          /** @type {any} */ ([
            [1, TENSOR],
            ['1', TENSOR],
          ]),
        ),
      ),
    /same name/,
  ],
  [
    'a shape whose product cannot be counted',
    () => writeSafetensors({ w: { shape: [2 ** 50, 2 ** 50, 0], data: [] } }),
    /takes NaN values/,
  ],
  [
    'a BOOL that is 2',
    () => writeSafetensors({ w: { dtype: 'BOOL', shape: [1], data: [2] } }),
    /0 and 1 only/,
  ],
];

for (const [what, write, message] of UNREADABLE) {
  test(`${what} is refused by the writer, since no reader takes it`, () => {
    assert.throws(write, message);
  });
}

test('words that would be taken for our own are refused by all writers of models', async () => {
  const { model } = await make();
  for (const key of ['gradlock', 'gradlock.version', 'gradlock.training']) {
    for (const save of [saveModel, saveWeights]) {
      assert.throws(() => save(model, { metadata: { [key]: 'model' } }), OptionError);
    }
  }
});

test('a header of brackets 5 million deep is refused', () => {
  const text = new TextEncoder().encode(`{"x":${'['.repeat(5e6)}${']'.repeat(5e6)}}`);
  const file = new Uint8Array(8 + text.length);
  new DataView(file.buffer).setUint32(0, text.length, true);
  file.set(text, 8);
  assert.throws(() => readSafetensors(file), FormatError);
});
