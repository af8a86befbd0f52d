/**
 * `make fuzz-corpora`: of all inputs that `make fuzz` has found and of those that were kept, the
 * fewest and shortest that reach the same code, by libFuzzer. They are tests/fuzz/corpora.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { corpusOf, pack, unpackInto } from './corpora.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
for (const name of readdirSync(`${root}tests/fuzz/inputs`)) {
  const [least, known] = ['least', 'known'].map((what) => `${root}build/fuzz/${what}/${name}`);
  for (const folder of [least, known]) rmSync(folder, { recursive: true, force: true });
  unpackInto(name, known);
  mkdirSync(least, { recursive: true });
  mkdirSync(`${root}build/fuzz/found/${name}`, { recursive: true });
  execFileSync(
    `${root}build/fuzz/${name}`,
    ['-merge=1', '-timeout=600', '-rss_limit_mb=4096', least, known, `build/fuzz/found/${name}`],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const inputs = readdirSync(least)
    .sort()
    .map((file) => readFileSync(`${least}/${file}`));
  writeFileSync(corpusOf(name), pack(inputs));
  console.log(`  ${name}: ${inputs.length} inputs`);
}
