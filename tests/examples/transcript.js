/** What a text says is to be run, and what that prints. */

/** @typedef {{ commands: string[], output: string }} Transcript */

/**
 * The lines that begin with `$ ` and those right below them, up to an empty line or one that is indented less, as in
 * an example's first comment or a block of Markdown.
 * @param {string} text
 * @returns {Transcript}
 */
export function transcriptOf(text) {
  /** @type {string[]} */
  const commands = [];
  let output = '';
  let margin = Number.POSITIVE_INFINITY;
  for (const line of text.split('\n')) {
    const bare = line.replace(/^ \*/, '  ').replace(/\s*\*\/$/, '');
    const indent = bare.search(/\S/);
    if (bare.startsWith('$ ', indent)) {
      commands.push(bare.slice(indent + 2));
      margin = indent;
    } else if (indent < margin || bare.startsWith('```')) {
      margin = Number.POSITIVE_INFINITY;
    } else {
      output += `${bare.slice(margin)}\n`;
    }
  }
  return { commands, output };
}

/** The first comment of C, JavaScript or HTML, or Python's first string. @param {string} text */
export const firstComment = (text) =>
  text.match(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|"""[\s\S]*?"""/)?.[0] ?? '';
