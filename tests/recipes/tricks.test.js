/* docs/recipes/locking-tricks.md, run as it stands there: what each block says after `→`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

const page = readFileSync(new URL('../../docs/recipes/locking-tricks.md', import.meta.url), 'utf8');
const [head = '', ...parts] = page.split(/^## /m);
/** @param {string} text */
const codeOf = (text) => text.match(/```js\n([\s\S]*?)```/)?.[1] ?? '';
const setup = codeOf(head)
  .replace(/^import .*\n/gm, '')
  .replace('const g = await init();', '');
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

test('there are twelve parts, and each links its runnable file', () => {
  assert.equal(parts.length, 12);
  for (const part of parts)
    assert.match(part, /\]\(\.\.\/\.\.\/tests\/recipes\/[\w-]+\.test\.js\)/);
});

for (const part of parts) {
  const title = part.split('\n')[0];
  test(`what the page says is what comes out: ${title}`, async () => {
    /** @type {string[]} */
    const said = [];
    const code = codeOf(part).replace(/^(.+); \/\/ → (.+)$/gm, (_, expression, value) => {
      said.push(`${expression} → ${value}`);
      return `out.push(${JSON.stringify(`${expression} → `)} + (${expression}));`;
    });
    assert.ok(said.length >= 1);
    /** @type {string[]} */
    const out = [];
    await new AsyncFunction('g', 'layers', 'out', setup + code)(await init(), layers, out);
    assert.deepEqual(out, said);
  });
}
