/* What docs/worker.md shows, run as it stands there: its workers are files beside this one. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { init } from 'gradlock';
import { start } from 'gradlock/worker';

const root = fileURLToPath(new URL('../../', import.meta.url));
mkdirSync(`${root}build/tests`, { recursive: true });
const home = mkdtempSync(`${root}build/tests/worker-page-`); // below the package, whose names it imports
after(() => rmSync(home, { recursive: true, maxRetries: 5 }));

const blocks = Array.from(
  readFileSync(`${root}docs/worker.md`, 'utf8').matchAll(/```js\n\/\/ ([^\n]*)\n([\s\S]*?)```/g),
  ([, name, code]) => ({ name: String(name), code: String(code) }),
);
const workers = blocks.filter(({ name }) => name.endsWith('.js'));
const page = blocks.filter(({ name }) => name === 'the page').map(({ code }) => code);

test('every block of docs/worker.md does what it says', async () => {
  assert.deepEqual(
    [workers.map(({ name }) => name), page.length],
    [['train.js', 'train-model.js'], 4],
  );
  for (const { name, code } of workers) {
    const folder = JSON.stringify(join(home, 'kept'));
    // In a folder of the test's own.
    const keeping = `const keep = (name, options) => keepAt(name, { folder: ${folder}, ...options });\n`;
    const text = code
      .replace('{ keep } from', '{ keep as keepAt } from')
      .replace('train(async', `${keeping}train(async`);
    writeFileSync(join(home, name), text);
  }
  /** @type {number[]} */
  const steps = [];
  /** @type {Record<string, any>} */
  const given = {
    start,
    Worker,
    address: pathToFileURL(join(home, 'page.js')).href,
    show: (/** @type {number} */ step) => steps.push(step),
    document: { querySelector: () => ({}) },
    x: Float32Array.from({ length: 160 }, (_, i) => Math.sin(i)),
    y: Array.from({ length: 40 }, (_, i) => i % 3),
  };
  const code = page
    .join('\n')
    .replace(/^import .*;\n/gm, '')
    .replaceAll('import.meta.url', 'address');
  // The job of the grid was ended above; that of the last block goes on from nothing.
  const body = `${code.replace('job.terminate();', '')}
    job.terminate();
    const end = await kept.result;
    return { loss, state, values, locks, history, accuracy, found: kept.kept.found, end, left: x.length, kept };`;
  const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);
  const told = await new AsyncFunction(...Object.keys(given), body)(...Object.values(given));
  told.kept.terminate();
  assert.deepEqual([...told.locks], [1, 1, 0, 0]);
  assert.deepEqual([...told.values].map(Math.round), [0, 0, 3, 4]);
  assert.equal(steps.at(-1), 400);
  assert.equal(told.history.accuracy.length, 20);
  assert.equal(told.accuracy > 0 && told.accuracy <= 1, true);
  assert.deepEqual([told.found, told.end.step, told.left], [null, 400, 0]);
  const g = await init();
  const w = g.variable(g.zeros([2, 2]), { name: 'w' });
  const loss = g.compile(() => g.sum(w));
  g.optimizers.adam().setState(told.state, { variables: [w], also: [loss] });
  assert.deepEqual(w.data(), told.values);
});
