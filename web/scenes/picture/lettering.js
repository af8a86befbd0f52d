/** A small bitmap font: the cells of a grid that show a name. Letters are five cells high. */

/** The letters of each block, and its five rows; # is a cell of the letter. */
const SHEET = [
  '0123456789ABCDEFGHIJKLM',
  '### .# ##. ##. #.# ### .## ### ### ### ### ##. .## ##. ### ### .## #.# # ..# #.# #.. #...#',
  '#.# ## ..# ..# #.# #.. #.. ..# #.# #.# #.# #.# #.. #.# #.. #.. #.. #.# # ..# #.# #.. ##.##',
  '#.# .# .#. .#. ### ##. ### .#. ### ### ### ##. #.. #.# ##. ##. #.# ### # ..# ##. #.. #.#.#',
  '#.# .# #.. ..# ..# ..# #.# .#. #.# ..# #.# #.# #.. #.# #.. #.. #.# #.# # #.# #.# #.. #...#',
  '### .# ### ##. ..# ##. ### .#. ### ##. #.# ##. .## ##. ### #.. .## #.# # .#. #.# ### #...#',
  "NOPQRSTUVWXYZ -.'’!?",
  '#..# ### ##. ### ##. .## ### #.# #.# #...# #.# #.# ### .. ... . # # # ##.',
  '##.# #.# #.# #.# #.# #.. .#. #.# #.# #...# #.# #.# ..# .. ... . # # # ..#',
  '#.## #.# ##. #.# ##. .#. .#. #.# #.# #.#.# .#. .#. .#. .. ### . . . # .#.',
  '#..# #.# #.. ### #.# ..# .#. #.# #.# ##.## #.# .#. #.. .. ... . . . . ...',
  '#..# ### #.. ..# #.# ##. .#. ### .#. #...# #.# .#. ### .. ... # . . # .#.',
];

/** The rows of each letter, from the top. @type {Record<string, string[]>} */
const GLYPHS = {};
for (let at = 0; at < SHEET.length; at += 6) {
  const rows = SHEET.slice(at + 1, at + 6).map((row) => row.split(' '));
  for (const [i, letter] of [...SHEET[at]].entries()) GLYPHS[letter] = rows.map((row) => row[i]);
}

/** The most letters; longer names would be unreadable on the smallest grid that shows them. */
const MOST = 24;

/** The rows of a letter; an accent has two more above, one of them the gap. @typedef {string[]} Letter */

/** Returns the letters of a name; null if the font lacks one. @param {string} name @returns {Letter[] | null} */
function lettersOf(name) {
  const plain = name.toUpperCase().normalize('NFD');
  const characters = plain.match(/.\p{M}*/gsu) ?? [];
  if (characters.length > MOST) return null;
  const letters = characters.map(([base, ...marks]) => {
    const rows = GLYPHS[base];
    if (!rows || !marks.length) return rows;
    const [{ length }] = rows;
    const accent = marks[0] === '\u0308' && length > 2 ? '#.#' : '#';
    return [accent.padStart(Math.floor((length + accent.length) / 2)), '', ...rows];
  });
  return letters.every(Boolean) ? letters : null;
}

/** @param {Letter} letter */
const widthOf = (letter) => letter[letter.length - 1].length;

/** @param {Letter[]} line */
const lengthOf = (line) => line.reduce((sum, letter) => sum + widthOf(letter) + 1, -1);

/** @param {Letter[]} line */
const heightOf = (line) => Math.max(...line.map((letter) => letter.length));

/** @param {Letter[][]} lines */
const highOf = (lines) => lines.reduce((sum, line) => sum + heightOf(line) + 1, -1);

/** Returns how many cells a dot of the font can be wide, with room for the picture; 0 if the lines do not fit. @param {Letter[][]} lines @param {number} rows @param {number} cols */
function scaleOf(lines, rows, cols) {
  const wide = Math.max(...lines.map(lengthOf));
  const fits = Math.floor(Math.min(rows / highOf(lines), cols / wide));
  return lines.every((line) => line.length) ? Math.min(fits, Math.ceil(rows / 16)) : 0;
}

/**
 * Returns the cells of a name on a grid, ascending: large, on few lines, near the upper edge.
 * @param {string} name
 * @param {number} rows
 * @param {number} cols
 * @returns {number[] | null} null if it is empty, does not fit, or has a letter that the font lacks
 */
export function cellsOfName(name, rows, cols) {
  const letters = lettersOf(name.trim());
  if (!letters?.length) return null;
  const fits = [1, 2, 3, 4].map((count) => {
    // Lines of about the same length.
    const size = Math.ceil(letters.length / count);
    const lines = Array.from({ length: count }, (_, i) => letters.slice(i * size, (i + 1) * size));
    return { lines, scale: scaleOf(lines, rows, cols) };
  });
  const { lines, scale } = fits.reduce((best, one) => (one.scale > best.scale ? one : best));
  if (scale < 1) return null;
  /** @type {number[]} */
  const cells = [];
  /** Adds a dot of the font. @param {number} top @param {number} left */
  const dot = (top, left) => {
    for (let i = 0; i < scale * scale; i++) {
      cells.push((top + Math.floor(i / scale)) * cols + left + (i % scale));
    }
  };
  let top = Math.floor((rows - highOf(lines) * scale) / 12);
  for (const line of lines) {
    let left = Math.floor((cols - lengthOf(line) * scale) / 2);
    for (const letter of line) {
      const first = heightOf(line) - letter.length;
      for (const [i, row] of letter.entries()) {
        for (const [j, mark] of [...row].entries()) {
          if (mark === '#') dot(top + (first + i) * scale, left + j * scale);
        }
      }
      left += (widthOf(letter) + 1) * scale;
    }
    top += (heightOf(line) + 1) * scale;
  }
  return cells.sort((a, b) => a - b);
}
