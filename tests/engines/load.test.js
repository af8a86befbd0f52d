/* Tier: all. */
/** Engines: all, because each words its errors and ends its stack in its own way. What goes wrong between init() and the
 *  first call, and in calls: policies, pages where a module should be, other realms, too many instances. */

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { inEachEngine } from '../browser/browsers.js';
import { serveFolder } from '../browser/site.js';

/** @typedef {Awaited<ReturnType<typeof serveFolder>>} Served */

const root = new URL('../../', import.meta.url);
/** @type {Served} */
let allowing;
/** @type {Served} */
let forbidding;
before(async () => {
  allowing = await serveFolder(root);
  forbidding = await serveFolder(root, "default-src 'self'; script-src 'self'");
});
after(() => {
  allowing.close();
  forbidding.close();
});

/** In a page: both entries, and what an init() is refused with. @param {Served} served */
const prelude = (served) => `
  const inlined = await import('${served.url}build/npm/index.js');
  const external = await import('${served.url}build/npm/external.js');
  const refused = async (entry, options) => {
    try {
      await entry.init(options);
      return 'no error';
    } catch (error) {
      return error instanceof entry.LoadError ? error.message : 'untyped: ' + error;
    }
  };
  const train = (g) => {
    const x = g.variable([[1, 2], [3, 4]]).lock([[0, 1]]);
    g.optimizers.adam().minimize(g.compile(() => g.sum(g.square(x))), { steps: 20 });
    return x.digest();
  };`;

inEachEngine(
  'what keeps the library from loading is a LoadError that says what to do',
  async (page) => {
    /** @param {Served} served @param {string} body */
    const run = async (served, body) => {
      await page.goto(`${served.url}tests/browser/blank.html`);
      return /** @type {any} */ (page.evaluate(`(async () => { ${prelude(served)} ${body} })()`));
    };
    const forbidden = await run(
      forbidding,
      'return [await refused(inlined), await refused(external)];',
    );
    for (const message of forbidden) {
      assert.match(message, /add 'wasm-unsafe-eval' to its script-src/);
    }
    const served = await run(
      allowing,
      `return [
          await refused(external, { wasm: 'no-such.wasm' }),
          await refused(external, { wasm: 'blank.html' }),
          await refused(external, { wasm: 'http://127.0.0.1:9/gradlock.wasm' }),
          (await external.init()).add(1, 2).item(),
        ];`,
    );
    assert.match(served[0], /no-such.wasm failed with HTTP 404/);
    assert.match(served[1], /blank.html cannot be compiled: this is a page \(HTML\)/);
    assert.match(served[2], /connect-src of a Content-Security-Policy forbids it/);
    assert.equal(served[3], 3);
    const other = await run(
      allowing,
      `const frame = document.createElement('iframe');
        frame.src = 'blank.html';
        await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame); });
        const { WebAssembly, Uint8Array, URL } = frame.contentWindow;
        const url = '${allowing.url}build/npm/gradlock.wasm';
        const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
        const response = await frame.contentWindow.fetch(url);
        const sums = [];
        for (const wasm of [new WebAssembly.Module(bytes), bytes, bytes.buffer, new URL(url), response]) {
          sums.push((await external.init({ wasm })).add(1, 2).item());
        }
        return sums;`,
    );
    assert.deepEqual(other, [3, 3, 3, 3, 3]);
  },
);

inEachEngine('too many instances say so, overflowing stacks change nothing', async (page) => {
  await page.goto(`${allowing.url}tests/browser/blank.html`);
  const found = /** @type {any} */ (
    await page.evaluate(`(async () => {
          ${prelude(allowing)}
          const g = await inlined.init();
          const expected = train(g);
          const x = g.variable([1, 2]);
          const { objects } = g.memory();
          let overflows = 0;
          let others = '';
          for (let i = 0; i < 40; i++) {
            let tries = 50;
            const near = () => {
              try {
                near();
              } catch {
                if (tries === 0) return;
                tries--;
                try {
                  g.add(x, 1).dispose();
                } catch (error) {
                  // By its name: instanceof would be one more call.
                  if (error.name === 'BrokenInstanceError') others = error;
                  overflows++;
                  throw error;
                }
              }
            };
            near();
          }
          const left = g.memory().objects - objects;
          const made = [g];
          let refusal = '';
          while (made.length < 150 && refusal === '') {
            try {
              made.push(await inlined.init());
            } catch (error) {
              refusal = error instanceof inlined.LoadError ? error.message : 'untyped: ' + error;
            }
          }
          const after = train(g);
          for (const one of made) one.dispose();
          return { overflows, others: String(others), left, isSame: after === expected, refusal };
        })()`)
  );
  assert.ok(found.overflows >= 1000, `${found.overflows} calls met the end of the stack`);
  assert.equal(found.others, '');
  assert.equal(found.left, 0);
  assert.ok(found.isSame);
  if (found.refusal) assert.match(found.refusal, /dispose\(\) instances you no longer use/);
});
