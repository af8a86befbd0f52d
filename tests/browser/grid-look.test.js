/* What a grid looks like where it has to: in forced colours, in small cells, and where cells moved
 * although they are held. */
import assert from 'node:assert/strict';
import { inChromium } from './grid-harness.js';

const LOOK = `
      /** Of a size, of a value everywhere, and locked on its right half. */
      window.square = (side, width, more = {}) => {
        const values = new Float32Array(side * side).fill(1);
        const locks = Array.from(values, (_, i) => i % side >= side / 2);
        const grid = make({ source: { rows: side, cols: side, values, locks, ...more } });
        grid.style.width = width + 'px';
        return grid;
      };
      /** Of the layer of locks, in a cell: how many pixels are not clear, and of how many colours. */
      window.inked = (grid, index, side) => {
        const canvas = inside(grid, '.grid-locks')[0];
        const size = canvas.width / side;
        const [x, y] = [(index % side) * size, Math.floor(index / side) * size];
        const from = [Math.ceil(x), Math.ceil(y), Math.floor(size), Math.floor(size)];
        const pixels = new Uint32Array(canvas.getContext('2d').getImageData(...from).data.buffer);
        const seen = pixels.filter((pixel) => pixel >>> 24 > 8);
        return [seen.length / pixels.length, new Set(seen).size];
      };`;

/**
 * @param {string} claim
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(run: (script: string) => Promise<any>) => Promise<void>} body
 */
const onPage = (claim, options, body) =>
  inChromium(
    claim,
    async (_, run) => {
      await run(LOOK);
      await body(run);
    },
    { viewport: { width: 800, height: 800 }, ...options },
  );

/** @param {string} claim @param {import('playwright-core').BrowserContextOptions} options @param {Parameters<typeof onPage>[2]} body */
const inForced = (claim, options, body) =>
  onPage(claim, { ...options, forcedColors: 'active' }, body);

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  inForced(
    `forced colours, ${colorScheme}: cells keep number, border, outline and padlock`,
    { colorScheme },
    async (run) => {
      const [free, locked, probe] = await run(`
      const grid = square(2, 300);
      await frames(3);
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.cssText = 'color: CanvasText; background: Canvas';
      const { color, backgroundColor } = getComputedStyle(probe);
      const look = (cell) => {
        const own = getComputedStyle(cell);
        const part = (selector) => getComputedStyle(cell.querySelector(selector));
        return {
          number: cell.querySelector('.cell-value').textContent,
          ink: part('.cell-value').color,
          ground: own.backgroundColor,
          border: [own.borderTopStyle, own.borderTopColor],
          outline: getComputedStyle(cell, '::before').borderTopColor,
          outlines: getComputedStyle(cell, '::before').content !== 'none',
          padlock: part('.cell-lock').opacity,
          stroke: part('.icon').stroke,
        };
      };
      const cells = inside(grid, '.cell');
      return [look(cells[0]), look(cells[1]), { color, backgroundColor }];`);
      const { color, backgroundColor } = probe;
      const both = { number: '1.00', ink: color, ground: backgroundColor, stroke: color };
      const all = { ...both, border: ['solid', color], outline: color };
      assert.deepEqual(locked, { ...all, padlock: '1', outlines: true });
      assert.deepEqual(free, { ...all, padlock: '0', outlines: false });
    },
  );
}

inForced(
  'forced colours: where no number fits, cells keep the colour of their values, border and outline',
  {},
  async (run) => {
    const [free, locked, fill] = await run(`
    const grid = square(8, 100);
    await frames(3);
    const look = (cell) => {
      const { backgroundColor, borderTopStyle } = getComputedStyle(cell);
      return [backgroundColor, borderTopStyle,
        getComputedStyle(cell, '::before').content !== 'none'];
    };
    const cells = inside(grid, '.cell');
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.forcedColorAdjust = 'none';
    probe.style.background = cells[0].style.getPropertyValue('--fill');
    return [look(cells[0]), look(cells[7]), getComputedStyle(probe).backgroundColor];`);
    assert.deepEqual(free, [fill, 'solid', false]);
    assert.deepEqual(locked, [fill, 'solid', true]);
  },
);

inForced(
  'forced colours: a canvas keeps its border, and outlines of locked cells',
  {},
  async (run) => {
    const [free, locked, outline] = await run(`
    const grid = square(20, 400);
    await frames(3);
    const { outlineStyle, outlineWidth } = getComputedStyle(inside(grid, '.grid')[0]);
    return [inked(grid, 9, 20), inked(grid, 10, 20), [outlineStyle, outlineWidth]];`);
    assert.deepEqual(free, [0, 0]);
    assert.ok(locked[0] > 0);
    assert.deepEqual(outline, ['solid', '1px']);
  },
);

