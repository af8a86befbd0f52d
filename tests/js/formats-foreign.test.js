/* Tier: test. */
/* Files that are not ours. Those of other formats are named, with what converts them. Files of HDF5
 * from strangers, written by tests/golden/foreign.py, that name other files are refused before any
 * other file is opened, and few bytes do not become many. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { FormatError, init } from 'gradlock';
import { loadModel, loadWeights, readSafetensors } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import * as virtual from 'h5wasm';
import * as real from 'h5wasm/node';

const FOLDER = new URL('../golden/formats/foreign/', import.meta.url);

/** @param {string} name */
const fixture = (name) => new Uint8Array(readFileSync(new URL(`${name}.h5`, FOLDER)));

/** The message for a file; null: it is read. @type {Record<string, RegExp | null>} */
const FILES = {
  plain: null,
  many_attributes: null,
  chunked: null,
  compact: null,
  external: /layers\/dense\/vars\/0 keeps its values in another file/,
  virtual: /layers\/dense\/vars\/0 is a virtual dataset/,
  virtual_of_itself: /layers\/dense\/vars\/0 is a virtual dataset/,
  virtual_unlimited: /layers\/dense\/vars\/0 is a virtual dataset/,
  external_link: /layers\/dense\/vars\/0 is a link to "secret\.bin"/,
  external_group: /layers is a link to "secret\.bin"/,
  soft_link_out: /is a link to/,
  soft_link: /also is a link to "\/layers\/dense\/vars\/0"/,
  cycle: /layers\/dense\/again is linked twice/,
  cycle_of_root: /layers\/root is linked twice/,
  shared: /the weights do not match/,
  bomb: /unpacks to more than .* give a larger \{ maxBytes \}/,
  hollow: /unpacks to more than/,
  hollow_bytes: /unpacks to more than/,
  plugin: /compressed by a plugin/,
};

const make = async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  return nn.sequential([nn.dense({ units: 1, inputShape: [2] })]);
};

/** Our files in some folders. @param {string[]} folders */
const leftIn = (...folders) =>
  folders.flatMap((folder) =>
    readdirSync(folder).filter((name) => /^gradlock-\w+\.h5$/.test(name)),
  );

/**
 * Run something, and say which files h5wasm opened.
 * @param {any} FS
 * @param {() => Promise<void>} body
 */
const opensOf = async (FS, body) => {
  const { open } = FS;
  /** @type {string[]} */
  const paths = [];
  FS.open = (/** @type {string} */ path, /** @type {any[]} */ ...rest) => {
    paths.push(path);
    return open(path, ...rest);
  };
  try {
    await body();
  } finally {
    FS.open = open;
  }
  return new Set(paths);
};

test('every file of foreign.py has its claim here', () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/-\w+\.h5$/, ''));
  assert.deepEqual([...new Set(names)].sort(), Object.keys(FILES).sort());
});

for (const [kind, hdf5] of Object.entries({ h5wasm: virtual, 'h5wasm/node': real })) {
  for (const version of ['earliest', 'latest']) {
    for (const [name, message] of Object.entries(FILES)) {
      test(`${kind}: ${name}-${version} ${message ? 'is refused' : 'is read'}, and no other file is opened`, async () => {
        const model = await make();
        const { FS } = /** @type {any} */ (await hdf5.ready);
        const before = leftIn('.', tmpdir());
        const load = () => loadWeights(model, fixture(`${name}-${version}`), { hdf5 });
        const opened = await opensOf(FS, async () => {
          if (message === null) await load();
          else {
            await assert.rejects(load, (/** @type {any} */ error) => {
              assert.match(error.message, message);
              return error instanceof FormatError || name === 'shared';
            });
          }
        });
        assert.equal(opened.size, 1, [...opened].join());
        assert.match(String([...opened][0]), /gradlock-\w{20,}\.h5$/);
        assert.deepEqual(leftIn('.', tmpdir()), before, 'no file is left');
      });
    }
  }
}

