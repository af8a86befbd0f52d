/** Builds the page: each view gets its place and what it may ask of the app. */

import { App } from './app.js';
import { scenes } from './scenes/index.js';
import { countLocked } from './state/locks.js';
import { strings } from './strings.js';
import { Chart } from './view/chart.js';
import { makePalette } from './view/colours.js';
import { Header, LockBar, RunBar, Settings } from './view/controls.js';
import { h } from './view/dom.js';
import { formatCount, formatNumber, parseNumber } from './view/format.js';
import { GridView, MAX_DOM_SIDE } from './view/grid.js';
import { Inspector } from './view/inspector.js';
import { explain } from './view/problems.js';
import { Legend, Loss, Messages, Speech } from './view/readout.js';

const place = (/** @type {string} */ id) =>
  /** @type {HTMLElement} */ (document.getElementById(id));
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const app = new App({
  open({ state: { rows, cols, scene, selected } }) {
    const words = strings.scenes[scene];
    place('lede').textContent = words?.lede ?? '';
    grid.open({ rows, cols, name: words?.name ?? scene, selected });
    inspector.open({ rows, cols, hasLens: Math.max(rows, cols) > MAX_DOM_SIDE });
    place('page').dataset.scene = scene;
    messages.clear();
  },
  show(state) {
    settings.show(state);
    locks.show(state);
    loss.show(state.logLoss);
    chart.setLog(state.logLoss);
    showTheme();
    grid.select(state.selected);
  },
  draw: () => draw(),
  trace: (pairs) => chart.add(pairs),
  mark: (step) => chart.mark(step),
  restart() {
    chart.clear();
    hasDiverged = false;
    messages.clear();
  },
  trouble(trouble) {
    if (trouble) messages.say(...explain(trouble, app.state.cols));
    else if (!hasDiverged) messages.clear();
  },
});

let palette = makePalette(false);
let hasDiverged = false;
/** Masks are replaced when they change, so each is counted once. */
let counted = { mask: app.mask, locked: 0 };

const toggle = () => app.locks.toggle(app.state.selected);
const grid = new GridView(place('grid'), {
  select: (selected) => app.change({ selected }),
  toggle: (index) => app.locks.toggle(index),
  beginStroke: (index) => app.locks.beginStroke(index, brush()),
  continueStroke: (index) => app.locks.continueStroke(index, brush()),
  extend: (from, to) => app.locks.extend(from, to),
  endGesture: () => app.locks.endGesture(),
  setValue(index, text) {
    const value = parseNumber(text);
    const kept = formatNumber(app.frame?.values[index] ?? 0);
    if (Number.isNaN(value)) messages.say(...explain({ kind: 'notANumber', given: text, kept }, 1));
    else app.assign(index, value);
  },
});
/** On small grids, where a cell is large, a brush is one cell. */
const brush = () => (Math.max(app.state.rows, app.state.cols) > MAX_DOM_SIDE ? app.state.brush : 1);
const header = new Header(place('scenes'), place('theme'), scenes, {
  open: (scene) => app.change({ scene }),
  toggleTheme: () => app.change({ theme: isDark() ? 'light' : 'dark' }),
});
const run = new RunBar(place('run'), {
  togglePlay: () => app.togglePlay(),
  step: (steps) => app.step(steps),
  reset: () => app.reset(),
});
const settings = new Settings(place('settings'), {
  change: (patch) => app.change(patch),
  optimizer: (patch, typed) => app.changeOptimizer(patch, typed),
});
const locks = new LockBar(place('locks'), {
  setAll: (isLocking) => app.locks.setAll(isLocking),
  invert: () => app.locks.invert(),
  undo: () => app.locks.undo(),
  redo: () => app.locks.redo(),
  change: (patch) => app.change(patch),
});
const inspector = new Inspector(place('inspector'), { toggle, edit: () => grid.edit(null) });
const loss = new Loss(place('loss'), { setLog: (logLoss) => app.change({ logLoss }) });
const chart = new Chart(place('chart'));
const legend = new Legend(place('legend'));
const messages = new Messages(place('messages'));
const speech = new Speech(place('speech'));

const isDark = () =>
  app.state.theme === 'auto' ? prefersDark.matches : app.state.theme === 'dark';

function showTheme() {
  const theme = isDark() ? 'dark' : 'light';
  header.show(app.state.scene, isDark());
  const root = document.documentElement;
  if (root.dataset.theme === theme) return;
  root.dataset.theme = theme;
  palette = makePalette(isDark());
  legend.show(palette, app.scene.reach);
  chart.restyle();
  draw();
}

/** @param {number} locked @returns {import('./view/controls.js').Status} */
function statusOf(locked) {
  const { frame, isPlaying, mask } = app;
  if (frame && !frame.isFinite) return 'diverged';
  if (locked === mask.length) return 'allLocked';
  if (frame?.isSettled && frame.step > 0) return 'settled';
  if (isPlaying) return 'running';
  return frame && frame.step > 0 ? 'paused' : 'ready';
}

function draw() {
  const { frame, mask, target, isPlaying, scene, state } = app;
  if (!frame) return;
  const model = { values: frame.values, mask, target, reach: scene.reach, palette, isPlaying };
  if (mask !== counted.mask) counted = { mask, locked: countLocked(mask) };
  const { locked } = counted;
  const status = statusOf(locked);
  grid.draw(model);
  run.draw(frame.step, status, isPlaying);
  loss.draw(frame.loss);
  locks.draw(locked, mask.length, frame.lockedMoved, app.locks);
  inspector.draw(state.selected, model, app.report);
  if (status === 'diverged' && !hasDiverged) messages.say(...explain({ kind: 'diverged' }, 1));
  hasDiverged = status === 'diverged';
  const count = strings.locks.count(formatCount(locked), formatCount(mask.length));
  const isResting = status !== 'running';
  const summary = [
    strings.status[status],
    formatCount(frame.step),
    formatNumber(frame.loss),
    count,
  ];
  speech.say(
    strings.spoken.summary(.../** @type {[string, string, string, string]} */ (summary)),
    isResting,
  );
}

function build() {
  place('tagline').textContent = strings.tagline;
  place('chart-key').append(h('span', { class: 'mark' }), strings.loss.marker);
  place('keys').append(
    h('h2', { class: 'section-title' }, strings.keys.label),
    h(
      'dl',
      { class: 'key-list' },
      ...strings.keys.list.map(([keys, does]) =>
        h('div', {}, h('dt', {}, keys), h('dd', {}, does)),
      ),
    ),
  );
  prefersDark.addEventListener('change', showTheme);
  document.addEventListener('keydown', (event) => {
    const isField = event.target instanceof HTMLElement && event.target.matches('input');
    if (!(event.ctrlKey || event.metaKey) || isField) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (key === 'y' || event.shiftKey) app.locks.redo();
    else app.locks.undo();
  });
}

build();
showTheme();
app.start();

/**
 * For tests and teachers' consoles:
 *   await gradlockDemo.snapshot()        values, bits, locks, loss and step, exactly (engine/protocol.js)
 *   await gradlockDemo.step(50)          train, as the button does
 *   await gradlockDemo.change({ … })     whatever state/state.js allows, refused as kindly
 */
Object.assign(window, {
  gradlockDemo: {
    snapshot: () => app.snapshot(),
    step: (/** @type {number} */ steps) => app.step(steps),
    change: (/** @type {Record<string, unknown>} */ patch) => app.change(patch),
  },
});
