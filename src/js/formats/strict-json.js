// JSON that says one thing only: no key twice, whatever a parser would have made of it.
import { FormatError } from '../base/errors.js';
import { decodeText } from '../base/text.js';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The first key that an object of valid JSON has twice.
 * @param {string} text
 */
const findTwice = (text) => {
  /** Keys of the objects that are open; null for arrays. @type {(Set<string> | null)[]} */
  const open = [];
  let isKey = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : null);
      isKey = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      isKey = false;
    } else if (token === ',') isKey = Boolean(open.at(-1));
    else if (isKey && token !== ':') {
      const keys = open.at(-1);
      const key = token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
      if (keys?.has(key)) return key;
      keys?.add(key);
      isKey = false;
    }
  }
  return undefined;
};

/**
 * @param {string | Uint8Array} source Text, or its UTF-8.
 * @param {string} what How messages call it.
 * @returns {any}
 */
export const parseJSON = (source, what) => {
  let value;
  let text = '';
  try {
    text = typeof source === 'string' ? source : decodeText(unshared(source), true);
    value = JSON.parse(text);
  } catch (error) {
    const problem = text ? 'no JSON' : 'no UTF-8';
    throw new FormatError(`${what} is ${problem}`, undefined, { cause: error });
  }
  const key = findTwice(text);
  if (key === undefined) return value;
  throw new FormatError(`${what} has the key ${JSON.stringify(key.slice(0, 80))} twice`);
};

/**
 * Bytes that decodeText takes.
 * @param {Uint8Array} bytes
 */
const unshared = (bytes) => (bytes.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes));
