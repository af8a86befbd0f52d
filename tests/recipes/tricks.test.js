/* Pages of docs/recipes, and why frozen weights move, run as they stand there: what each block
 * says after `→`. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

const folder = new URL('../../docs/recipes/', import.meta.url);
const TRICKS = 'locking-tricks.md';
/** @param {string} name */
const read = (name) => readFileSync(new URL(name, folder), 'utf8');
const [head = '', ...parts] = read(TRICKS).split(/^## /m);
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

/**
 * Run what a page says, without its imports, and compare what comes out.
 * @param {string} code
 * @param {Record<string, unknown>} given By the names that the code has for them.
 */
const check = async (code, given) => {
  /** @type {string[]} */
  const said = [];
  const body = code.replace(/^(.+); \/\/ → (.+)$/gm, (_, expression, value) => {
    said.push(`${expression} → ${value}`);
    return `out.push(${JSON.stringify(`${expression} → `)} + (${expression}));`;
  });
  assert.ok(said.length >= 1);
  /** @type {string[]} */
  const out = [];
  await new AsyncFunction('out', ...Object.keys(given), body)(out, ...Object.values(given));
  assert.deepEqual(out, said);
};

for (const part of parts) {
  const title = part.split('\n')[0];
  test(`what the page says is what comes out: ${title}`, async () => {
    await check(setup + codeOf(part), { g: await init(), layers });
  });
}

const others = readdirSync(folder).filter((name) => !['README.md', TRICKS].includes(name));
for (const name of [...others, '../why-frozen-weights-move.md']) {
  if (!name.endsWith('.md')) continue;
  const page = read(name);
  test(`what the page says is what comes out: ${page.split('\n')[0]}`, async () => {
    const blocks = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code);
    await check(blocks.join('').replace(/^import .*\n/gm, ''), { init, layers });
  });
}
