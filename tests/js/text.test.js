/* UTF-8 where the platform has it, and where it has not, as in Jest's jsdom. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText, encodeText } from '../../src/js/base/text.js';
import { random } from './support.js';

const bare = { TextEncoder: undefined, TextDecoder: undefined };
const { TextEncoder, TextDecoder } = globalThis;

/** @template T @param {() => T} body @returns {T} */
const withoutCodecs = (body) => {
  Object.assign(globalThis, bare);
  try {
    return body();
  } finally {
    Object.assign(globalThis, { TextEncoder, TextDecoder });
  }
};

test('texts are the same bytes without TextEncoder, and the same texts without TextDecoder', () => {
  const draw = random(7);
  const texts = ['', 'a', 'ä', '€', '😀', '\ufeffa', '\0', '\ud800', 'a\udfffb', '\udc00\ud800'];
  for (let i = 0; i < 300; i++) {
    const length = Math.floor(draw() * 12);
    const most = draw() < 0.5 ? 0x10000 : 0x800;
    texts.push(
      String.fromCharCode(...Array.from({ length }, () => Math.floor(draw() * most))) +
        String.fromCodePoint(0x10000 + Math.floor(draw() * 0x1000)),
    );
  }
  for (const text of texts) {
    const bytes = encodeText(text);
    assert.deepEqual(
      withoutCodecs(() => encodeText(text)),
      bytes,
      JSON.stringify(text),
    );
    assert.equal(
      withoutCodecs(() => decodeText(bytes)),
      decodeText(bytes),
      JSON.stringify(text),
    );
  }
});

test('bytes that are no UTF-8 are refused where that is asked for, and read in some way elsewhere', () => {
  for (const list of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]]) {
    const bytes = Uint8Array.from(list);
    for (const run of [withoutCodecs, (/** @type {() => unknown} */ body) => body()]) {
      assert.throws(() => run(() => decodeText(bytes, true)));
      assert.equal(typeof run(() => decodeText(bytes)), 'string');
    }
  }
});
