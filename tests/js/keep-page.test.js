/* Tier: test. */
/* What docs/keep.md shows, run as it stands there, stopped in the middle and run again; and the
 * examples of gradlock/keep in its types. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as gradlock from 'gradlock';
import * as formats from 'gradlock/formats';
import { keep } from 'gradlock/keep';
import { layers } from 'gradlock/layers';
import { findWrong, readExamples } from './doc-examples.js';

// Node.js has Web Locks from 24 on: here runs stop without a process that ends, and give none back.
Object.defineProperty(globalThis, 'navigator', { value: {} });

const root = fileURLToPath(new URL('../../', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'gradlock-keep-page-'));
after(() => rmSync(home, { recursive: true }));

const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);
const blocks = Array.from(
  readFileSync(`${root}docs/keep.md`, 'utf8').matchAll(/```js\n([\s\S]*?)```/g),
  ([, code]) => String(code),
);
const code = blocks.join('\n').replace(/^import .*;\n/gm, '');

/**
 * Runs the page in a folder, until a run was saved so many times.
 * @param {string} folder
 * @param {number} [most]
 */
const run = async (folder, most = Infinity) => {
  let count = 0;
  const given = {
    ...formats,
    init: gradlock.init,
    layers,
    keep: async (/** @type {string} */ name) => {
      const opened = await keep(name, { folder: join(home, folder) });
      const save = opened.save.bind(opened);
      opened.save = async (...what) => {
        const saved = await save(...what);
        if (++count >= most) throw new Error('stopped here');
        return saved;
      };
      return opened;
    },
    makeNet: (/** @type {any} */ nn) => {
      const net = nn.sequential([
        nn.dense({ units: 6, inputShape: [4] }),
        nn.dropout({ rate: 0.3 }),
        nn.dense({ units: 3, activation: 'softmax' }),
      ]);
      net.compile({ optimizer: 'adam', loss: 'sparseCategoricalCrossentropy' });
      return net;
    },
    xs: Array.from({ length: 40 }, (_, i) => [0, 1, 2, 3].map((k) => Math.sin(7 * i + k))),
    ys: Array.from({ length: 40 }, (_, i) => i % 3),
  };
  const body = `${code}\nreturn [run.found?.note.epoch ?? 0, kept.found?.note.epoch ?? 0,
    [x, ...net.weights].map((one) => one.digest()).join()];`;
  return new AsyncFunction(...Object.keys(given), body)(...Object.values(given));
};

test('every block of docs/keep.md does what it says: stopped anywhere, it ends on the same bits', async () => {
  assert.equal(blocks.length, 2);
  const [epoch, netEpoch, expected] = await run('whole');
  assert.deepEqual([epoch, netEpoch], [0, 0]);
  for (const most of [7, 5, 11]) await assert.rejects(run('stopped', most), /stopped here/);
  assert.deepEqual(await run('stopped'), [20, 3, expected]);
});

test('examples of gradlock/keep print what their comments show', async () => {
  const examples = await readExamples(root, (file) => file.startsWith('keep'));
  assert.deepEqual(examples.map(({ method }) => method).sort(), ['KeptRun.close', 'KeptRun.save']);
  const there = {
    keep: (/** @type {string} */ name) => keep(name, { folder: join(home, 'example') }),
  };
  const wrong = await findWrong(
    examples,
    /** @type {any} */ (gradlock.init),
    /** @type {any} */ (layers),
    there,
  );
  assert.deepEqual(wrong, []);
});
