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

/** Where the section of a command begins and ends in the text of the page. @param {string} command */
const find = (command) => {
  const begin = `<!-- ${command} -->\n`;
  const text = readFileSync(page, 'utf8');
  const from = text.indexOf(begin) + begin.length;
  if (from < begin.length) throw new Error(`docs/reliability.md has no section of ${command}`);
  return { text, from, to: text.indexOf('<!-- end -->', from) };
};

/** Returns what a command wrote the last time. @param {string} command */
export const readSection = (command) => {
  const { text, from, to } = find(command);
  return text.slice(from, to);
};

/**
 * Prints a result and writes it into its section of docs/reliability.md.
 * @param {string} command Such as `make digests`.
 * @param {string} result Markdown, within 100 columns where it is not a table.
 */
export const record = (command, result) => {
  console.log(result);
  const { text, from, to } = find(command);
  writeFileSync(
    page,
    `${text.slice(0, from)}\n${result.trim()}\n\n${where()}\n\n${text.slice(to)}`,
  );
};

/**
 * A table in Markdown.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
