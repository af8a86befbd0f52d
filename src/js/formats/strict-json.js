// A JSON parser that rejects duplicate keys, which JSON.parse accepts (the last one wins).
import { FormatError } from '../base/errors.js';
import { decodeText } from '../base/text.js';

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * The index of a string's closing quote. It visits each character once or twice: linear time.
 * @param {string} text Valid JSON.
 * @param {number} from The index after the opening quote.
 */
const endOfString = (text, from) => {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    let i = end;
    while (text.charCodeAt(i - 1) === BACKSLASH) i--;
    if ((end - i) % 2 === 0) return end;
  }
};

/** The first duplicate key. No RegExp: V8's overflow on long strings. @param {string} text */
const findDuplicate = (text) => {
  /** The keys of each enclosing object; null for an array. @type {(Set<string> | null)[]} */
  const enclosing = [];
  let isKey = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = endOfString(text, i + 1);
      const keys = isKey ? enclosing.at(-1) : null;
      if (keys) {
        const raw = text.slice(i + 1, end);
        const key = raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      isKey = false;
      i = end;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      enclosing.push(code === OPEN_OBJECT ? new Set() : null);
      isKey = code === OPEN_OBJECT;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      enclosing.pop();
      isKey = false;
    } else if (code === COMMA) isKey = Boolean(enclosing.at(-1));
  }
  return undefined;
};

/** @param {string | Uint8Array} source Text, or its UTF-8 bytes. @param {string} what */
export const parseJSON = (source, what) => {
  let value;
  let text = '';
  try {
    text = typeof source === 'string' ? source : decodeText(unshared(source), true);
    value = JSON.parse(text);
  } catch (error) {
    const problem = text ? 'not JSON' : 'not UTF-8';
    throw new FormatError(`${what} is ${problem}`, undefined, { cause: error });
  }
  const key = findDuplicate(text);
  if (key === undefined) return value;
  throw new FormatError(`${what} has the key ${JSON.stringify(key.slice(0, 80))} twice`);
};

/** Copies shared memory, which decodeText does not take. @param {Uint8Array} bytes */
const unshared = (bytes) => (bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes));
