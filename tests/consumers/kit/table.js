/* The table: a line a cell, a column an entry. */

/** @typedef {import('./bench.js').Result} Result */

/** @param {string} text */
const cellText = (text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();

/** @param {Result | undefined} result */
function mark(result) {
  if (!result) return '';
  const note = cellText(result.note).slice(0, 120);
  if (result.mark === 'says') return `an error that says “${note}”`;
  return note ? `${result.mark} ${note}` : result.mark;
}

/** @param {Result | undefined} result */
const kilobytes = (result) => (result?.size ? (result.size / 1000).toFixed(1) : '');

/**
 * @param {readonly Result[]} results
 * @returns {string} in Markdown
 */
export function tableOf(results) {
  /** @type {Map<string, Partial<Record<string, Result>>>} */
  const lines = new Map();
  for (const result of results) {
    const name = `${result.consumer} ${result.version}, ${result.cell}`;
    lines.set(name, { ...lines.get(name), [result.entry]: result });
  }
  const head = ['consumer', '`gradlock`', '`gradlock/external`', 'gzip, kB', 'seconds'];
  const rows = [...lines].map(([name, { gradlock, 'gradlock/external': external }]) => [
    cellText(name),
    mark(gradlock),
    mark(external),
    [gradlock, external].map(kilobytes).filter(Boolean).join(' / '),
    [gradlock, external].map((result) => result?.seconds.toFixed(1) ?? '').join(' / '),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