test('the limit of unpacked bytes may be raised by an option, and lowered', async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const model = nn.sequential([nn.dense({ units: 1, useBias: false, inputShape: [2 ** 23] })]);
  const file = fixture('bomb-latest');
  await loadWeights(model, file, { hdf5: virtual, maxBytes: 2 ** 25 });
  assert.equal(model.weights[0]?.data()[0], 0);
  await assert.rejects(
    loadWeights(model, file, { hdf5: virtual, maxBytes: 2 ** 25 - 1 }),
    FormatError,
  );
  await assert.rejects(loadModel(nn, fixture('plain-latest'), { maxBytes: 3 }), FormatError);
});

test('a weight under fifty names counts once towards maxBytes', async () => {
  const model = await make();
  for (const version of ['earliest', 'latest']) {
    const load = loadWeights(model, fixture(`shared-${version}`), { hdf5: virtual, maxBytes: 12 });
    await assert.rejects(load, /the weights do not match/);
  }
});

/** A ZIP archive of empty entries. @param {string[]} names */
const zip = (...names) => {
  /** @param {number} signature @param {number} size @param {string} name @param {number} at */
  const header = (signature, size, name, at) => {
    const bytes = Buffer.alloc(size);
    bytes.writeUInt32LE(signature, 0);
    bytes.writeUInt16LE(20, 4);
    bytes.writeUInt16LE(name.length, at);
    return Buffer.concat([bytes, Buffer.from(name)]);
  };
  const files = Buffer.concat(names.map((name) => header(0x04034b50, 30, name, 26)));
  const directory = names.map((name) => header(0x02014b50, 46, name, 28));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(files.length, 16);
  return Buffer.concat([files, ...directory, end]);
};

/** @param {string} text With a character for each byte. */
const raw = (text) => Buffer.from(text, 'latin1');

const TORCH =
  /file of PyTorch: convert it: python -c "import torch, .*torch\.load\('model\.pt'.*"$/;
const LITE = /has no layers; save the Keras model .*model\.save\('model\.keras'\)/;
/** @type {Record<string, [bytes: Uint8Array, message: RegExp]>} */
const FOREIGN = {
  'no bytes': [raw(''), /an empty file: download it again/],
  'a pointer of Git LFS': [
    raw('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n'),
    /Git LFS.*run: git lfs pull/,
  ],
  'a page': [raw('\xef\xbb\xbf\n<!DOCTYPE html><html>'), /a web page \(HTML\): check its address/],
  'XML of a server': [raw('<?xml version="1.0"?><Error>'), /a web page \(HTML\)/],
  'text of a server': [raw('404: Not Found'), /a text, "404: Not Found": give/],
  'a .pt of PyTorch': [zip('archive/data.pkl', 'archive/data/0', 'archive/version'), TORCH],
  'an old .pt of PyTorch': [raw('\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9'), TORCH],
  'a .pt of TorchScript': [zip('m/data.pkl', 'm/constants.pkl'), /TorchScript: .*torch\.jit\.load/],
  'a .npz': [zip('a.npy', 'b.npy'), /NumPy \(\.npz\).*numpy\.load\('model\.npz'\)\.items/],
  'a .npy': [raw("\x93NUMPY\x01\x00v\x00{'descr': '<f4'"), /NumPy \(\.npy\).*order='C'/],
  'a pickle of protocol 4': [
    raw('\x80\x04\x95\xaa\0\0\0\0\0\0\0}\x94\x8c\x01a\x94.'),
    /pickle of Python: if you trust its code, convert it: python/,
  ],
  'a pickle of protocol 2': [raw('\x80\x02}q\x00X\x01\0\0\0aq\x01.'), /pickle of Python/],
  'a .tflite': [raw('\x1c\0\0\0TFL3\x14\0 \0'), LITE],
  'a .mlmodel': [raw('\x08\x04\x12\x90\x01\n\x1d\n\x05image\x12\x06pixels'), LITE],
  'a frozen graph': [raw('\n\x27\n\x05input\x12\x0bPlaceholder*\x0f\n\x05dtype'), LITE],
  'a SavedModel': [
    raw('\x08\x01\x12\xf5\x8f\x02\n\xd4\x1c\x12\xb0\x1c\nv\n\x05AddV2'),
    /SavedModel .* tensorflowjs_converter --input_format=keras_saved_model/,
  ],
  'ONNX of PyTorch': [raw('\x08\x0e\x12\x07pytorchh:e\n\x11'), /ONNX: .*onnx\.load/],
  'ONNX of nobody': [raw('\x08\x0e:e\n\x11\n\x01x\n\x01w\x12\x01y"\x06MatMul'), /ONNX/],
  'a checkpoint of TensorFlow': [
    raw(`\0\0\0\x01\x02${'\0'.repeat(600)}W\xfb\x80\x8b$uG\xdb`),
    /checkpoint of TensorFlow: .*tf\.train\.load_variable/,
  ],
  'the list of checkpoints': [raw('model_checkpoint_path: "m"\n'), /checkpoint of TensorFlow/],
  'a .gguf': [raw('GGUF\x03\0\0\0\x02\0\0\0\0\0\0\0'), /GGUF: .*gguf\.GGUFReader/],
  gzip: [raw('\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0'), /an archive: unpack it: 7z x/],
  zstd: [raw('(\xb5/\xfd\x04\x58\x41\0\0'), /an archive: unpack it/],
  '7z': [raw("7z\xbc\xaf'\x1c\0\x04\0"), /an archive: unpack it/],
  rar: [raw('Rar!\x1a\x07\x01\0\0'), /an archive: unpack it/],
  tar: [raw(`model.json${'\0'.repeat(247)}ustar  \0`), /an archive: unpack it/],
  'a PNG': [raw('\x89PNG\r\n\x1a\n\0\0'), /an image or a PDF: give the file of a model/],
  'a WebP': [raw('RIFF\x24\0\0\0WEBPVP8 '), /an image or/],
  'a JPEG': [raw('\xff\xd8\xff\xe0\0\x10JFIF\0'), /an image or/],
  'a PDF': [raw('%PDF-1.7\n%\xb5\xb5'), /a PDF:/],
  'JSON of a list': [raw('[{"weights": []}]'), /is ZIP, HDF5 or JSON: loadWeights reads those of/],
};

