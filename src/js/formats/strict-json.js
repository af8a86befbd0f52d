// JSON that says one thing only: no key twice, whatever a parser would have made of it.
import { FormatError } from '../base/errors.js';
import { decodeText } from '../base/text.js';

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [91, 93, 123, 125];

/**
 * Where a string ends. Backslashes before a quote are counted once each, so this is linear.
 * @param {string} text Valid JSON.
 * @param {number} from Behind the quote that begins it.
 */
const endOfString = (text, from) => {
  for (let end = text.indexOf('"', from); ; end = text.indexOf('"', end + 1)) {
    let at = end;
    while (text.charCodeAt(at - 1) === BACKSLASH) at--;
    if ((end - at) % 2 === 0) return end;
  }
};

/** The first duplicate key. No RegExp: V8's overflow in long strings. @param {string} text */
const findTwice = (text) => {
  /** Keys of the objects that are open; null for arrays. @type {(Set<string> | null)[]} */
  const open = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      const keys = isKey ? open.at(-1) : null;
      if (keys) {
        const raw = text.slice(at + 1, end);
        const key = raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      isKey = false;
      at = end;
    } else if (code === OPEN || code === OPEN_LIST) {
      open.push(code === OPEN ? new Set() : null);
      isKey = code === OPEN;
    } else if (code === CLOSE || code === CLOSE_LIST) {
      open.pop();
      isKey = false;
    } else if (code === COMMA) isKey = Boolean(open.at(-1));
  }
  return undefined;
};

/** @param {string | Uint8Array} source Text, or its UTF-8. @param {string} what */
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
  const key = findTwice(text);
  if (key === undefined) return value;
  throw new FormatError(`${what} has the key ${JSON.stringify(key.slice(0, 80))} twice`);
};

/** Bytes that decodeText takes. @param {Uint8Array} bytes */
const unshared = (bytes) => (bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes));
