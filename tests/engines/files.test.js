/* Tier: all. */
/**
 * Engines: all, because each has its own history, files, images and clipboard. What people bring,
 * come back to and take away.
 */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inEngines } from './engines.js';
import { button, first } from '../browser/visit.js';

/** @typedef {import('../browser/visit.js').Visit} Visit */

/** @param {Visit} visit @param {string} id */
async function openScene(visit, id) {
  await visit.click("document.querySelector('.scenes-all')");
  await visit.click(`document.querySelector('.card[data-scene="${id}"]')`);
  await visit.until(`gradlockDemo.snapshot().then(({ scene }) => scene === '${id}')`);
  await visit.settled();
}

/** Choose a file. @param {Visit} visit @param {string} input @param {{ name: string, type: string, text: string }} file */
const choose = async (visit, input, file) => {
  await visit.until(`Boolean(${input})`);
  await visit.evaluate(`(() => {
    const { name, type, text } = ${JSON.stringify(file)};
    const data = new DataTransfer();
    data.items.add(new File([text], name, { type }));
    const input = ${input};
    input.files = data.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
};

/** What the page saves when an act of it is done, as text. @param {Visit} visit @param {() => Promise<void>} act */
async function saved(visit, act) {
  await visit.evaluate(`(() => {
    window.saved = null;
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => (blob.text().then((text) => { saved = text; }), make(blob));
    // Drivers differ in what they do with downloads.
    HTMLAnchorElement.prototype.click = () => {};
  })()`);
  await act();
  await visit.until('saved !== null');
  return /** @type {string} */ (await visit.evaluate('saved'));
}

/** @type {import('./engines.js').Claims} */
const CLAIMS = {
  async 'Back leads to the very step of a run that was left playing, also after a reload; Forward, too'(
    visit,
  ) {
    await visit.open('scene=leak-lab&beside=mask');
    await visit.click(first('.play'));
    await visit.until('gradlockDemo.frame().step > 30');
    const { step: seen } = await visit.evaluate('gradlockDemo.frame()');
    await openScene(visit, 'peaks');
    const leftAt = await visit.evaluate('leftAt');
    assert.ok(leftAt >= seen, `left at ${leftAt}, and seen at ${seen}`);
    await visit.steps(12);
    const peaks = await visit.snapshot();
    const length = await visit.evaluate('history.length');
    const back = async () => {
      await visit.evaluate('history.back()');
      await visit.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'leak-lab')");
      await visit.settled();
      return visit.snapshot();
    };
    const found = await back();
    assert.equal(found.step, leftAt);
    await visit.evaluate('history.forward()');
    await visit.until(`gradlockDemo.snapshot().then(({ digest }) => digest === '${peaks.digest}')`);
    assert.equal(await visit.evaluate('history.length'), length);
    await visit.reload();
    const again = await back();
    assert.deepEqual(again, found);
    await visit.open(`scene=leak-lab&beside=mask&step=${leftAt}`);
    const { digest, rivalDigest } = await visit.snapshot();
    assert.deepEqual([digest, rivalDigest], [found.digest, found.rivalDigest]);
  },

  async 'numbers are typed, read and learnt; what is none is named by its line'(visit) {
    await visit.open('scene=own&target=data');
    await visit.click(first('#own summary'));
    const told = '.message-text';
    const field = first('#own-numbers');
    const bring = async (/** @type {string} */ text) => {
      await visit.evaluate(`((field) => { field.value = ''; field.focus(); })(${field})`);
      await visit.page.keyboard.type(text);
      await visit.click(button('Use these numbers'));
    };
    await bring('1;0,5;0');
    assert.match(await visit.text(told), /at least two rows/);
    await choose(visit, first('#own input[type=file]'), {
      ...{ name: 'a.csv', type: 'text/csv' },
      text: 'a;b;c\n1;0,5;0\n0;x;1\n',
    });
    await visit.until(`${first(told)}.textContent.includes('Line 3')`);
    assert.match(await visit.text(told), /Line 3, cell 2: “x” is not a number/);
    await choose(visit, first('#own input[type=file]'), {
      ...{ name: 'a.json', type: 'application/json' },
      text: '[[1, 2],\n[3,, 4],\n[5, 6]]',
    });
    await visit.until(`${first(told)}.textContent.includes('not valid JSON')`);
    await choose(visit, first('#own input[type=file]'), {
      ...{ name: 'b.csv', type: 'text/csv' },
      text: '"a";"b";"c";\r\n1;0,5;0;\r\n0;0,25;-1;\r\n',
    });
    await visit.until('gradlockDemo.snapshot().then(({ values }) => values.length === 6)');
    await visit.steps(300);
    const { values } = await visit.snapshot();
    for (const [i, wanted] of [1, 0.5, 0, 0, 0.25, -1].entries()) {
      assert.ok(Math.abs(values[i] - wanted) < 0.01, `${values[i]} becomes ${wanted}`);
    }
  },

  async 'an image that is dropped anywhere opens as itself, but for some of its cells'(visit) {
    await visit.open('scene=peaks');
    await visit.evaluate(`(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 4, height: 2 });
      const pen = canvas.getContext('2d');
      [0, 51, 102, 255].forEach((grey, i) => {
        pen.fillStyle = 'rgb(' + grey + ' ' + grey + ' ' + grey + ')';
        pen.fillRect(i, 0, 1, 2);
      });
      const png = await new Promise((done) => canvas.toBlob(done));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([png], 'a.png', { type: 'image/png' }));
      const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
      document.querySelector('#chart').dispatchEvent(drop);
    })()`);
    await visit.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'own')");
    await visit.settled();
    const greys = [0, 51, 102, 255].map((grey) => Math.fround(grey / 127.5 - 1));
    const { values, locks } = await visit.snapshot();
    const image = [...greys, ...greys].map((grey, i) => (locks[i] ? grey : values[i]));
    assert.deepEqual(values, image);
    assert.equal(locks.join('').replaceAll('0', ''), '1111');
  },

  async 'a run that is saved opens at once, with all that was done to it'(visit) {
    await visit.open('scene=network');
    await visit.steps(40);
    await visit.click(button('Prune'));
    await visit.steps(40);
    const end = await visit.snapshot();
    await visit.click(first('#share summary'));
    const text = await saved(visit, () => visit.click(button('Run (JSON)')));
    await visit.open('scene=two-by-two');
    await choose(visit, first('#share input[type=file]'), {
      ...{ name: 'x.json', type: 'application/json' },
      text,
    });
    await visit.until(`gradlockDemo.snapshot().then(({ digest }) => digest === '${end.digest}')`);
    assert.deepEqual((await visit.snapshot()).locks, end.locks);
  },

  async 'a run that is saved as a page runs by itself, from a disk, to the same bits'(visit) {
    await visit.open('scene=kernels');
    await visit.steps(12);
    const { digest } = await visit.snapshot();
    await visit.click(first('#code summary'));
    const page = await saved(visit, () => visit.click(button('Save as a page that runs')));
    const folder = mkdtempSync(join(tmpdir(), 'gradlock-page-'));
    try {
      const file = join(folder, 'run.html');
      writeFileSync(file, page);
      await visit.page.goto(pathToFileURL(file).href);
      await visit.until(`${first('#printed')}?.textContent.trim()`);
      assert.equal((await visit.text('#printed')).trim(), digest);
      await visit.until(`${first('gradlock-grid')}?.shadowRoot.querySelector('.cell')`);
    } finally {
      rmSync(folder, { recursive: true });
    }
    await visit.open('scene=two-by-two');
  },

  async 'what is copied is pasted: the link of the run as it is'(visit) {
    await visit.open('scene=two-by-two');
    await visit.steps(5);
    await visit.click(first('#share summary'));
    await visit.click(button('Copy link'));
    await visit.until(`${first('#share .share-note')}.textContent !== ''`);
    assert.equal(await visit.text('#share .share-note'), 'Copied');
    await visit.evaluate(`(() => {
      const field = document.createElement('textarea');
      field.id = 'pasted';
      document.body.prepend(field);
      field.focus();
    })()`);
    await visit.press('v', 'Control');
    const link = /** @type {string} */ (await visit.evaluate(`${first('#pasted')}.value`));
    assert.match(link, /#v=1&scene=two-by-two&.*step=5/);
  },
};

inEngines(CLAIMS, true);
