/* gradlock_grid.py in real JupyterLab: values and locks go both ways, and what is refused is seen. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { run } from '../../consumers/kit/commands.js';
import { notebookOf, openLab, root } from './hosts.js';

const CELLS = [
  'import numpy as np\nfrom gradlock_grid import Grid',
  "x = Grid([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], label='x', row_names=['a', 'b'])\nx",
];

/** @type {Awaited<ReturnType<typeof openLab>>} */
let lab;
before(async () => {
  lab = await openLab('cells.ipynb', { files: { 'cells.ipynb': notebookOf(CELLS) } });
  await lab.runAll();
  await lab.grid('x').waitFor();
});
after(() => lab?.close());

/** @param {number} index */
const cell = (index) => lab.grid('x').locator('.cell').nth(index);

/** What a grid on the page draws. @param {string} label */
const shown = (label) =>
  lab.grid(label).evaluate((/** @type {any} */ { source }) => ({
    values: Array.from(source.values()),
    locks: Array.from(source.locks()),
  }));

/** @param {number} index @param {string} text */
const type = async (index, text) => {
  // A click would lock it.
  await lab.grid('x').evaluate((/** @type {any} */ grid, at) => {
    grid.selected = at;
    grid.focus();
  }, index);
  await lab.page.keyboard.type(text);
  await lab.page.keyboard.press('Enter');
};

test('a click on a cell is True in a boolean array of the same shape, and nothing else is', async () => {
  await lab.run(
    'heard = []\nx.observe(lambda change: heard.append(change["new"]), names=["locks"])',
  );
  await cell(4).click();
  await lab.untilPython('len(heard)');
  assert.equal(
    await lab.run('print(x.locks.dtype, x.locks.tolist(), len(heard), heard[0] is x.locks)'),
    'bool [[False, False, False], [False, True, False]] 1 True',
  );
  await cell(4).click();
  await lab.untilPython('len(heard) == 2');
  assert.equal(await lab.run('print(x.locks.any())'), 'False');
});

test('values and locks that Python sets are in the cells, bit for bit', async () => {
  await lab.run(`
x.values = np.array([[0.1, -0.0, np.inf], [1e-45, 3, np.nan]])
x.locks = np.array([[True, False, False], [False, False, True]])`);
  await lab.until(
    `document.querySelector('gradlock-grid[label=x]').source.locks().join() === '1,0,0,0,0,1'`,
  );
  const { values } = await shown('x');
  const expected = [Math.fround(0.1), -0, Infinity, Math.fround(1e-45), 3, NaN];
  assert.deepEqual(values, expected);
  await lab.until(`document.querySelector('gradlock-grid[label=x]').shadowRoot
    .querySelector('.cell-value').textContent === '0.10'`);
  assert.match(String(await cell(0).getAttribute('aria-label')), /locked/);
  await lab.run('x.locks = None\nx.values = [[1, 2, 3], [4, 5, 6]]');
});

test('a typed value is in the array, and the newer values around it stay', async () => {
  await lab.until(
    `document.querySelector('gradlock-grid[label=x]').source.values().join() === '1,2,3,4,5,6'`,
  );
  await type(1, '-7.25');
  await lab.untilPython('x.values[0, 1] == -7.25');
  // The page still shows 1 when it types: it sends the edit, not its picture.
  await lab.run('x.values = [[10, 2, 3], [4, 5, 6]]');
  await type(5, '0.5');
  await lab.untilPython('x.values[1, 2] == 0.5');
  assert.equal(
    await lab.run('print(x.values.dtype, x.values.tolist())'),
    'float32 [[10.0, 2.0, 3.0], [4.0, 5.0, 0.5]]',
  );
});

test('a typed value in a locked cell is refused, in words, and nothing changes', async () => {
  await lab.run('x.locks = np.array([[False, False, True], [False, False, False]])');
  await lab.until(`document.querySelector('gradlock-grid[label=x]').source.locks()[2] === 1`);
  const before = await lab.run('print(x.values.tolist())');
  await type(2, '9');
  await lab.until(`/locked|held/i.test(document.querySelector('gradlock-grid[label=x]').shadowRoot
    .querySelector('.note').textContent)`);
  assert.equal(await lab.run('print(x.values.tolist())'), before);
});

