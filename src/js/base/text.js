// Text as UTF-8 and back. Jest's jsdom has neither TextEncoder nor TextDecoder; there, functions of
// the language do what they do, slowly.

/** A text whose characters are bytes, as bytes. @param {string} binary */
export const bytesOf = (binary) => Uint8Array.from(binary, (character) => character.charCodeAt(0));

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>} In UTF-8; halves of surrogate pairs become U+FFFD.
 */
export const encodeText = (text) =>
  typeof TextEncoder === 'function'
    ? new TextEncoder().encode(text)
    : bytesOf(unescape(encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))));

/** By whether damaged text is an error. @type {TextDecoder[]} */
const decoders = [];

/**
 * @param {Uint8Array} bytes Not of shared memory.
 * @param {boolean} [fatal] True to throw if the bytes are not UTF-8.
 */
export const decodeText = (bytes, fatal = false) => {
  if (typeof TextDecoder === 'function') {
    decoders[+fatal] ??= new TextDecoder('utf-8', { fatal, ignoreBOM: true });
    return /** @type {TextDecoder} */ (decoders[+fatal]).decode(bytes);
  }
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  try {
    return decodeURIComponent(escape(binary));
  } catch (error) {
    if (fatal) throw error;
    return binary;
  }
};
