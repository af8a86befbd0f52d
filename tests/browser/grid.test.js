/* gradlock/grid on a page: what it shows of its source, while it trains and when it fails, in which
 * words, and at what cost. tests/engines/grid.test.js has what engines may do in their own way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objections } from './axe.js';
import { inChromium, newPage, served } from './grid-harness.js';
import { KIT } from './grid-kit.js';

inChromium('a variable is shown with its numbers and locks, and follows both', async (_, run) => {
  const [texts, locks, labels] = await run(`
    window.x = g.variable([[1, -2.5], [0.25, 4]], { name: 'x' }).lock([[0, 1]]);
    window.grid = make({ variable: x });
    return [texts(grid), pressed(grid), labels(grid)];`);
  assert.deepEqual(texts, ['1.00', '−2.50', '0.25', '4.00']);
  assert.equal(locks, '0100');
  assert.equal(labels[1], 'Row 1, column 2, value −2.50, locked');
  const later = await run(`
    x.assign([[9, -2.5], [0.25, 4]]);
    x.lock([[1, 1]]);
    await frames();
    return [texts(grid)[0], pressed(grid)];`);
  assert.deepEqual(later, ['9.00', '0101']);
});

inChromium('what another holder holds stays locked', async (page, run) => {
  await run(`
    window.x = g.variable([[1, 2]]);
    x.locks.holder('teacher').lock([0]);
    window.grid = make({ variable: x });
    grid.focus();`);
  await page.keyboard.press(' ');
  assert.equal(await run('return pressed(grid);'), '10');
});

inChromium('a source of any origin is shown, and edited in its own arrays', async (page, run) => {
  const found = await run(`
    window.source = { rows: 1, cols: 2, values: [1, 2], locks: [true, false], name: 'mine' };
    window.grid = make({ source });
    const first = [texts(grid), pressed(grid)];
    source.values[1] = 5;
    grid.refresh();
    return [first, texts(grid), inside(grid, '.grid')[0].getAttribute('aria-label')];`);
  assert.deepEqual(found, [
    [['1.00', '2.00'], '10'],
    ['1.00', '5.00'],
    'mine, 1 rows by 2 columns. Press to lock or free.',
  ]);
  await run('grid.focus();');
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(' ');
  assert.deepEqual(await run('return [source.locks, pressed(grid)];'), [[false, true], '01']);
  assert.deepEqual(await run('grid.show([8, 9], [0, 0]); return [texts(grid), pressed(grid)];'), [
    ['8.00', '9.00'],
    '00',
  ]);
});

inChromium(
  'a cell is pulled by a drag, in hundredths of the reach, and locks by a click',
  async (page, run) => {
    const [x, y] = await run(`
    window.source = { rows: 1, cols: 2, values: [0.5, 2], locks: [false, true] };
    window.grid = make({ source, reach: 2, pull: true });
    window.pulls = [];
    grid.addEventListener('cellpull', ({ detail: { type, value } }) => pulls.push([type, value]));
    const { left, top, width, height } = inside(grid, '.cell')[0].getBoundingClientRect();
    return [left + width / 2, top + height / 2];`);
    const drag = async (/** @type {number} */ at, /** @type {number} */ up) => {
      await page.mouse.move(at, y);
      await page.mouse.down();
      await page.mouse.move(at, y - up);
      await page.mouse.up();
    };
    await drag(x, 2);
    assert.deepEqual(await run('return [pulls, source.locks];'), [[], [true, true]]);
    await drag(x, 2);
    await drag(x, 30);
    await drag(x, -55);
    assert.deepEqual(await run('return [pulls, source.values, source.locks];'), [
      [
        ['begin', 0.5],
        ['move', 1.1],
        ['end', 0.5],
        ['begin', 1.1],
        ['move', 0],
        ['end', 1.1],
      ],
      [0, 2],
      [false, true],
    ]);
    // What is locked stays, and a listener may refuse.
    const box = await run(
      `const { left, width } = inside(grid, '.cell')[1].getBoundingClientRect(); return left + width / 2;`,
    );
    await drag(box, 40);
    assert.equal(await run('return source.values[1];'), 2);
    await run(`grid.addEventListener('cellpull', (event) => event.preventDefault());`);
    await drag(x, 40);
    assert.equal(await run('return source.values[0];'), 0);
  },
);

