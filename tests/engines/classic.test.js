/* Tier: all. */
/* Engines: all, because each has its own rules for classic scripts from a disk and in workers.
 * Pages without modules: scripts that make one global, also in a worker by importScripts. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inEachEngine } from '../browser/browsers.js';
import { serveFolder } from '../browser/site.js';

/** What a page and a worker run. */
const USE = `
  const use = async (gradlock) => {
    const g = await gradlock.init();
    const x = g.variable([[1, 2], [3, 4]]).lock([[0, 1]]);
    g.optimizers.adam().minimize(g.compile(() => g.sum(g.square(x))), { steps: 20 });
    const nn = gradlock.layers(g);
    const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' })]);
    net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    const { rows } = await net.pressure([[2]], [[0]], { learningRate: 0.5 });
    const copy = await gradlock.loadModel(nn, gradlock.saveModel(net));
    return [x.digest(), rows[0].firstOrder, copy.layers.length].join();
  };`;

const names = ['gradlock.js', 'layers.js', 'formats.js'];
const scripts = names.map((name) => `<script src="umd/${name}"></script>`).join('\n');

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradlock-classic-'));
  await cp(new URL('../../build/npm', import.meta.url), folder, { recursive: true });
  // A page's element has a name in the global scope, too.
  const page = `<!doctype html><meta charset="utf-8"><title>Page</title><p id="gradlock"></p>${scripts}`;
  await writeFile(join(folder, 'page.html'), page);
  await writeFile(
    join(folder, 'external.html'),
    page.replace('umd/gradlock.js', 'umd/external.js'),
  );
  await writeFile(
    join(folder, 'worker.js'),
    `${USE} importScripts(${names.map((name) => `'umd/${name}'`).join()});
    use(gradlock).then(postMessage, (error) => postMessage(String(error)));`,
  );
  // One file on a disk, as the demo's offline file is.
  const umd = await Promise.all(names.map((name) => readFile(join(folder, 'umd', name), 'utf8')));
  const inWorker = `${umd.join('\n')}
    ${USE}
    use(gradlock).then(postMessage, (error) => postMessage(String(error)));`;
  const text = JSON.stringify(inWorker).replaceAll('</script', '<\\/script');
  await writeFile(
    join(folder, 'alone.html'),
    `<!doctype html><meta charset="utf-8"><title>Page</title><script>window.code = ${text};</script>`,
  );
  served = await serveFolder(pathToFileURL(`${folder}/`));
});
after(async () => {
  served.close();
  await rm(folder, { recursive: true, force: true });
});

inEachEngine(
  'classic scripts work from a server, from a disk and in workers of both, to the same bits',
  async (page) => {
    const run = async (/** @type {string} */ url, /** @type {string} */ body) => {
      await page.goto(url);
      return /** @type {any} */ (page.evaluate(`(async () => { ${USE} ${body} })()`));
    };
    const told = await run(`${served.url}page.html`, 'return use(gradlock);');
    assert.match(told, /^[0-9a-f]{16},40,1$/);
    const disk = pathToFileURL(join(folder, 'page.html')).href;
    assert.equal(await run(disk, 'return use(window.gradlock);'), told);
    assert.equal(await run(`${served.url}external.html`, 'return use(gradlock);'), told);
    const worker = await run(
      `${served.url}page.html`,
      `return new Promise((resolve) => {
          new Worker('worker.js').onmessage = ({ data }) => resolve(data);
        });`,
    );
    assert.equal(worker, told);
    const alone = await run(
      pathToFileURL(join(folder, 'alone.html')).href,
      `return new Promise((resolve) => {
          const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
          new Worker(url).onmessage = ({ data }) => resolve(data);
        });`,
    );
    assert.equal(alone, told);
  },
);
