/* Tier: test. */
/* What docs/fit.md shows, run as it stands there: its report, and what each block says after `→`;
 * and the examples of gradlock/fit in its types. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import * as fit from 'gradlock/fit';
import { readExamples, runExample } from './doc-examples.js';

const page = readFileSync(fileURLToPath(new URL('../../docs/fit.md', import.meta.url)), 'utf8');
const blocks = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => String(code));
const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);

test('docs/fit.md prints its report, and gives what its lines say', async () => {
  /** @type {string[]} */
  const expected = [];
  const code = blocks
    .join('')
    .replace(/^import .*\n/gm, '')
    .replace(/^(.+); \/\/ → (.+)$/gm, (_, expression, value) => {
      expected.push(`${expression} → ${value}`);
      return `out.push(${JSON.stringify(`${expression} → `)} + (${expression}));`;
    });
  assert.ok(expected.length >= 12);
  /** @type {string[]} */
  const out = [];
  /** @type {string[]} */
  const printed = [];
  const console = { log: (/** @type {string} */ text) => printed.push(text) };
  const given = { init, fitting: fit.fitting, out, console };
  await new AsyncFunction(...Object.keys(given), code)(...Object.values(given));
  assert.deepEqual(out, expected);
  const [, report = ''] = page.match(/```text\n([\s\S]*?)\n```/) ?? [];
  assert.deepEqual(printed, [report]);
});

test('examples of gradlock/fit print what their comments show', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const examples = await readExamples(root, (file) => file.startsWith('fit'));
  const methods = new Set(examples.map(({ method }) => method.split('.')[0]));
  assert.deepEqual([...methods].sort(), ['Fit', 'Parameters', 'fits']);
  for (const example of examples) {
    const g = await init();
    for (const { code, shown, got } of await runExample(example, g, {}, { fits: fit.fitting(g) })) {
      assert.equal(got, shown, code);
    }
  }
});

test('docs/fit.md names every function of gradlock/fit, every option of a fit and every member of its result', async () => {
  const g = await init();
  const { curve } = fit.fitting(g);
  const result = curve((x, { a }) => g.mul(a, x), { x: [1, 2], y: [1, 2], parameters: { a: 2 } });
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(result));
  const names = [...Object.keys(fit), ...Object.keys(result), ...methods].filter(
    (name) => !['constructor', 'toString', 'points', 'freeCount', 'isScaled'].includes(name),
  );
  const options = ['sigma', 'loss', 'lossScale', 'scale', 'parameters', 'solver'];
  assert.deepEqual(
    [...names, ...options].filter((name) => !page.includes(name)),
    [],
  );
});
