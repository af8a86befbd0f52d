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
  return markdown(head, rows);
}

/**
 * What a user waits for, a line a consumer: `npm install`, and then the first result.
 * @param {readonly Result[]} results In the order in which they were seen.
 * @returns {string} in Markdown
 */
export function waitsOf(results) {
  const consumers = [...new Set(results.map(({ consumer }) => consumer))];
  const rows = consumers.map((name) => {
    const [first] = results.filter(({ consumer }) => consumer === name);
    const { version, install, cell, seconds } = first;
    const times = [install, seconds, install + seconds].map((time) => time.toFixed(1));
    return [`${name} ${version}`, cellText(cell), ...times];
  });
  return markdown(['consumer', 'its first cell', 'npm install, s', 'it, s', 'both'], rows);
}

/** @param {string[]} head @param {string[][]} rows */
const markdown = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
