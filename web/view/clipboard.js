/** Copies text, in every browser. */

/**
 * Safari allows it only during the click, so it gets a promise: the text may come later.
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} true if it was copied
 */
export async function copy(text) {
  const blob = text.then((whole) => new Blob([whole], { type: 'text/plain' }));
  // The caller reports that there is nothing to copy.
  blob.catch(() => {});
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    // Older versions take no promise.
    const copying = text.then((whole) => navigator.clipboard.writeText(whole));
    return copying.then(() => true).catch(() => false);
  }
}
