/**
 * `make fuzz-corpora`: of all inputs that `make fuzz` has found and of those that were kept, the
 * fewest and shortest that reach the same code, by libFuzzer. They are tests/fuzz/corpora. To those
 * of f32 come those that reach more in f64. ONLY='regexp' picks fuzzers.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { corpusOf, DOUBLE, pack, unpackInto } from './corpora.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const names = readdirSync(`${root}tests/fuzz/inputs`);
for (const name of names.filter((name) => RegExp(process.env.ONLY ?? '').test(name))) {
  const [least, known] = ['least', 'known'].map((what) => `${root}build/fuzz/${what}/${name}`);
  for (const folder of [least, known]) rmSync(folder, { recursive: true, force: true });
  unpackInto(name, known);
  mkdirSync(least, { recursive: true });
  mkdirSync(`${root}build/fuzz/found/${name}`, { recursive: true });
  for (const program of [name, ...(DOUBLE.includes(name) ? [`double/${name}`] : [])]) {
    execFileSync(
      `${root}build/fuzz/${program}`,
      ['-merge=1', '-timeout=600', '-rss_limit_mb=4096', least, known, `build/fuzz/found/${name}`],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
  }
  const inputs = readdirSync(least)
    .sort()
    .map((file) => readFileSync(`${least}/${file}`));
  writeFileSync(corpusOf(name), pack(inputs));
  console.log(`  ${name}: ${inputs.length} inputs`);
}