inChromium('a source that fails is named once, and the last picture stays', async (_, run) => {
  const found = await run(`
    const good = { rows: 1, cols: 2, values: [1, 2], name: 'weights' };
    const grid = make({ source: good });
    const told = [];
    const tell = (source) => {
      grid.source = source;
      told.push([grid.told.splice(0), texts(grid)]);
    };
    tell({ ...good, values: () => { throw new Error(''); } });
    tell({ ...good, values: [1, 2, 3] });
    tell({ ...good, locks: [1] });
    tell({ ...good, rows: 0 });
    tell({ ...good, values: () => { throw new Error('out of order'); } });
    tell(5);
    grid.show([1]);
    grid.show([1]);
    told.push([grid.told.splice(0), texts(grid)]);
    grid.show([3, 4]);
    told.push([grid.told.splice(0), texts(grid)]);
    return told;`);
  const kept = ['1.00', '2.00'];
  const name = '<gradlock-grid> weights:';
  assert.deepEqual(found, [
    [[`${name} `], kept],
    [[`${name} values has length 3, but 1 rows of 2 need 2`], kept],
    [[`${name} locks has length 1, but 1 rows of 2 need 2`], kept],
    [[`${name} rows and cols must be integers from 1 to 16384, got 0 and 2`], kept],
    [[`${name} out of order`], kept],
    [[`${name} a source must have rows, cols and values, got 5`], kept],
    [[`${name} values has length 1, but 1 rows of 2 need 2`], kept],
    [[], ['3.00', '4.00']],
  ]);
});

inChromium(
  'a live source that fails for a while is named once, and followed again',
  async (_, run) => {
    const found = await run(`
    let version = 0;
    let fails = false;
    const values = () => { if (fails) throw new Error('gone'); return [version]; };
    const grid = make({ source: { rows: 1, cols: 1, values, version: () => version, name: 'w' } });
    fails = true;
    for (let i = 0; i < 5; i++) { version++; await frames(); }
    const during = [grid.told.splice(0), texts(grid)];
    fails = false;
    version++;
    await frames();
    return [during, grid.told, texts(grid)];`);
    assert.deepEqual(found, [[['<gradlock-grid> w: gone'], ['0.00']], [], ['6.00']]);
  },
);

inChromium('what is not a number has a colour of its own and is told of once', async (_, run) => {
  const found = await run(`
    const x = g.variable([[1, NaN], [NaN, Infinity]], { name: 'x' });
    const grid = make({ variable: x });
    const fill = (i) => inside(grid, '.cell')[i].style.getPropertyValue('--fill');
    const first = [grid.told.slice(), texts(grid), fill(1) === fill(2), fill(1) === fill(3)];
    x.assign([[2, NaN], [NaN, 1]]);
    await frames();
    const same = grid.told.length;
    x.assign([[2, 1], [1, 1]]);
    await frames();
    x.assign([[2, 1], [NaN, 1]]);
    await frames();
    return [first, same, grid.told];`);
  assert.deepEqual(found, [
    [
      ['<gradlock-grid> x: the value of row 1, column 2 is NaN'],
      ['1.00', 'NaN', 'NaN', '∞'],
      true,
      false,
    ],
    1,
    [
      '<gradlock-grid> x: the value of row 1, column 2 is NaN',
      '<gradlock-grid> x: the value of row 2, column 1 is NaN',
    ],
  ]);
});

inChromium(
  'a disposed variable is let go of and named, and its last picture stays',
  async (_, run) => {
    const found = await run(`
    const x = g.variable([[1, 2]], { name: 'x' });
    const grid = make({ variable: x });
    x.dispose();
    await frames(4);
    grid.refresh();
    return [grid.told, texts(grid), grid.variable];`);
    assert.deepEqual(found, [
      ['<gradlock-grid> x: the variable is disposed'],
      ['1.00', '2.00'],
      null,
    ]);
  },
);

