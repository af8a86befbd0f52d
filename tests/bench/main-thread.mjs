/**
 * The tasks of a page's main thread while its worker trains 784-512-512-10 with Adam, batches of 128, and the page shows
 * reports and a grid of 64 × 64 weights live: `node tests/bench/main-thread.mjs`. Prints the longest tasks of five seconds, as
 * Chromium traces them, in milliseconds of the thread's own time and of the clock.
 */

import { launchChromium } from '../browser/chromium.js';
import { serveFolder } from '../browser/site.js';

const TIME = 5000;
const served = await serveFolder(new URL('../../', import.meta.url));
const browser = await launchChromium();
const page = await browser.newPage();
await page.goto(`${served.url}tests/browser/blank.html`);
await page.evaluate(`(async () => {
  const { start } = await import('${served.url}build/npm/worker.js');
  await import('${served.url}build/npm/grid.js');
  const worker = new Worker('${served.url}tests/bench/page/job.js', { type: 'module' });
  const job = window.job = await start(worker, null, { paused: true });
  const grid = document.createElement('gradlock-grid');
  document.body.append(grid);
  grid.source = job.source('shown');
  const line = document.body.appendChild(document.createElement('p'));
  job.addEventListener('progress', ({ detail: { step, loss } }) => {
    line.textContent = step + ': ' + loss;
  });
})()`);
const session = await page.context().newCDPSession(page);
/** @type {any[]} */
const events = [];
session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
await session.send('Tracing.start', {
  transferMode: 'ReportEvents',
  categories: 'toplevel,__metadata',
});
await page.evaluate('job.resume()');
await new Promise((resolve) => setTimeout(resolve, TIME));
const { step } = /** @type {any} */ (
  await page.evaluate(`new Promise((resolve) => {
    job.addEventListener('progress', ({ detail }) => resolve(detail), { once: true });
  })`)
);
const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
await session.send('Tracing.end');
await ended;
const threads = events.filter(
  ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
);
const tasks = events.filter(
  ({ name, pid, tid }) =>
    /RunTask$/.test(name) && threads.some((one) => one.pid === pid && one.tid === tid),
);
const most = (/** @type {'tdur' | 'dur'} */ key) =>
  tasks
    .map((task) => (task[key] ?? 0) / 1000)
    .sort((a, b) => b - a)
    .slice(0, 3)
    .map((ms) => ms.toFixed(1))
    .join(', ');
console.log(`${step} steps in about ${TIME} ms; ${tasks.length} tasks of the main thread`);
console.log(`longest, own time: ${most('tdur')} ms; by the clock: ${most('dur')} ms`);
await browser.close();
served.close();
