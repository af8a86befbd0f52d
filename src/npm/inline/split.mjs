/* Sorts the bytes of a WebAssembly module's code into streams, which deflate to 13 % less than the
 * module does; join.c puts them together again. It runs at build time only, and knows the
 * instructions that join.c knows.
 *
 * Source: the binary format, https://webassembly.github.io/spec/core/binary/instructions.html. */

// In the order of join.c.
const STREAMS = ['head', 'tail', 'types', 'bytes', 'offsets', 'integers', 'locals', 'opcodes'];

const CODE_SECTION = 10;

/** A reader at a position in the module, and the streams that get its bytes. */
class Reader {
  at = 8;
  /** @type {Record<string, number[]>} */
  streams = Object.fromEntries(STREAMS.map((name) => [name, []]));

  /** @param {Uint8Array} wasm */
  constructor(wasm) {
    this.wasm = wasm;
  }

  /** @param {string} stream @param {number} count */
  copy(stream, count) {
    this.streams[stream]?.push(...this.wasm.subarray(this.at, this.at + count));
    this.at += count;
  }

  /** A number in LEB128; without a stream it is only read. @param {string} [stream] */
  number(stream) {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.wasm[this.at] ?? 0;
      if (stream) this.copy(stream, 1);
      else this.at++;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  }

  /** @param {string} stream @param {number} count */
  numbers(stream, count) {
    for (let i = 0; i < count; i++) this.number(stream);
  }
}

/** @param {number} x @param {number} low @param {number} high */
const isBetween = (x, low, high) => x >= low && x <= high;

/** @param {Reader} r */
const instruction = (r) => {
  let op = r.wasm[r.at] ?? 0;
  r.copy('opcodes', 1);
  if (isBetween(op, 0x20, 0x22)) return r.number('locals');
  if (isBetween(op, 0x41, 0x42)) return r.number('integers');
  if (isBetween(op, 0x43, 0x44)) return r.copy('bytes', op === 0x43 ? 4 : 8);
  let isMemory = isBetween(op, 0x28, 0x3e);
  let plain = 0;
  if (isBetween(op, 0x02, 0x04) || isBetween(op, 0x0c, 0x0d) || op === 0x10) plain = 1;
  else if (isBetween(op, 0x23, 0x24) || isBetween(op, 0x3f, 0x40)) plain = 1;
  else if (op === 0x11) plain = 2;
  else if (op === 0x0e) plain = r.number('opcodes') + 1;
  else if (op === 0xfc) {
    op = r.number('opcodes');
    if (isBetween(op, 8, 11)) plain = op & 1 ? 1 : 2;
  } else if (op === 0xfd) {
    op = r.number('opcodes');
    isMemory = op <= 11 || isBetween(op, 84, 93);
    if (isBetween(op, 12, 13)) r.copy('bytes', 16);
    plain = Number(isBetween(op, 21, 34) || isBetween(op, 84, 91));
  } else if (op === 0xfe) {
    isMemory = r.number('opcodes') !== 3;
    plain = Number(!isMemory);
  }
  if (isMemory) {
    r.number('opcodes');
    r.number('offsets');
  }
  return r.numbers('opcodes', plain);
};

/**
 * @param {Uint8Array} wasm
 * @returns {Uint8Array} The input of glk_join.
 */
export const split = (wasm) => {
  const r = new Reader(wasm);
  while (wasm[r.at] !== CODE_SECTION) {
    r.at++;
    const size = r.number();
    r.at += size;
  }
  r.at++;
  r.number();
  const count = r.number();
  const code = r.at;
  r.at = 0;
  r.copy('head', code);
  for (let i = 0; i < count; i++) {
    const size = r.number();
    const end = r.at + size;
    for (let groups = r.number('types'); groups > 0; groups--) {
      r.number('types');
      r.copy('types', 1);
    }
    while (r.at < end) instruction(r);
  }
  r.copy('tail', wasm.length - r.at);
  const streams = Object.values(r.streams);
  const header = Uint32Array.of(count, ...streams.map((stream) => stream.length));
  return Uint8Array.from([...new Uint8Array(header.buffer), ...streams.flat()]);
};