inChromium(
  'two grids of one variable agree; one that is taken out rests, and put back is up to date',
  async (_, run) => {
    const found = await run(`
    const x = g.variable([[1, 2]]);
    let asked = 0;
    const counting = { get version() { asked++; return x.version; } };
    const one = make({ variable: x });
    const two = make({ source: { rows: 1, cols: 2, values: () => x.data(), version: () => counting.version } });
    x.assign([[3, 4]]);
    await frames();
    const both = [texts(one), texts(two)];
    two.remove();
    const before = asked;
    x.assign([[5, 6]]);
    await frames(4);
    const rested = asked === before && texts(two)[0] === '3.00';
    document.querySelector('main').append(two);
    const back = texts(two);
    x.assign([[7, 8]]);
    await frames();
    return [both, rested, back, texts(two)];`);
    assert.deepEqual(found, [
      [
        ['3.00', '4.00'],
        ['3.00', '4.00'],
      ],
      true,
      ['5.00', '6.00'],
      ['7.00', '8.00'],
    ]);
  },
);

inChromium('off screen it rests, and is up to date when it is scrolled to', async (_, run) => {
  const found = await run(`
    const x = g.variable([[1]]);
    const grid = make({ variable: x });
    grid.style.marginTop = '5000px';
    await frames(6);
    x.assign([[2]]);
    await frames(4);
    const away = texts(grid);
    grid.scrollIntoView();
    await frames(6);
    return [away, texts(grid)];`);
  assert.deepEqual(found, [['1.00'], ['2.00']]);
});

inChromium(
  'a page says it in German, in an own language, or in none, and never throws',
  async (_, run) => {
    const found = await run(`
    const source = { rows: 1, cols: 1, values: [1] };
    const say = (attributes, more = {}) => labels(make({ ...more, source }, attributes))[0];
    words.xx = { cell: (row, col) => row + '/' + col };
    const text = [
      say({ lang: 'de-AT' }), say({ lang: 'xx' }), say({ lang: 'C' }), say({ lang: '__proto__' }),
      say({}, { words: { cell: () => 'mine' } }),
    ];
    document.documentElement.lang = 'de_DE.UTF-8';
    return [...text, say({})];`);
    const german = 'Zeile 1, Spalte 1, Wert 1.00, frei';
    const english = 'Row 1, column 1, value 1.00, free';
    assert.deepEqual(found, [german, '1/1', english, english, 'mine', german]);
  },
);

inChromium('its language is that of the page around it, whatever stands there', async (_, run) => {
  const found = await run(`
    const source = { rows: 1, cols: 1, values: [1] };
    const within = (markup) => {
      const main = document.querySelector('main');
      main.innerHTML = markup;
      const grid = Object.assign(document.createElement('gradlock-grid'), { source });
      (main.querySelector('.here') ?? main).append(grid);
      return labels(grid)[0].split(' ')[0];
    };
    const text = [
      within('<form lang="de"><select name="lang"></select><p class="here"></p></form>'),
      within('<svg lang="de"><foreignObject class="here"></foreignObject></svg>'),
      within('<div lang="de"><p lang="" class="here"></p></div>'),
    ];
    document.documentElement.removeAttribute('lang');
    return [...text, within('<form name="host"><p class="here"></p></form>') !== undefined];`);
  assert.deepEqual(found, ['Zeile', 'Zeile', 'Zeile', true]);
});

inChromium(
  'axe finds nothing wrong with cells, names, canvas, editor and a dark page',
  async (page, run) => {
    await run(`
    document.querySelector('main').style.background = 'Canvas';
    const values = Float32Array.from({ length: 48 }, (_, i) => Math.sin(i));
    const x = g.variable(values, { shape: [4, 12], name: 'x' }).lock({ rows: [1] });
    window.grid = make({ variable: x, rowNames: ['a', 'b', 'c', 'd'], colNames: ['one'] }, { editable: '' });
    make({ variable: g.variable([[1, -2], [3, 4]], { name: 'y' }), scale: 'sequential' });
    make({ variable: g.variable(new Float32Array(900), { shape: [30, 30], name: 'big' }) });
    grid.focus();`);
    await page.keyboard.press('F2');
    assert.deepEqual(await objections(page), []);
    await page.keyboard.press('Escape');
    await run(`document.documentElement.style.colorScheme = 'dark';
    for (const grid of document.querySelectorAll('gradlock-grid')) grid.restyle();`);
    assert.deepEqual(await objections(page), []);
  },
);

