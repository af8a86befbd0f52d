// Object headers of HDF5, read for one question: does a dataset keep its values in other files?
// h5wasm cannot detect external storage, and opens the sources of a virtual dataset to find its
// shape. Headers that cannot be read are refused.
// Source: HDF5 File Format Specification 3.0, IV.A, "Data Object Headers".
import { FormatError } from '../base/errors.js';

/** Message types. */
const [LAYOUT, EXTERNAL_FILES, CONTINUATION] = [8, 7, 16];
/** Class of a data layout message. */
const VIRTUAL = 3;
/** Blocks that one header may consist of. */
const MOST_BLOCKS = 1000;

/** Reads little-endian numbers, and refuses to leave the file. */
class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @param {number} at @param {number} size In bytes. */
  number(at, size) {
    let value = 0;
    for (let i = size - 1; i >= 0; i--) value = value * 256 + this.view.getUint8(at + i);
    return value;
  }

  /** @param {number} at */
  signature(at) {
    return String.fromCharCode(...[0, 1, 2, 3].map((i) => this.view.getUint8(at + i)));
  }
}

/** How many bytes offsets and lengths have, by the superblock. @param {Reader} reader */
const readWidths = (reader) => {
  const at = reader.number(8, 1) < 2 ? 13 : 9;
  return { offset: reader.number(at, 1), length: reader.number(at + 1, 1) };
};

/** A header's first block, and its messages' layout. @param {Reader} reader @param {number} at */
const readStart = (reader, at) => {
  if (reader.number(at, 1) === 1) {
    return { from: at + 16, to: at + 16 + reader.number(at + 8, 4), isOld: true, hasOrder: false };
  }
  if (reader.signature(at) !== 'OHDR' || reader.number(at + 4, 1) !== 2) {
    throw new RangeError('no object header');
  }
  const flags = reader.number(at + 5, 1);
  const size = at + 6 + (flags & 32 ? 16 : 0) + (flags & 16 ? 4 : 0);
  const width = 1 << (flags & 3);
  const from = size + width;
  return { from, to: from + reader.number(size, width), isOld: false, hasOrder: (flags & 4) !== 0 };
};

/**
 * The messages of an object header, with those of its continuations.
 * @param {Reader} reader
 * @param {number} address
 * @returns {{ type: number, isShared: boolean, at: number }[]} `at`: where their data begins.
 */
const readMessages = (reader, address) => {
  const { offset, length } = readWidths(reader);
  const { from, to, isOld, hasOrder } = readStart(reader, address);
  const prefix = isOld ? 8 : hasOrder ? 6 : 4;
  const blocks = [{ from, to }];
  const found = [];
  for (const block of blocks) {
    if (blocks.length > MOST_BLOCKS) throw new RangeError('too many blocks');
    for (let at = block.from; at + prefix <= block.to; ) {
      const type = reader.number(at, isOld ? 2 : 1);
      const size = reader.number(at + (isOld ? 2 : 1), 2);
      const flags = reader.number(at + (isOld ? 4 : 3), 1);
      const data = at + prefix;
      found.push({ type, isShared: (flags & 2) !== 0, at: data });
      if (type === CONTINUATION) {
        const start = reader.number(data, offset);
        const end = start + reader.number(data + offset, length);
        if (!isOld && reader.signature(start) !== 'OCHK') throw new RangeError('no continuation');
        blocks.push(isOld ? { from: start, to: end } : { from: start + 4, to: end - 4 });
      }
      at = data + size;
    }
  }
  return found;
};

/**
 * Refuse a dataset whose values are in other files, or come from other datasets.
 * @param {Uint8Array} bytes The file.
 * @param {number} address Address of the dataset's header.
 * @param {string} path How messages call it.
 */
export const refuseForeignValues = (bytes, address, path) => {
  /** @param {string} why */
  const refuse = (why) => {
    throw new FormatError(`HDF5: ${path} ${why}`);
  };
  let messages;
  try {
    const reader = new Reader(bytes);
    messages = readMessages(reader, address).map((message) => {
      if (message.type !== LAYOUT) return { ...message, layout: 0 };
      const isOld = reader.number(message.at, 1) < 3;
      return { ...message, layout: reader.number(message.at + (isOld ? 2 : 1), 1) };
    });
  } catch (error) {
    throw new FormatError(`HDF5: the header of ${path} is damaged`, undefined, { cause: error });
  }
  if (messages.some(({ type }) => type === EXTERNAL_FILES)) {
    refuse('keeps its values in another file: write them into this one');
  }
  const layouts = messages.filter(({ type }) => type === LAYOUT);
  if (layouts.some(({ layout }) => layout === VIRTUAL)) {
    refuse('is a virtual dataset, made of others: write its values into the file');
  }
  if (layouts.length !== 1 || layouts.some(({ isShared, layout }) => isShared || layout > 2)) {
    refuse('has an unknown layout');
  }
};