for (const [what, [bytes, message]] of Object.entries(FOREIGN)) {
  test(`${what} from elsewhere is named by every reader, with what to do`, async () => {
    const g = await init();
    const nn = layers(g, { seed: 1 });
    const model = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
    const isRight = (/** @type {any} */ error) =>
      error instanceof FormatError && message.test(error.message);
    assert.throws(() => readSafetensors(bytes), isRight);
    await assert.rejects(loadModel(nn, bytes), isRight);
    await assert.rejects(loadWeights(model, bytes), isRight);
  });
}

/** @type {[text: string, message: RegExp][]} */
const JSONS = [
  ['{"name":"x","version":1}', /no model: it has "name", "version"; a model has modelTopology/],
  ['{}', /no model: it has no keys/],
  [
    '\n {"class_name":"Sequential","config":{}}',
    /"class_name", "config"; .*nn.modelFromJSON reads a topology/,
  ],
  ['\ufeff{"format":"graph-model"}', /this is a graph model/],
];
for (const [text, message] of JSONS) {
  test(`the JSON ${JSON.stringify(text)} is told from a model, and readSafetensors names it`, async () => {
    const nn = layers(await init());
    const bytes = new TextEncoder().encode(text);
    const isRight = (/** @type {any} */ error) =>
      error instanceof FormatError && message.test(error.message);
    await assert.rejects(loadModel(nn, bytes), isRight);
    assert.throws(() => readSafetensors(bytes), /ZIP, HDF5 or JSON: loadWeights reads/);
  });
}

test('a header whose length begins like another format is read: "{" and "PK"', async () => {
  const model = await make();
  for (const length of [0x7b, 0x4b50]) {
    const header = '{"dense/kernel":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}';
    const bytes = Buffer.alloc(8 + length + 8, ' ');
    bytes.writeBigUInt64LE(BigInt(length), 0);
    bytes.write(header, 8);
    bytes.writeFloatLE(3, 8 + length);
    const { loaded } = await loadWeights(model, bytes, { partial: true });
    assert.deepEqual(loaded, ['dense/kernel'], String(length));
  }
});
