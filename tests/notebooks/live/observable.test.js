/* The page of docs/notebooks/observable, built by Observable Framework and opened in Chromium. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launchChromium } from '../../browser/chromium.js';
import { serveFolder } from '../../browser/site.js';
import { root, waiting } from './hosts.js';
import { project, runIn } from './packed.js';

test('the page of Observable Framework trains, and a cell that is clicked keeps its bits', async () => {
  const from = join(root, 'docs/notebooks/observable');
  const { folder, end } = await project((to) => cpSync(from, to, { recursive: true }));
  await runIn(folder, 'npm', ['run', 'build']);
  const site = await serveFolder(pathToFileURL(`${folder}/dist/`), '');
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const until = waiting(page);
    /** @type {string[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(site.url).origin)) errors.push(request.url());
    });
    await page.goto(site.url);
    const grid = "document.querySelector('gradlock-grid')";
    await until(`${grid}.variable.data()[0] < -0.1`);
    // In the page, so that the cell is on its way.
    await page.evaluate(`new Promise((done) => {
      const [again] = [...document.querySelectorAll('button')].filter((button) =>
        button.textContent === 'Start again');
      again.click();
      const look = () => {
        if (${grid}.variable.data()[9] < 0.1) return requestAnimationFrame(look);
        ${grid}.shadowRoot.querySelectorAll('.cell')[9].click();
        done();
      };
      look();
    })`);
    await until(`${grid}.variable.locks.count === 1`);
    const [held, free] = await page.evaluate(`Array.from(${grid}.variable.data().slice(9, 11))`);
    assert.ok(held > 0.1 && held < 1, `cell 9 is on its way when it is locked: ${held}`);
    await until(`${grid}.variable.data()[10] > ${free} && ${grid}.variable.data()[10] > 0.99`);
    assert.equal(await page.evaluate(`${grid}.variable.data()[9]`), held);
    await until('/The loss is 0\\.\\d{6}/.test(document.body.innerText)');
    await page.getByRole('button', { name: 'Start again' }).click();
    await until(`${grid}.variable.locks.count === 0 && ${grid}.variable.data()[9] < ${held}`);
    await page.getByRole('button', { name: 'Pause or go on' }).click();
    await page.screenshot({ path: join(root, 'build/screenshots/observable.png') });
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    site.close();
    end();
  }
});
