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

const HEIGHT = 5;
/** The rows of an accent above a letter, with the gap. */
const ACCENT = 2;
/** The most letters; longer names would be unreadable on the smallest grid that shows them. */
const MOST = 24;

/** A letter of a name, with the accent above it. @typedef {{ rows: string[], width: number, accent: string }} Letter */

/** Returns the letters of a name; null if the font lacks one. @param {string} name @returns {Letter[] | null} */
function lettersOf(name) {
  const characters =
    name
      .toUpperCase()
      .normalize('NFD')
      .match(/.\p{M}*/gsu) ?? [];
  if (characters.length > MOST) return null;
  const letters = characters.map(([base, ...marks]) => {
    const rows = GLYPHS[base];
    const width = rows?.[0].length ?? 0;
    const accent = marks[0] === '\u0308' && width > 2 ? '#.#' : '#';
    return rows && { rows, width, accent: marks.length ? accent : '' };
  });
  return letters.every(Boolean) ? /** @type {Letter[]} */ (letters) : null;
}

/** @param {Letter[]} line */
const widthOf = (line) => line.reduce((sum, { width }) => sum + width + 1, -1);

/** @param {Letter[]} line */
const heightOf = (line) => HEIGHT + (line.some(({ accent }) => accent) ? ACCENT : 0);

/** Splits letters into lines of about the same length. @param {Letter[]} letters @param {number} count */
function split(letters, count) {
  const size = Math.ceil(letters.length / count);
  return Array.from({ length: count }, (_, i) => letters.slice(i * size, (i + 1) * size));
}

/** Returns how many cells a dot of the font can be wide, with room for the picture; 0 if the lines do not fit. @param {Letter[][]} lines @param {number} rows @param {number} cols */
function scaleOf(lines, rows, cols) {
  const high = lines.reduce((sum, line) => sum + heightOf(line) + 1, -1);
  const wide = Math.max(...lines.map(widthOf));
  const fits = Math.floor(Math.min(rows / high, cols / wide));
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
    const lines = split(letters, count);
    return { lines, scale: scaleOf(lines, rows, cols) };
  });
  const { lines, scale } = fits.reduce((best, one) => (one.scale > best.scale ? one : best));
  if (scale < 1) return null;
  const high = lines.reduce((sum, line) => sum + heightOf(line) + 1, -1) * scale;
  /** @type {number[]} */
  const cells = [];
  /** Adds a dot of the font. @param {number} top @param {number} left */
  const dot = (top, left) => {
    for (let i = 0; i < scale * scale; i++) {
      cells.push((top + Math.floor(i / scale)) * cols + left + (i % scale));
    }
  };
  /** @param {string} row @param {number} top @param {number} left */
  const draw = (row, top, left) => {
    for (const [i, mark] of [...row].entries()) if (mark === '#') dot(top, left + i * scale);
  };
  let top = Math.floor((rows - high) / 12);
  for (const line of lines) {
    let left = Math.floor((cols - widthOf(line) * scale) / 2);
    const base = top + (heightOf(line) - HEIGHT) * scale;
    for (const { rows: own, width, accent } of line) {
      for (const [i, row] of own.entries()) draw(row, base + i * scale, left);
      const aside = Math.floor((width - accent.length) / 2);
      draw(accent, base - ACCENT * scale, left + aside * scale);
      left += (width + 1) * scale;
    }
    top += (heightOf(line) + 1) * scale;
  }
  return cells.sort((a, b) => a - b);
}