inChromium('of any rank a variable is rows of its last axis', async (_, run) => {
  const shapes = await run(`
    return [[], [3], [2, 3], [2, 3, 4], [2, 2, 2, 5]].map((shape) => {
      const size = shape.reduce((a, b) => a * b, 1);
      const { rows, cols } = make({ variable: g.variable(new Float32Array(size), { shape }) }).source;
      return [rows, cols];
    });`);
  assert.deepEqual(shapes, [
    [1, 1],
    [1, 3],
    [2, 3],
    [6, 4],
    [8, 5],
  ]);
});

inChromium('properties that were set before the element was defined are taken', async (_, run) => {
  const found = await run(`
    // An element of another document is upgraded when it comes into this one.
    const foreign = new DOMParser().parseFromString('<gradlock-grid></gradlock-grid>', 'text/html');
    const grid = foreign.querySelector('gradlock-grid');
    grid.source = { rows: 1, cols: 1, values: [4] };
    document.querySelector('main').append(grid);
    return [grid instanceof GradlockGrid, texts(grid)];`);
  assert.deepEqual(found, [true, ['4.00']]);
});

/** Draws 1024 × 1024 values, other ones each frame. */
const MANY = `
  const values = Float32Array.from({ length: 1024 * 1024 }, (_, i) => Math.sin(i / 999));
  const locks = Uint8Array.from({ length: 1024 * 1024 }, (_, i) => Number(i % 1024 < 99));
  let version = 0;
  let drawn = 0;
  make({
    source: {
      rows: 1024,
      cols: 1024,
      values: () => { drawn++; return values; },
      locks: () => locks,
      version: () => version,
    },
  });
  window.draw = async (count) => {
    drawn = 0;
    for (let i = 0; i < count; i++) {
      values[0] = i;
      version++;
      await frames(1);
    }
    return drawn;
  };`;

inChromium('a frame of 1024 × 1024 makes no buffer, image or canvas', async (_, run) => {
  const [made, drawn] = await run(`${MANY}
    await draw(5);
    const made = [];
    for (const name of ['Float32Array', 'Uint32Array', 'Uint8Array', 'Int32Array', 'ImageData']) {
      globalThis[name] = new Proxy(globalThis[name], {
        construct(target, given) {
          made.push(name);
          return Reflect.construct(target, given);
        },
        get: (target, key) => (key === 'from' && made.push(name + '.from'), Reflect.get(target, key)),
      });
    }
    const { createElement } = document;
    document.createElement = (name) => { made.push(name); return createElement.call(document, name); };
    for (const name of ['slice', 'map', 'filter']) {
      const { prototype } = Object.getPrototypeOf(Int8Array);
      const method = prototype[name];
      prototype[name] = function (...given) { made.push(name); return method.apply(this, given); };
    }
    return [made, await draw(20)];`);
  assert.ok(drawn >= 19, `${drawn} frames`);
  assert.deepEqual(made, []);
});

test('a hundred frames of 1024 × 1024 leave the heap as it was', async () => {
  const page = await newPage('Chromium');
  await page.goto(`${served.url}tests/browser/blank.html`);
  const session = await page.context().newCDPSession(page);
  await page.evaluate(`(async () => {${KIT(served.url)} ${MANY}})()`);
  await page.evaluate('draw(60)');
  // Engines box numbers until they have compiled the loops; a list of values would be 8 MB a frame.
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.startSampling', {
    samplingInterval: 4096,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await page.evaluate('draw(100)');
  const { profile } = await session.send('HeapProfiler.stopSampling');
  const allocated = profile.samples.reduce(
    (/** @type {number} */ sum, /** @type {{ size: number }} */ { size }) => sum + size,
    0,
  );
  assert.ok(allocated < 100 * 100_000, `${allocated} bytes in 100 frames`);
  await page.close();
});