for (const [side, width] of /** @type {const} */ ([
  [17, 510],
  [64, 512],
  [200, 400],
])) {
  onPage(
    `of ${side} × ${side} cells a line is drawn inside locked regions and at the grid’s edge, and all others are clear`,
    {},
    async (run) => {
      const cells = await run(`
      const grid = square(${side}, ${width});
      await frames(3);
      const at = [0, ${side >> 1} - 1 + ${side % 2}, ${side} - 2, ${side >> 1} + ${side % 2}, ${side} - 1];
      const half = at.map((col) => inked(grid, 3 * ${side} + col, ${side})[0]);
      grid.source.locks.fill(true);
      grid.refresh();
      return [...half, ...[0, ${side >> 1}].map((col) => inked(grid, col, ${side})[0])];`);
      assert.deepEqual(cells.slice(0, 3), [0, 0, 0]);
      const edges = ['the first locked column', 'the last', 'all locked: corner', 'top'];
      for (const [i, edge] of edges.entries()) assert.ok(cells[3 + i] > 0, edge);
    },
  );
}

onPage(
  'a held cell that moved has an outline of its own on canvases, half of it is as it was, until it is back, and that is read aloud',
  {},
  async (run) => {
    const [before, moved, label, back, edges] = await run(`
    const held = new Float32Array(400).fill(1);
    const grid = square(20, 400, { held });
    const dots = (canvas = inside(grid, '.grid-locks')[0]) => [15, 16, 17, 0].map((index) => {
      const size = canvas.width / 20;
      const at = [(index + 0.4) * size, 0.6 * size, 1, 1];
      return canvas.getContext('2d').getImageData(...at).data.join();
    });
    await frames(3);
    const before = dots();
    // The locks are the same, a value is not: of a locked cell, and of a free one.
    grid.source.values[16] = 1.5;
    grid.source.values[0] = 1.5;
    grid.refresh();
    const [moved, [colour]] = [dots(), dots(inside(grid, '.grid-values')[0])];
    const edges = [15, 16].map((index) => {
      const canvas = inside(grid, '.grid-locks')[0];
      const at = [(index + 0.5) * (canvas.width / 20), 0, 1, 1];
      return canvas.getContext('2d').getImageData(...at).data.join();
    });
    grid.selected = 16;
    const [label] = labels(grid);
    grid.source.values[16] = 1;
    grid.refresh();
    return [before, [moved, colour], label, dots(), edges];`);
    assert.deepEqual(moved[0], [before[0], moved[1], before[2], before[3]]);
    assert.notEqual(before[1], moved[1]);
    assert.equal(label, 'Row 1, column 17, value 1.5000, locked, drifted by 0.5000');
    assert.deepEqual(back, before);
    assert.equal(edges[1], '122,46,99,255');
    assert.notEqual(edges[0], edges[1]);
  },
);

onPage('half of a held cell that moved has its old colour, until it is back', {}, async (run) => {
  const [before, moved, back] = await run(`
    const grid = square(8, 400, { held: new Float32Array(64).fill(1) });
    const halves = () => [6, 7].map((index) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(inside(grid, '.cell')[index]);
      return [backgroundColor, backgroundImage];
    });
    const set = (value) => {
      grid.source.values[7] = value;
      grid.refresh();
      return halves();
    };
    await frames(3);
    return [halves(), set(-1), set(1)];`);
  const [[old, none]] = before;
  assert.equal(none, 'none');
  assert.deepEqual(moved[0], before[0], 'one that has not moved');
  assert.notEqual(moved[1][0], old);
  assert.ok(moved[1][1].includes(old), `${old} in ${moved[1][1]}`);
  assert.deepEqual(back, before);
});

onPage('a locked cell’s line has one of paper inside, also in small cells', {}, async (run) => {
  const [ink, paper] = await run(`
    const grid = square(8, 100);
    grid.style.colorScheme = 'dark';
    grid.restyle();
    await frames(3);
    const { borderTopColor, boxShadow } = getComputedStyle(inside(grid, '.cell')[7], '::before');
    return [borderTopColor, boxShadow];`);
  assert.equal(ink, 'rgb(236, 234, 230)');
  assert.match(paper, /^rgb\(31, 34, 38\) 0px 0px 0px (0\.[5-9]|1)\d*px inset$/);
});
