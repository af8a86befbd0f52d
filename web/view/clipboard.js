/** Copying, in every browser. */

/**
 * Safari allows it only at the very click, so what is copied is promised: the text may come later.
 * @param {Promise<string>} text
 * @returns {Promise<boolean>} whether it was
 */
export async function copy(text) {
  const blob = text.then((whole) => new Blob([whole], { type: 'text/plain' }));
  // That there is nothing to copy is the caller's to tell.
  blob.catch(() => {});
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    // Older ones take no promise.
    return text
      .then((whole) => navigator.clipboard.writeText(whole))
      .then(
        () => true,
        () => false,
      );
  }
}
