/* The lessons, as a class sees them: what they claim about locks is so. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLab, openMarimo, root } from './hosts.js';

/** @param {string} name */
const picture = (name) => join(root, 'build/screenshots', `${name}.png`);

test('the lesson in JupyterLab: a mask lets a cell move that was locked in time, a lock does not', async () => {
  const lab = await openLab('lock-cells.ipynb', { theme: 'JupyterLab Dark' });
  try {
    await lab.runAll();
    await lab.grid('heart').waitFor();
    await lab.untilPython('task.done()');
    assert.equal(await lab.run('print(np.allclose(grid.values, target, atol=1e-3))'), 'True');
    await lab.page.screenshot({ path: picture('jupyterlab') });
    for (const [rule, expected] of Object.entries({ masked: 'True', exact: 'False' })) {
      await lab.run(`
velocity = np.zeros((8, 8))
leaky.locks = None
leaky.reset(np.zeros((8, 8)))
task = leaky.train(${rule}, steps=10**9, pause=0.01)`);
      await lab.untilPython('leaky.values[1, 1] > 0.2');
      await lab.grid('mask').locator('.cell').nth(9).click();
      await lab.untilPython('leaky.locks[1, 1]');
      await lab.untilPython('abs(leaky.values - target)[~leaky.locks].max() < 0.02');
      await lab.run('task.cancel()');
      assert.equal(await lab.run('print(leaky.locks.sum(), leaky.moved[1, 1])'), `1 ${expected}`);
    }
    await lab.page.screenshot({ path: picture('jupyterlab-exact') });
  } finally {
    await lab.close();
  }
});

for (const mode of /** @type {const} */ (['run', 'edit'])) {
  test(`the lesson in marimo ${mode}: clicks count while it trains, and cells that use them run again`, async () => {
    const { page, until, close } = await openMarimo('lock_cells.py', mode);
    try {
      const grid = page.locator('gradlock-grid');
      if (mode === 'edit') await page.getByTestId('run-button').first().click();
      await grid.waitFor();
      await page.getByText('exact', { exact: true }).click();
      await page.getByRole('button', { name: 'Train', exact: true }).click();
      const values = "Array.from(document.querySelector('gradlock-grid').source.values())";
      const within = (/** @type {string} */ test) =>
        until(`(() => {
          const find = (root) => root.querySelector('gradlock-grid') ??
            [...root.querySelectorAll('*')].map((e) => e.shadowRoot && find(e.shadowRoot)).find(Boolean);
          const { source } = find(document);
          const values = Array.from(source.values());
          const locks = source.locks();
          return ${test};
        })()`);
      assert.ok(values);
      await within('values[9] > 0.1');
      await grid.locator('.cell').nth(9).click();
      await until("/has 1 cells? that/.test(document.body.innerText)");
      await within('values[10] > 0.97 && locks[9] === 1 && values[9] < values[10]');
      assert.equal(await grid.locator('.has-drifted').count(), 0);
      await page.screenshot({ path: picture(`marimo-${mode}`) });
    } finally {
      await close();
    }
  });
}
