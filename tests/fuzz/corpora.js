/** Inputs of a fuzzer in one file, each behind its length in four bytes: corpora/NAME.corpus, which replay.c reads, too. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Fuzzers that are built for f64, too: build/fuzz/double/NAME. The corpus is that of both. */
export const DOUBLE = ['solve'];

/** @param {string} name of the fuzzer */
export const corpusOf = (name) => fileURLToPath(new URL(`corpora/${name}.corpus`, import.meta.url));

/** @param {Uint8Array[]} inputs */
export const pack = (inputs) =>
  Buffer.concat(
    inputs.flatMap((input) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(input.length);
      return [length, input];
    }),
  );

/** @param {Buffer} packed @returns {Buffer[]} */
export function unpack(packed) {
  const inputs = [];
  for (let at = 0, next; at < packed.length; at = next) {
    next = at + 4 + packed.readUInt32LE(at);
    inputs.push(packed.subarray(at + 4, next));
  }
  return inputs;
}

/** As files in a folder, which is what libFuzzer takes. @param {string} name @param {string} folder */
export function unpackInto(name, folder) {
  mkdirSync(folder, { recursive: true });
  for (const [i, input] of unpack(readFileSync(corpusOf(name))).entries()) {
    writeFileSync(`${folder}/${i}`, input);
  }
}
