/**
 * Writes animated GIFs of 256 colours, frame by frame. Source: GIF89a, W3C, and its variant of LZW.
 * A frame's pixels are given as indices of colours, so colours stay exact.
 */

const CLEAR = 256;
const END = 257;
const MOST_CODES = 4096;

/** @param {number} value */
const word = (value) => [value & 255, value >> 8];

/** @param {string} text */
const lettersOf = (text) => new TextEncoder().encode(text);

/**
 * Compresses pixels to codes of 9 to 12 bits.
 * @param {Uint8Array} pixels
 * @param {Uint16Array} codes  the code of a known sequence and a pixel after it, by both; 0: none yet
 * @returns {number[]} bytes
 */
function compress(pixels, codes) {
  /** @type {number[]} */
  const bytes = [];
  let [bits, count] = [0, 0];
  let [size, next] = [9, END + 1];
  const write = (/** @type {number} */ code) => {
    bits |= code << count;
    for (count += size; count >= 8; count -= 8) {
      bytes.push(bits & 255);
      bits >>>= 8;
    }
  };
  codes.fill(0);
  write(CLEAR);
  let known = pixels[0];
  for (const pixel of pixels.subarray(1)) {
    const key = (known << 8) | pixel;
    if (codes[key]) {
      known = codes[key];
      continue;
    }
    write(known);
    if (next === MOST_CODES) {
      write(CLEAR);
      codes.fill(0);
      [size, next] = [9, END + 1];
    } else {
      // A reader learns each code one step later, and widens its codes then.
      if (next === 1 << size) size++;
      codes[key] = next++;
    }
    known = pixel;
  }
  write(known);
  if (next === 1 << size && size < 12) size++;
  write(END);
  if (count) bytes.push(bits & 255);
  return bytes;
}

/** Splits bytes into blocks of at most 255, each after its length. @param {number[]} bytes */
function blocksOf(bytes) {
  const blocks = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}

export class Gif {
  #size;
  #codes = new Uint16Array(MOST_CODES << 8);
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #parts = [];

  /** @param {number} width in pixels @param {number} height @param {readonly number[][]} colours 256 of red, green, blue from 0 to 255 */
  constructor(width, height, colours) {
    this.#size = [...word(width), ...word(height)];
    this.#write([...lettersOf('GIF89a'), ...this.#size, 0xf7, 0, 0, ...colours.flat()]);
    // It repeats without end.
    this.#write([0x21, 0xff, 11, ...lettersOf('NETSCAPE2.0'), 3, 1, 0, 0, 0]);
  }

  /** @param {number[]} bytes */
  #write(bytes) {
    this.#parts.push(Uint8Array.from(bytes));
  }

  /** Adds a frame. @param {Uint8Array} pixels indices of colours, row by row @param {number} time that it is shown, in ms */
  add(pixels, time) {
    this.#write([0x21, 0xf9, 4, 4, ...word(Math.round(time / 10)), 0, 0]);
    this.#write([0x2c, 0, 0, 0, 0, ...this.#size, 0, 8]);
    this.#write(blocksOf(compress(pixels, this.#codes)));
  }

  /** Ends the file. @returns {Uint8Array<ArrayBuffer>[]} its bytes, in parts */
  end() {
    this.#write([0x3b]);
    return this.#parts;
  }
}
