/* The lessons, as a class sees them: what they claim about locks is so. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { PATIENCE } from '../../browser/lease.js';
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
# On its way, the cell waits for the click.
waits = lambda values, locks: values[1, 1] > 0.2 and not locks[1, 1]
step = lambda values, locks: values if waits(values, locks) else ${rule}(values, locks)
task = leaky.train(step, steps=10**9, pause=0.01)`);
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
      await grid.waitFor();
      await page.getByText('exact', { exact: true }).click();
      await page.getByRole('button', { name: 'Train', exact: true }).click();
      /** @param {(values: number[], locks: number[]) => boolean} isSo */
      const untilShown = async (isSo) => {
        const end = performance.now() + PATIENCE;
        while (performance.now() < end) {
          const [values, locks] = await grid.evaluate((/** @type {any} */ { source }) => [
            Array.from(source.values()),
            Array.from(source.locks()),
          ]);
          if (isSo(values, locks)) return values;
          await page.waitForTimeout(30);
        }
        throw new Error(`in time: ${isSo}`);
      };
      await untilShown((values) => values[9] > 0.1);
      await grid.locator('.cell').nth(9).click();
      await until("document.body.innerText.includes('which are True in grid.locks: 1')");
      const [held] = (await untilShown((_, locks) => locks[9] === 1)).slice(9);
      const [end] = (await untilShown((values) => values[10] > 0.97)).slice(9);
      assert.equal(end, held);
      assert.equal(await grid.locator('.has-drifted').count(), 0);
      await page.screenshot({ path: picture(`marimo-${mode}`) });
    } finally {
      await close();
    }
  });
}