test('a value typed into a cell that Python has locked meanwhile is refused', async () => {
  await lab.run('x.locks = None\nx.values = [[1, 2, 3], [4, 5, 6]]');
  await lab.until(`!document.querySelector('gradlock-grid[label=x]').source.locks().includes(1)`);
  // Python locks all cells while it cannot hear the page.
  const busy = lab.run(`
import pathlib
while not pathlib.Path('typed').exists():
    pass
x.locks = np.ones((2, 3), bool)`);
  await type(0, '99');
  lab.write('work/typed', 'now');
  await busy;
  await lab.untilPython('len(x._typed) == 24');
  assert.equal(await lab.run('print(x.values[0, 0], x.locks.all())'), '1.0 True');
  assert.equal((await shown('x')).values[0], 1);
});

test('keys that are pressed in the grid are the grid’s, not shortcuts of JupyterLab', async () => {
  const notebook = `(({ activeCellIndex, widgets }) => [activeCellIndex, widgets.length].join())(
    jupyterapp.shell.currentWidget.content)`;
  await lab.run('x.locks = None');
  await lab.until(`!document.querySelector('gradlock-grid[label=x]').source.locks().includes(1)`);
  const before = await lab.page.evaluate(notebook);
  await lab.grid('x').evaluate((/** @type {any} */ grid) => {
    grid.selected = 0;
    grid.focus();
  });
  // They move to another cell of the notebook, delete it, and insert one.
  for (const key of ['ArrowRight', 'ArrowDown', 'd', 'd', 'a']) await lab.page.keyboard.press(key);
  await lab.page.keyboard.press('Space');
  await lab.untilPython('x.locks[1, 1]');
  assert.equal(await lab.run('print(x.locks.sum())'), '1');
  assert.equal(await lab.page.evaluate(notebook), before);
});

test('locked cells that moved are counted, until reset() starts again', async () => {
  await lab.run('x.locks = None\nx.values = np.zeros((2, 3))\nx.locks = np.eye(2, 3) > 0');
  assert.equal(await lab.run('print(x.moved.any())'), 'False');
  await lab.run('x.values = [[1, 1, 0], [0, 0, 0]]');
  const broken = `[...document.querySelector('gradlock-grid[label=x]').shadowRoot
    .querySelectorAll('.cell')].filter((cell) => cell.classList.contains('has-drifted'))`;
  assert.equal(
    await lab.run('print(x.moved.tolist())'),
    '[[True, False, False], [False, False, False]]',
  );
  await lab.until(`${broken}.length === 1`);
  await lab.run('x.reset([[2, 1, 0], [0, 0, 0]])');
  assert.equal(await lab.run('print(x.moved.any())'), 'False');
  await lab.until(`${broken}.length === 0`);
});

test('train() hears clicks between its steps, and shows every step', async () => {
  await lab.run(`
x.locks = None
x.reset(np.zeros((2, 3)))
seen = []
def step(values, locks):
    seen.append(locks)
    return np.where(locks, values, values + 1)
task = x.train(step, steps=10**9, pause=0.001)`);
  await lab.untilPython('len(seen) > 3');
  await cell(0).click();
  await lab.untilPython('seen[-1][0, 0]');
  await lab.run('task.cancel()');
  const [held, free] = JSON.parse(await lab.run('print(x.values[0, :2].tolist())'));
  assert.ok(held > 0 && held < free, `${held} of ${free} steps`);
  assert.equal(await lab.run('print(x.moved.any())'), 'False');
});

test('the grid is dark where JupyterLab is, also when that changes', async () => {
  const isDark = "document.querySelector('gradlock-grid[label=x]').style.colorScheme === 'dark'";
  assert.equal(await lab.page.evaluate(isDark), false);
  await lab.command('apputils:change-theme', { theme: 'JupyterLab Dark' });
  await lab.until(isDark);
  await lab.command('apputils:change-theme', { theme: 'JupyterLab Light' });
  await lab.until(`!(${isDark})`);
});

test('refusals are errors in the notebook that name what is wrong, and change nothing', async () => {
  await assert.rejects(lab.run('x.locks = np.ones((2, 3), int)'), /True = locked, got dtype int64/);
  await assert.rejects(lab.run('x.values = np.zeros(6)'), /grid's shape \(2, 3\), got \(6,\)/);
});

test('a Grid refuses with a typed, helpful error, and changes nothing', async () => {
  const args = ['-W', 'error', 'tests/notebooks/live/refusals.py'];
  const { code, output } = await run(`${root}build/notebooks/bin/python`, args, { cwd: root });
  assert.deepEqual([code, output], [0, 'done\n']);
});
