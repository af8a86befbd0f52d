/* Precisions: f32, f64. */
/* What the readers of safetensors and of archives refuse: each file is sound but for one thing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FormatError, init, ShapeError } from 'gradlock';
import { loadModel, readSafetensors, writeSafetensors } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import * as hdf5 from 'h5wasm';

/**
 * A file of a header and bytes.
 * @param {string | Uint8Array} header
 * @param {number} [size] Of the tensors.
 * @param {number} [length] What the file says of its header.
 */
const file = (header, size = 8, length) => {
  const text = typeof header === 'string' ? new TextEncoder().encode(header) : header;
  const bytes = new Uint8Array(8 + text.length + size);
  const view = new DataView(bytes.buffer);
  const stated = length ?? text.length;
  view.setUint32(0, stated % 2 ** 32, true);
  view.setUint32(4, Math.floor(stated / 2 ** 32), true);
  bytes.set(text, 8);
  return bytes;
};

const entry = (dtype = 'F32', shape = [2], offsets = [0, 8]) =>
  JSON.stringify({ dtype, shape, data_offsets: offsets });

/** @type {[string, Uint8Array, RegExp][]} */
const REFUSED = [
  ['seven bytes', new Uint8Array(7), /begins with 8 bytes/],
  ['no header', new Uint8Array(8), /begin with \{/],
  ['a header of 100,000,001 bytes', file('{}', 0, 100_000_001), /100000001 bytes, at most/],
  ['a header of 2^63 bytes', file('{}', 0, 2 ** 63), /at most/],
  ['a header that ends outside', file('{}', 0, 3), /has 3 bytes, but the file has only 2/],
  ['a header that ends in a tensor', file('{}  x'), /not JSON/],
  ['space before the header', file(' {}', 0), /begin with \{/],
  ['a list', file('[]', 0), /begin with \{/],
  ['no JSON', file('{"a":}', 0), /not JSON/],
  ['no UTF-8', file(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 0), /not UTF-8/],
  ['a key twice', file(`{"a":${entry()},"a":${entry()}}`), /the key "a" twice/],
  ['a key twice in other letters', file(`{"a":${entry()},"\\u0061":${entry()}}`), /"a" twice/],
  ['__proto__ twice', file(`{"__proto__":${entry()},"__proto__":${entry()}}`), /twice/],
  [
    'a key twice further down',
    file('{"a":{"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]}}'),
    /"shape" twice/,
  ],
  ['a tensor that is a number', file('{"a":3}', 0), /must be an object/],
  ['an unknown type', file(`{"a":${entry('F8_E4M3')}}`), /unknown type "F8_E4M3"; known: /],
  [
    'a type of Object.prototype',
    file(`{"a":${entry('constructor')}}`),
    /unknown type "constructor"/,
  ],
  [
    'a field more',
    file('{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1}}'),
    /field "x"/,
  ],
  ['no shape', file('{"a":{"dtype":"F32","data_offsets":[0,8]}}'), /a shape of sizes/],
  ['a negative size', file(`{"a":${entry('F32', [-2])}}`), /a shape of sizes/],
  ['half a size', file(`{"a":${entry('F32', [0.5])}}`), /a shape of sizes/],
  ['a shape too large', file(`{"a":${entry('F32', [2 ** 50, 2 ** 50])}}`), /too large/],
  ['one that is too large before a 0', file(`{"a":${entry('F32', [2 ** 52, 3, 0])}}`), /too large/],
  ['one offset', file(`{"a":${entry('F32', [2], [0])}}`), /two data_offsets/],
  ['an end before its begin', file(`{"a":${entry('F32', [2], [8, 0])}}`), /data_offsets span -8/],
  ['another size', file(`{"a":${entry('F32', [3])}}`), /has 12 bytes, but its data_offsets span 8/],
  ['a begin behind 0', file(`{"a":${entry('F32', [1], [4, 8])}}`), /begins at 4/],
  [
    'a gap',
    file(`{"a":${entry('F32', [1], [0, 4])},"b":${entry('F32', [1], [8, 12])}}`, 12),
    /"b" begins at 8, but the one before it ends at 4/,
  ],
  [
    'an overlap',
    file(`{"a":${entry('F32', [2], [0, 8])},"b":${entry('F32', [2], [4, 12])}}`, 12),
    /"b" begins at 4/,
  ],
  ['an end outside', file(`{"a":${entry()}}`, 7), /ends at 8, the file has 7/],
  ['a remainder', file(`{"a":${entry()}}`, 9), /1 bytes at the end belong to no tensor/],
  ['metadata that are a list', file('{"__metadata__":[]}', 0), /__metadata__ must be an object/],
  ['a number in metadata', file('{"__metadata__":{"a":1}}', 0), /"a" is 1/],
  ['a truth value of 2', file(`{"a":${entry('BOOL', [8])}}`).fill(2, -1), /BOOL, its byte 7 is 2/],
];

for (const [what, bytes, message] of REFUSED) {
  test(`safetensors: ${what} is refused`, () => {
    assert.throws(
      () => readSafetensors(bytes),
      (error) => {
        assert.ok(error instanceof FormatError);
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('safetensors: tensors may be named in any order, whatever the order of their bytes', () => {
  const [last, first] = [entry('U8', [5], [3, 8]), entry('U8', [3], [0, 3])];
  const bytes = file(`{"last":${last},"none":${entry('U8', [0], [3, 3])},"first":${first}}`);
  bytes.set([1, 2, 3, 4, 5, 6, 7, 8], bytes.length - 8);
  const read = [...readSafetensors(bytes).tensors].map(([name, { data }]) => [name, [...data]]);
  assert.deepEqual(read, [
    ['first', [1, 2, 3]],
    ['none', []],
    ['last', [4, 5, 6, 7, 8]],
  ]);
});

test('safetensors: spaces behind the header, an empty file and an empty tensor are sound', () => {
  assert.equal(readSafetensors(file('{}   ', 0)).tensors.size, 0);
  assert.equal(readSafetensors(file(`{"a":${entry('F32', [0, 9], [0, 0])}}`, 0)).tensors.size, 1);
  const words = '{"__proto__":"x","a":",","b":",","c":","}';
  const { tensors, metadata } = readSafetensors(file(`{"__metadata__":${words}}`, 0));
  assert.deepEqual([tensors.size, JSON.stringify(metadata)], [0, words]);
});

test('safetensors: tensors are views of the file where they are aligned, and right elsewhere', () => {
  const whole = writeSafetensors({ a: { shape: [3], data: Float32Array.of(1, 2, 3) } });
  const tensor = readSafetensors(whole).tensors.get('a');
  assert.equal(tensor?.data.buffer, whole.buffer);
  const moved = new Uint8Array(whole.length + 1);
  moved.set(whole, 1);
  const other = readSafetensors(moved.subarray(1)).tensors.get('a');
  assert.deepEqual([...(other?.toFloat32().values ?? [])], [1, 2, 3]);
});

test('safetensors: what cannot be written says so', () => {
  const data = Float32Array.of(1);
  const cases = /** @type {[any, any, any][]} */ ([
    [{ a: { shape: [2], data } }, {}, ShapeError],
    [{ a: { shape: [1], data, dtype: 'I32' } }, {}, TypeError],
    [{ a: { shape: [1], data, dtype: 'F8' } }, {}, TypeError],
    [{ a: { shape: [-1], data } }, {}, TypeError],
    [{ a: { shape: [1] } }, {}, TypeError],
    [{ a: null }, {}, TypeError],
    [{ __metadata__: { shape: [1], data } }, {}, TypeError],
    [{ a: { shape: [1], data } }, { n: 1 }, TypeError],
    [[], {}, TypeError],
  ]);
  for (const [tensors, metadata, type] of cases) {
    assert.throws(() => writeSafetensors(tensors, metadata), type);
  }
});

test('an archive whose bytes, sizes or names are not what it says is refused', async () => {
  const nn = layers(await init());
  const read = (/** @type {string} */ name) =>
    new Uint8Array(readFileSync(new URL(`../golden/formats/${name}`, import.meta.url)));
  const stored = read('dense.keras');
  const deflated = read('deflated.keras');
  /** @param {Uint8Array} bytes @param {number} signature @param {number} n */
  const find = (bytes, signature, n = 0) => {
    const view = new DataView(bytes.buffer);
    for (let at = 0, seen = 0; at < bytes.length - 4; at++) {
      if (view.getUint32(at, true) === signature && seen++ === n) return at;
    }
    throw new Error('not there');
  };
  const directory = 0x02014b50;
  /** @param {Uint8Array} from @param {(bytes: Uint8Array, view: DataView) => void} change */
  const changed = (from, change) => {
    const bytes = from.slice();
    change(bytes, new DataView(bytes.buffer));
    return bytes;
  };
  /** @type {[RegExp, Uint8Array][]} */
  const cases = [
    [/its end is missing/, stored.slice(0, -30)],
    [/damaged/, changed(stored, (bytes) => void bytes.set([Number(bytes[400]) ^ 1], 400))],
    [/encrypted/, changed(stored, (b, v) => v.setUint16(find(b, directory, 1) + 8, 1, true))],
    [/method 12/, changed(stored, (b, v) => v.setUint16(find(b, directory, 1) + 10, 12, true))],
    [/not where/, changed(stored, (b, v) => v.setUint32(find(b, directory, 1) + 42, 7, true))],
    [/cannot unpack/, changed(stored, (b, v) => v.setUint32(find(b, directory, 1) + 24, 9, true))],
    [
      /cannot unpack/,
      changed(deflated, (b, v) => v.setUint32(find(b, directory, 1) + 24, 2 ** 31, true)),
    ],
    [
      /not deflate data/,
      changed(deflated, (b, v) => v.setUint32(find(b, directory, 1) + 24, 9, true)),
    ],
    [/directory is damaged/, changed(stored, (b, v) => v.setUint32(find(b, directory), 0, true))],
    [
      /"config.json" twice|has config.json and/,
      changed(stored, (b) => b.set(new TextEncoder().encode('comfig'), find(b, directory, 1) + 46)),
    ],
  ];
  for (const [message, bytes] of cases) {
    await assert.rejects(loadModel(nn, bytes, { hdf5 }), (error) => {
      assert.ok(error instanceof FormatError);
      assert.match(error.message, message);
      return true;
    });
  }
});
