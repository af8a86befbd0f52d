/**
 * Finds links and their students' names in what a teacher pastes or drops: a list of links, a table
 * as CSV, saved runs. Links contain commas, so a comma does not end a link.
 */

import { fromFile } from './file.js';
import { fromHandIn } from './hand-in.js';
import { plainHash } from './link.js';

/**
 * A link or a saved run, as it was found, and the name beside it.
 * @typedef {{ name: string, link: string, candidate?: Record<string, unknown> }} Entry
 */

/** The limits of a list: its entries, and the characters of each. */
export const MOST_LINKS = 500;
export const LONGEST_LINK = 100_000;

/**
 * The hash of a link, with fields, which may be escaped. Its last character is no punctuation. What
 * may repeat before the first field is bounded, so that no text takes long.
 */
const HASH = /#[^\s"<>;=]{1,40}(?:=|%(?:25)*3D)[^\s"<>;]*[^\s"<>;,.)\]]/gi;
/** The most characters of an address before its hash. */
const LONGEST_ADDRESS = 2000;

/** Returns the address that ends here; '' if there is none. @param {string} line @param {number} end */
function addressBefore(line, end) {
  const before = line.slice(Math.max(0, end - LONGEST_ADDRESS), end);
  const word = before.split(/[\s"<>;,]/).at(-1) ?? '';
  return /^[a-z]{2,9}:\/\//i.test(word) ? word : '';
}

/** Returns the rest of a line without separators and quotes, as a name. @param {string} text */
function nameIn(text) {
  const cells = text.split(/[;,\t"]/).map((cell) => cell.trim());
  const words = cells.filter((cell) => /[\p{L}\p{N}]/u.test(cell));
  return words.slice(0, 3).join(' ').slice(0, 120);
}

/** Returns the links, the number of those beyond the limit, and the lines that have words but no link. @param {string} text */
export function readLinkTable(text) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {string[]} */
  const unread = [];
  let left = 0;
  const plain = text.replace(/^\ufeff/, '').replaceAll('&amp;', '&');
  for (const line of plain.split(/\r\n|\r|\n/)) {
    const hashes = [...line.matchAll(HASH)];
    if (!hashes.length && nameIn(line)) unread.push(line.trim());
    for (const { 0: hash, index } of hashes) {
      if (entries.length === MOST_LINKS) {
        left++;
        continue;
      }
      const address = addressBefore(line, index);
      const rest = `${line.slice(0, index - address.length)}"${line.slice(index + hash.length)}`;
      const beside = hashes.length === 1 ? nameIn(rest) : '';
      entries.push({ name: beside || fromHandIn(hash).name, link: address + plainHash(hash) });
    }
  }
  return { entries, left, unread };
}

/** Reads a saved run. @param {string} file its name @param {string} text @returns {Entry | null} null if it is none */
export function readRun(file, text) {
  const run = /^\s*\{/.test(text) ? fromFile(text) : null;
  return run && { name: file, link: '', candidate: run.candidate };
}
