/* What a consumer was seen to do, beside what the table says that it does. */

/**
 * `'works'`; or the words of the warnings with which it works; or those of the error that a user is
 * told.
 * @typedef {'works' | { warns: RegExp } | RegExp} Expected
 */

/**
 * @typedef {object} Seen
 * @property {string[]} printed What the program printed, each time that it ran: lines that begin
 *   with `gradlock:`, or errors.
 * @property {string[]} complaints Warnings of tools, errors on consoles.
 */

/**
 * @typedef {object} Verdict
 * @property {'✓' | '(w)' | '✗' | 'says'} mark ✓: the right bits and no complaint. (w): the right
 *   bits. says: an error with the words that the table has. ✗: anything else.
 * @property {boolean} isExpected
 * @property {string} note Why it is no ✓.
 */

/**
 * @param {Expected} expected
 * @param {Seen} seen
 * @param {string} bits The line that the program prints everywhere.
 * @returns {Verdict}
 */
export function judge(expected, { printed, complaints }, bits) {
  const isRight = printed.length > 0 && printed.every((line) => line === bits);
  if (isRight) {
    const words = typeof expected === 'object' && 'warns' in expected ? expected.warns : undefined;
    if (complaints.length > 0) {
      const surprise = complaints.find((line) => !words?.test(line));
      return { mark: '(w)', isExpected: !surprise, note: surprise ?? complaints[0] };
    }
    const isExpected = expected === 'works';
    const note = isExpected ? '' : `the table expects ${words ?? expected}`;
    return { mark: '✓', isExpected, note };
  }
  const wrong = printed.filter((line) => line !== bits);
  const note = wrong.join('\n') || 'it printed nothing';
  // Every host tells the user, not only one of them.
  if (expected instanceof RegExp && wrong.length === printed.length && printed.length > 0) {
    if (wrong.every((line) => expected.test(line))) {
      const [found = ''] = expected.exec(wrong[0]) ?? [];
      return { mark: 'says', isExpected: true, note: found };
    }
  }
  return { mark: '✗', isExpected: false, note: isOtherBits(wrong) ? `other bits: ${note}` : note };
}

/** @param {string[]} lines */
const isOtherBits = (lines) => lines.some((line) => line.startsWith('gradlock:'));

/** What the program prints. */
const LINE = /gradlock:(?: [0-9a-f]{8})+/g;

/** The lines of the program in what a tool or a page shows. @param {string} text */
export const linesOf = (text) => text.match(LINE) ?? [];
