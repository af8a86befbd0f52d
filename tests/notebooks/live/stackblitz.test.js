/* What StackBlitz does with the examples: install, and run the start command. Done here, with the
 * packed package, in Node.js and Chromium. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectOf, RUNNABLE } from '../../../docs/reference/stackblitz.mjs';
import { launchChromium } from '../../browser/chromium.js';
import { serve } from '../../consumers/kit/commands.js';
import { root, waiting } from './hosts.js';
import { project, runIn } from './packed.js';

/** What each example promises in its first comment: the two lines of two by two. */
const promised = (/** @type {string} */ name) => {
  const text = readFileSync(join(root, 'docs/examples', name), 'utf8');
  const lines = [/x {7}\[\[-?\d.*\]\]/, /digest {2}[0-9a-f]{16}/].map(
    (line) => text.match(line)?.[0],
  );
  return lines.join('\n');
};

for (const name of Object.keys(RUNNABLE)) {
  test(`${name} installs and starts as StackBlitz does it, and shows what it promises`, async () => {
    const files = await projectOf(root, name);
    const { stackblitz, scripts } = JSON.parse(files['package.json']);
    assert.equal(stackblitz.startCommand, 'npm start');
    const { folder, end } = await project((to) => {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(to, path), text);
    });
    try {
      if (scripts.start.startsWith('node ')) {
        const output = await runIn(folder, 'npm', ['start']);
        assert.ok(output.includes(promised(name)), output);
        return;
      }
      const says = /http:\/\/localhost:\d+\//;
      const server = await serve('npm', ['start'], { cwd: folder }, says);
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        await page.goto(server.url);
        await waiting(page)("document.getElementById('output').textContent !== '…'");
        assert.equal(await page.textContent('#output'), promised(name));
      } finally {
        await browser.close();
        server.stop();
      }
    } finally {
      end();
    }
  });
}
