/* Keeps what the commands of docs/reliability.md found: each command writes its own section. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';

const page = new URL('../../docs/reliability.md', import.meta.url);

/** @param {string[]} args */
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Machine, date and commit, in one line. */
const where = () => {
  const [{ model }] = os.cpus();
  const isClean = git('status', '--porcelain', 'src') === '';
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${isClean ? '' : ' with changes in src'}`;
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, commit ${commit}, ${os.cpus().length} × ${model.trim()}, Node.js ${process.versions.node}`;
};

/**
 * Prints a result and writes it into its section of docs/reliability.md.
 * @param {string} command Such as `make digests`.
 * @param {string} text Markdown, within 100 columns where it is not a table.
 */
export const record = (command, text) => {
  console.log(text);
  const [begin, end] = [`<!-- ${command} -->\n`, '<!-- end -->'];
  const all = readFileSync(page, 'utf8');
  const from = all.indexOf(begin);
  if (from < 0) throw new Error(`docs/reliability.md has no section of ${command}`);
  const to = all.indexOf(end, from);
  const said = `${text.trim()}\n\n${where()}\n`;
  writeFileSync(page, `${all.slice(0, from)}${begin}\n${said}\n${all.slice(to)}`);
};

/**
 * A table in Markdown.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
