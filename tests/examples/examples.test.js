/* Every file of docs/examples, run as its own first comment says, prints what that comment says. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { launchChromium } from '../browser/chromium.js';
import { serveFolder } from '../browser/site.js';
import { until } from '../browser/until.js';
import { printed, root, shell } from './run.js';
import { firstComment, transcriptOf } from './transcript.js';

const folder = `${root}docs/examples/`;
/** Folders have tests of their own: mpi has `make test-mpi`. */
const files = (await readdir(folder, { withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name !== 'README.md')
  .map((entry) => entry.name);
const texts = new Map(
  await Promise.all(
    files.map(async (name) => /** @type {const} */ ([name, await readFile(folder + name, 'utf8')])),
  ),
);
const transcriptOfFile = (/** @type {string} */ name) =>
  transcriptOf(firstComment(texts.get(name) ?? ''));

/** What `make test` has done already: it builds, and makes the folder for Python with the versions that are pinned. */
const isPreparation = (/** @type {string} */ command) =>
  /^make (lib|build)$|^python3 -m venv build\/python$|^build\/python\/bin\/pip install /.test(
    command,
  );

for (const name of files.filter((name) => !name.endsWith('.html'))) {
  test(`docs/examples/${name} prints what it says it prints`, async () => {
    const { commands, output } = transcriptOfFile(name);
    const left = commands.filter((command) => !isPreparation(command));
    assert.ok(left.length > 0 && left.length < commands.length && output !== '', 'a transcript');
    assert.equal(await printed(left), output);
  });
}

test('docs/examples/page.html shows what it says it shows', async () => {
  const comment = firstComment(texts.get('page.html') ?? '');
  assert.deepEqual(transcriptOf(comment).commands, ['make build', 'python3 -m http.server 8000']);
  const path = comment.match(/http:\/\/localhost:8000\/(\S+)/)?.[1];
  // An empty policy: that of a server that says nothing.
  const served = await serveFolder(new URL('../../', import.meta.url), '');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${served.url}${path}`);
    await until(page, "document.getElementById('output').textContent !== '…'");
    const shown = await page.textContent('#output');
    const promised = comment.match(/then shows\n\n([\s\S]*?)\n\n/)?.[1].replace(/^ {7}/gm, '');
    assert.deepEqual(errors, []);
    assert.equal(shown, promised);
  } finally {
    await browser.close();
    served.close();
  }
});

test('all examples of two by two name the same digest', () => {
  const digests = [...texts.values()].flatMap(
    (text) => text.match(/\bdigest {2}[0-9a-f]{16}$/m) ?? [],
  );
  assert.equal(digests.length, 4);
  assert.equal(new Set(digests).size, 1);
});

test('curve-fit runs on the shared library, hello without one', async () => {
  for (const [name, isShared] of /** @type {const} */ ([
    ['curve-fit', true],
    ['hello', false],
  ])) {
    const { commands } = transcriptOfFile(`${name}.c`);
    const compile = commands.filter((command) => /^(export|cc) /.test(command));
    await printed(compile);
    const { code, stderr } = await shell([`build/${name}`]);
    assert.equal(code !== 0, isShared, name);
    if (isShared) assert.match(stderr, /libgradlock\.so\.\d+\.\d+: cannot open shared object/);
  }
});

test('curve-fit finds what NIST certifies, and with b1 held the least squares of the rest', async () => {
  const text = texts.get('curve-fit.c') ?? '';
  const numbers = (/** @type {string | undefined} */ list) =>
    (list?.match(/\d+(\.\d+)?/g) ?? []).map(Number);
  const certified = numbers(text.match(/certifies b = ([\s\S]*?)\. *\n \*\n/)?.[1]);
  const [times, yields] = ['times', 'yields'].map((name) =>
    numbers(text.match(new RegExp(`${name}\\[READINGS\\] = \\{([^}]*)\\}`))?.[1]),
  );
  assert.equal(certified.length, 4);
  assert.equal(times.length, 9);
  assert.equal(yields.length, 9);
  const [free, held] = transcriptOfFile('curve-fit.c')
    .output.trim()
    .split('\n')
    .map((line) => numbers(line.slice(10).replace(/b1? =/, '')));
  for (const [i, value] of certified.entries()) {
    assert.ok(Math.abs(free[i] / value - 1) < 1e-5, `${free[i]} is certified as ${value}`);
  }

  // Newton's method on the sum of squares in f64, by differences, from far enough away: b1 is 75.
  const squares = (/** @type {number[]} */ [b2, b3]) =>
    times.reduce((sum, t, i) => sum + (75 / (1 + Math.exp(b2 - b3 * t)) - yields[i]) ** 2, 0);
  const h = [1e-4, 1e-6];
  const at = (/** @type {number[]} */ b, /** @type {number} */ i, /** @type {number} */ j) =>
    squares([b[0] + i * h[0], b[1] + j * h[1]]);
  let b = [2.5, 0.065];
  for (let step = 0; step < 20; step++) {
    const gradient = [at(b, 1, 0) - at(b, -1, 0), at(b, 0, 1) - at(b, 0, -1)];
    const twice = [at(b, 1, 0) + at(b, -1, 0), at(b, 0, 1) + at(b, 0, -1)];
    const [p, q] = twice.map((sum) => sum - 2 * squares(b));
    const mixed = (at(b, 1, 1) - at(b, 1, -1) - at(b, -1, 1) + at(b, -1, -1)) / 4;
    const [u, v] = gradient.map((slope) => slope / 2);
    const determinant = p * q - mixed * mixed;
    b = [
      b[0] - (h[0] * (q * u - mixed * v)) / determinant,
      b[1] - (h[1] * (p * v - mixed * u)) / determinant,
    ];
  }
  for (const [i, value] of [75, ...b, squares(b)].entries()) {
    assert.ok(Math.abs(held[i] / value - 1) < 1e-4, `${held[i]} is ${value} by Newton's method`);
  }
});

test('the overview lists every example, and the README the overview', async () => {
  const overview = await readFile(`${folder}README.md`, 'utf8');
  const listed = [...overview.matchAll(/^\| \[([^\]]+)\]\(\1\): /gm)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), files.toSorted());
  assert.match(await readFile(`${root}README.md`, 'utf8'), /\(docs\/examples\/README\.md\)/);
});
