// Helpers for tables and pictures of models.

/** The colour of locked elements. */
export const LOCKED = 'var(--gradlock-locked,#e08214)';

/** @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** @param {number} count */
export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/**
 * @param {readonly string[][]} rows The rows; the first has the titles.
 * @param {readonly boolean[]} isNumber For each column, true if it has numbers.
 */
export const drawTable = (rows, isNumber) => {
  const widths = isNumber.map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  /** @param {string} left @param {string} middle @param {string} right */
  const line = (left, middle, right) =>
    left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right;
  const text = rows.map((row) => {
    const cells = row.map((cell, i) =>
      isNumber[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i]),
    );
    return `│ ${cells.join(' │ ')} │`;
  });
  const [head, ...body] = text;
  return [line('┌', '┬', '┐'), head, line('├', '┼', '┤'), ...body, line('└', '┴', '┘')].join('\n');
};
