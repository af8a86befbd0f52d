/**
 * Memory over time, while a scene plays beside its masked rival and a lock changes every few seconds: in Chromium the page's
 * heap and its worker's, after a collection each; the engine's WebAssembly memory, and what of it the library uses;
 * everywhere, all that the browser's processes hold.
 */

import { inEach, opened, residentMegabytes } from './engines.mjs';

const MINUTES = Number(process.env.MINUTES ?? 2);
const ROWS = 6;
/** Between two changes of a lock, in ms. */
const CHANGE = 5000;

/** Heaps of a page and its worker, in MB. @param {any} page of Chromium */
async function heapsOf(page) {
  const client = await page.context().newCDPSession(page);
  const worker = new Promise((resolve) => {
    client.on('Target.attachedToTarget', (/** @type {any} */ { sessionId, targetInfo }) => {
      if (targetInfo.type === 'worker') resolve(sessionId);
    });
  });
  await client.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  const sessionId = await worker;
  let id = 0;
  /** @param {string} method @returns {Promise<any>} */
  const ask = (method) =>
    new Promise((resolve) => {
      const mine = ++id;
      const hear = (/** @type {{ message: string }} */ { message }) => {
        const answer = JSON.parse(message);
        if (answer.id !== mine) return;
        client.off('Target.receivedMessageFromTarget', hear);
        resolve(answer.result);
      };
      client.on('Target.receivedMessageFromTarget', hear);
      client.send('Target.sendMessageToTarget', {
        sessionId,
        message: JSON.stringify({ id: mine, method }),
      });
    });
  return async () => {
    await client.send('HeapProfiler.collectGarbage');
    await ask('HeapProfiler.enable');
    await ask('HeapProfiler.collectGarbage');
    const [own, other] = [
      await client.send('Runtime.getHeapUsage'),
      await ask('Runtime.getHeapUsage'),
    ];
    return [own.usedSize / 2 ** 20, other.usedSize / 2 ** 20];
  };
}

/** @param {string} site */
export const memory = (site) =>
  inEach(
    async ({ name, open }) => {
      const page = await open();
      await page.goto(`${site}#scene=membrane&size=64x64&speed=60&beside=mask`);
      await opened(page);
      const heaps = name === 'Chromium' ? await heapsOf(page) : null;
      await page.click('.play');
      console.log(
        `\n${name}, MB over ${MINUTES} minutes of Membrane and its rival, 64², 60 steps/s`,
      );
      console.log('  minute      step   page   worker   WebAssembly   in use   processes');
      const began = performance.now();
      for (let row = 0; row <= ROWS; row++) {
        // The first minute fills what is kept for looking back.
        const end =
          began + 60_000 * (row ? (MINUTES * row) / ROWS : Math.min(0.25, MINUTES / ROWS));
        while (performance.now() < end) {
          await new Promise((f) => setTimeout(f, Math.min(CHANGE, end - performance.now())));
          await page.evaluate('gradlockDemo.toggle(Math.floor(Math.random() * 4096))');
        }
        const of = await page.evaluate('gradlockDemo.memory()');
        const { step } = await page.evaluate('gradlockDemo.snapshot()');
        const [own, other] = heaps ? await heaps() : [Number.NaN, Number.NaN];
        const text = [own, other, of.wasm / 2 ** 20, of.library / 2 ** 20, residentMegabytes()];
        const [a, b, c, d, e] = text.map((number) =>
          Number.isNaN(number) ? '—' : number.toFixed(2),
        );
        const minute = ((performance.now() - began) / 60_000).toFixed(1);
        console.log(
          `${minute.padStart(8)} ${String(step).padStart(9)} ${a.padStart(6)} ${b.padStart(8)} ${c.padStart(13)} ${d.padStart(8)} ${e.padStart(11)}`,
        );
      }
      await page.close();
    },
    (process.env.BROWSERS ?? 'Chromium,Firefox').split(','),
  );
