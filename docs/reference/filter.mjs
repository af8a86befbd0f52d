/* What Doxygen reads of gradlock.h: comments behind members as their documentation, and
 * comparisons in comments as text. Line for line, so that places stay. */
import { readFileSync } from 'node:fs';

let isComment = false;
const lines = readFileSync(process.argv[2], 'utf8').split('\n');
for (const [i, line] of lines.entries()) {
  const starts = line.trimStart().startsWith('/**');
  let text = line.replace(/^(.*\S\s+)\/\* (.*) \*\/$/, '$1/**< $2 */');
  const isBehind = text !== line;
  if (isComment || starts) text = text.replace(/[<>&@\\]/g, '\\$&');
  else if (isBehind) {
    const at = text.indexOf('/**< ') + 5;
    text = text.slice(0, at) + text.slice(at).replace(/[<>&@\\]/g, '\\$&');
  }
  if (starts) isComment = true;
  if (line.trimEnd().endsWith('*/')) isComment = false;
  lines[i] = text;
}
process.stdout.write(lines.join('\n'));
