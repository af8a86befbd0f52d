/** Builds the page: each view gets its place and what it may ask of the app. */

import { MAX_DOM_SIDE, makePalette } from 'gradlock/grid';
import { Address } from './address.js';
import { App } from './app.js';
import { scenes } from '../scenes/index.js';
import { fromFile, toFile } from '../state/file.js';
import { countLocked } from '../state/locks.js';
import { setupOf } from '../state/state.js';
import { language, namesOf, sceneWords, strings } from '../strings/index.js';
import { Board } from '../view/board.js';
import { Chart } from '../view/chart.js';
import { CodePanel } from '../view/code-panel.js';
import { Header, LockBar, nameOfBeside, RunBar, Settings } from '../view/controls.js';
import { Detail } from '../view/detail.js';
import { h, setText } from '../view/dom.js';
import { toCsv, toPicture } from '../view/export.js';
import { formatCount, formatNumber, parseNumber, problemOf } from '../view/format.js';
import { Guess } from '../view/guess.js';
import { Inspector } from '../view/inspector.js';
import { Lesson } from '../view/lesson.js';
import { OwnPanel } from '../view/own.js';
import { explain } from '../view/problems.js';
import { Progress } from '../view/progress.js';
import { Legend, Loss, Messages, Speech } from '../view/readout.js';
import { Scrubber } from '../view/scrubber.js';
import { download, Share } from '../view/share.js';

/** @typedef {import('../scenes/lessons.js').Act} Act */

const place = (/** @type {string} */ id) =>
  /** @type {HTMLElement} */ (document.getElementById(id));
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const app = new App({
  open() {
    const { state, layout, scene, figure } = app;
    const words = sceneWords(state.scene);
    const names = namesOfParts();
    place('lede').textContent = words.lede;
    const isRival = hasRival();
    board.open({
      scene: state.scene,
      name: words.name,
      layout,
      rowNames: names.rows,
      colNames: names.cols,
      cellSizes: scene.cellSizes?.(setupOf(state)) ?? {},
      gridNames: names.grids,
      gridHint: ('whole' in words && words.whole) || strings.locks.matrix,
      figures: scene.figures ?? [],
      shown: figure,
      words: {
        figures: 'figures' in words ? (words.figures ?? {}) : {},
        name: namesOf(state.scene),
      },
      selected: state.selected,
      beside: headingOfBeside(),
      isRival,
    });
    const { rows, cols } = layout[0];
    const hasLens = layout.length === 1 && Math.max(rows, cols) > MAX_DOM_SIDE;
    inspector.open({ layout, hasLens, names });
    place('page').dataset.scene = state.scene;
    place('page').classList.add('is-open');
    place('rival-key').hidden = !isRival;
    place('test-key').hidden = scene.hasTest !== true;
    showChart();
    own.show(scene.takesOwn === true);
    guess.open(state.scene);
    if (lesson.scene && lesson.scene !== state.scene) lesson.close();
    messages.clear();
    legend.show(palette, app.reach, app.state.beside === 'mask');
    draw();
  },
  show(state) {
    settings.show(state);
    locks.show(state);
    loss.show(state.logLoss);
    chart.setLog(state.logLoss);
    showTheme();
    board.select(state.selected);
  },
  draw() {
    const began = performance.now();
    draw();
    drawTime = performance.now() - began;
    if (!hasDrawn && app.frame) performance.mark('interactive');
    hasDrawn ||= app.frame !== null;
  },
  trace: (trace) => chart.add(trace, app.frame?.readings?.testLoss?.[0]),
  mark: (step) => chart.mark(step),
  restart(marks) {
    chart.clear(marks);
    hasDiverged = false;
    messages.clear();
  },
  trouble(trouble) {
    if (trouble) messages.say(...explain(trouble));
    else if (!hasDiverged) messages.clear();
  },
  changed() {
    address.remember();
    share.refresh();
    codePanel.refresh();
  },
  opened: (left, now) => address.opened(left, now),
});

let palette = makePalette(false);
/** For what starts at 0. */
let sequential = makePalette(false, 'sequential');
let hasDiverged = false;
let hasDrawn = false;
/** What the last drawing took, in ms. */
let drawTime = 0;
/** Masks are replaced when they change, so each is counted once. */
let counted = { mask: app.mask, locked: 0, isGiven: false };

const board = new Board(place('grid'), {
  select: (selected) => app.change({ selected }),
  toggle: (/** @type {number} */ from, /** @type {number} */ to = from) =>
    app.locks.toggle(from, to),
  beginStroke: (index) => app.locks.beginStroke(index, brush()),
  continueStroke: (index) => app.locks.continueStroke(index, brush()),
  extend: (from, to) => app.locks.extend(from, to),
  endGesture: () => app.locks.endGesture(),
  assign: (index, value) => app.assign(index, value),
  lock: (cells, isLocking) => app.locks.set(cells, isLocking),
  hold: (cells) => app.hold(cells),
  place: (values) => app.place(values),
  release: () => app.release(),
  say: (text) => speech.tell(text),
  tell: (name, values) => app.tell(name, values),
  study: (isOn) => app.runStudy(isOn),
  openRun: (recipe) => app.openStudied(recipe),
  pruneAnew: (fraction) => app.pruneAnew(fraction),
  setValue(index, text) {
    const value = parseNumber(text);
    const kept = formatNumber(app.frame?.values[index] ?? 0);
    const why = problemOf(text, value);
    if (why) messages.say(...explain({ kind: why, given: text, kept }));
    else app.assign(index, value);
  },
});
/** On small grids, where a cell is large, a brush is one cell. */
const brush = () => (Math.max(app.state.rows, app.state.cols) > MAX_DOM_SIDE ? app.state.brush : 1);
const header = new Header(place('scenes'), place('theme'), scenes, {
  open: (scene) => app.change({ scene }),
  toggleTheme: () => app.change({ theme: isDark() ? 'light' : 'dark' }),
  speak: (tag) => address.speak(tag),
});
const run = new RunBar(place('run'), {
  togglePlay: () => app.togglePlay(),
  step: (steps) => app.train(steps),
  reset: () => app.reset(),
});
const scrubber = new Scrubber(place('scrubber'), {
  peek: (where) => app.peek(where),
});
const progress = new Progress(place('progress'), { cancel: () => app.cancel() });
const settings = new Settings(place('settings'), {
  change: (patch) => app.change(patch),
  optimizer: (patch, typed) => app.changeOptimizer(patch, typed),
});
const locks = new LockBar(place('locks'), {
  setAll: (isLocking) => app.locks.setAll(isLocking),
  invert: () => app.locks.invert(),
  undo: () => app.undo(),
  redo: () => app.redo(),
  prune: (fraction) => app.prune(fraction),
  drawByTouch: (isDrawing) => board.drawByTouch(isDrawing),
  change: (patch) => app.change(patch),
});
const inspector = new Inspector(place('inspector'), {
  toggle: () => app.locks.toggle(app.state.selected),
  edit: () => board.edit(),
});
const loss = new Loss(place('loss'), {
  setLog: (logLoss) => app.change({ logLoss }),
  setDrift(isDrift) {
    wantsDrift = isDrift;
    showChart();
  },
});
/** Beside a mask the chart shows how far it lets cells go, unless a person asks for the loss. */
let wantsDrift = true;
function showChart() {
  const hasDrift = app.state.beside === 'mask';
  chart.setDrift(hasDrift && wantsDrift);
  loss.showDrift(hasDrift, wantsDrift);
  const { drift, loss: words } = strings;
  const label = hasDrift && wantsDrift ? drift.mask : words.rival;
  place('rival-key').replaceChildren(h('span', { class: 'dash' }), label);
}
const chart = new Chart(place('chart'));
const guess = new Guess(place('guess'), place('guessed'), () => lesson.guessed());
const legend = new Legend(place('legend'));
const messages = new Messages(place('messages'));
const speech = new Speech(place('speech'));
const own = new OwnPanel(place('own'), {
  bring(brought, isImage) {
    const { scene, choices } = app.state;
    const isLearnt = scene !== 'own' || choices.target === 'data';
    // An image starts as it is, so it is to become something else.
    const target = isImage && isLearnt ? { choices: { target: 'mirror' } } : {};
    app.change({ scene: 'own', own: brought, ...target });
  },
  openRun,
  refuse: (problem) => messages.say(...explain({ kind: 'own', problem })),
});
const share = new Share(place('share'), {
  link: () => address.link(),
  async text(kind) {
    if (kind === 'code') return app.code();
    if (kind === 'json') {
      const { state, checkpoint } = await app.saved();
      return toFile(state, checkpoint);
    }
    return toCsv(app.layout, shown()?.values ?? new Float32Array(0));
  },
  picture: () => toPicture(app.layout, gridModel()),
  openFile: openRun,
});
const codePanel = new CodePanel(place('code'), {
  code: () => app.code(),
  name: () => sceneWords(app.state.scene).name,
  save: download,
});
const lesson = new Lesson(place('lesson'), {
  act: (acts) => perform(acts),
  reveal: (area) => detail.reveal(area),
  asks: () => guess.isAsking,
});
const address = new Address(app, () => messages.say(...explain({ kind: 'tooLong' })));

/** @param {string} text of a saved file */
async function openRun(text) {
  const run = fromFile(text);
  if (run) await app.open(run.candidate, undefined, { checkpoint: run.checkpoint });
  else messages.say(...explain({ kind: 'file' }));
}

/** What a lesson's button does. @param {Act[]} acts */
async function perform(acts) {
  for (const act of acts) {
    if ('train' in act) await app.train(act.train);
    else if ('state' in act) await app.change(act.state);
    else if ('rule' in act) await app.changeOptimizer({ rule: act.rule });
    else if ('prune' in act) await app.prune(act.prune);
    else if ('pruneAnew' in act) await app.pruneAnew(act.pruneAnew);
    else if ('study' in act) await app.runStudy(act.study);
    else if ('toggle' in act) app.locks.toggle(act.toggle);
    else if ('free' in act) app.locks.setAll(false);
    else if ('reset' in act) await app.reset();
    else await app.change({ selected: act.select });
  }
}

/** What the scene's variables, their rows and columns are called. */
function namesOfParts() {
  const { scene, state } = app;
  const words = sceneWords(scene.id);
  const name = namesOf(scene.id);
  const all = (/** @type {Record<string, string[]> | undefined} */ names) =>
    Object.fromEntries(Object.entries(names ?? {}).map(([part, keys]) => [part, keys.map(name)]));
  return {
    grids: 'grids' in words ? (words.grids ?? {}) : {},
    rows: all(scene.rowNames?.({ ...state })),
    cols: all(scene.colNames?.({ ...state })),
  };
}

const isDark = () =>
  app.state.theme === 'auto' ? prefersDark.matches : app.state.theme === 'dark';

function showTheme() {
  const theme = isDark() ? 'dark' : 'light';
  header.show(app.state.scene, isDark());
  const root = document.documentElement;
  if (root.dataset.theme === theme) return;
  root.dataset.theme = theme;
  palette = makePalette(isDark());
  sequential = makePalette(isDark(), 'sequential');
  legend.show(palette, app.reach, app.state.beside === 'mask');
  chart.restyle();
  draw();
}

/** Whether another run is beside this one. */
const hasRival = () => app.state.beside === 'mask' || app.state.beside === 'rule';

/** What stands over what is beside the cells. */
function headingOfBeside() {
  const { beside, optimizer, rival } = app.state;
  if (beside === 'none') return null;
  if (beside === 'mask') return strings.beside.mask;
  if (beside === 'rule') return strings.settings.rules[rival.rule];
  return nameOfBeside(beside, optimizer.rule);
}

/** @param {number} locked @returns {import('../view/controls.js').Status} */
function statusOf(locked) {
  const { frame, isPlaying } = app;
  if (app.peeked) return 'looking';
  if (app.replay) return 'replaying';
  if (frame && !frame.isFinite) return 'diverged';
  if (locked === app.locks.mask.length) return 'allLocked';
  if (isPlaying) return 'running';
  if (frame?.isSettled && frame.step > 0) return 'settled';
  return frame && frame.step > 0 ? 'paused' : 'ready';
}

/** The frame, or the earlier step that is looked at. */
const shown = () => app.peeked ?? app.frame;

/** @returns {import('../view/grid.js').GridModel} */
const gridModel = () => ({
  values: /** @type {Float32Array} */ (shown()?.values),
  mask: app.mask,
  target: app.target,
  held: null,
  reach: app.reach,
  palette,
});

/** What is drawn beside the cells. @param {import('../view/grid.js').GridModel} model */
function besideModel(model) {
  const { frame } = app;
  if (!frame?.beside) return null;
  const { values, reach } = frame.beside;
  const isRival = reach === 0;
  const held = isRival && !app.peeked ? frame.values : null;
  const isSequential = app.state.beside === 'slot1' || app.state.beside === 'clock';
  /** @type {'sequential' | 'diverging'} */
  const scale = isSequential ? 'sequential' : 'diverging';
  const look = isSequential ? sequential : palette;
  const grid = {
    ...{ ...model, values, target: null, held, scale },
    ...{ palette: look, reach: reach || model.reach },
  };
  return { grid, readings: frame.rivalReadings, drift: frame.rival, step: frame.step };
}

function draw() {
  const { frame, state, isPlaying } = app;
  const now = shown();
  if (!frame || !now) return;
  const model = gridModel();
  const { mask } = app;
  if (mask !== counted.mask) {
    counted = { mask, locked: countLocked(mask), isGiven: app.hasGivenLocks };
  }
  const { locked, isGiven } = counted;
  const status = statusOf(locked);
  const isRival = frame.rival !== null;
  const drift = isRival ? frame.drift : null;
  place('grid').classList.toggle('is-peeking', app.peeked !== null);
  const { study } = app;
  board.draw(
    { grid: model, readings: frame.readings, drift, study, step: frame.step },
    besideModel(model),
  );
  run.draw(now.step, status, isPlaying);
  scrubber.draw(frame.step, now.step);
  progress.draw(app.replay ?? null, frame.step);
  loss.draw(now.loss);
  const leaked = app.peeked ? 0 : (frame.rival?.moved ?? 0);
  const moved = { moved: frame.drift.moved + frame.drift.audited, leaked };
  locks.draw(locked, mask.length, moved, app.edits);
  inspector.draw(state.selected, model, app.report, now.step);
  if (status === 'diverged' && !hasDiverged) {
    messages.say(...explain({ kind: frame.isTooLarge ? 'tooLarge' : 'diverged' }));
  }
  hasDiverged = status === 'diverged';
  const isLower = state.beside === 'mask' && (frame.rival?.loss ?? Infinity) < frame.loss;
  setText(place('why'), isLower ? strings.drift.why : '');
  const start = app.scene.warm ?? 0;
  guess.draw(now.step === start && !isPlaying && !app.replay, now.step - start, (of) => {
    // What is told is about the locks, and the mask, that were asked about.
    if (!isGiven || (of === 'rival' && state.beside !== 'mask')) return null;
    const drift = of === 'rival' ? frame.rival : frame.drift;
    return drift && { held: locked, moved: drift.moved, farthest: formatNumber(drift.farthest) };
  });
  if (isPlaying) codePanel.refresh();
  speak(status, locked);
}

/** @param {import('../view/controls.js').Status} status @param {number} locked */
function speak(status, locked) {
  const now = shown();
  if (!now) return;
  const count = strings.locks.count(formatCount(locked), formatCount(app.mask.length));
  const text = strings.spoken.summary(
    strings.status[status],
    formatCount(now.step),
    formatNumber(now.loss),
    count,
  );
  speech.say(text);
}

/** Undo and redo from anywhere but a field, which has its own. @param {KeyboardEvent} event */
function undoOrRedo(event) {
  const isField = event.target instanceof HTMLElement && event.target.matches('input, textarea');
  if (!(event.ctrlKey || event.metaKey) || isField) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) app.redo();
  else app.undo();
}

function build() {
  const { keys, loss: words, lesson: tour } = strings;
  document.documentElement.lang = language;
  place('tagline').textContent = strings.tagline;
  place('tour').textContent = tour.start;
  place('tour').addEventListener('click', () => lesson.open(app.state.scene));
  place('test-key').append(h('span', { class: 'dots' }), words.test);
  place('locks-key').append(h('span', { class: 'mark' }), words.marker);
  // The offline file is without it.
  document.querySelector('#reference a')?.replaceChildren(strings.reference);
  document.querySelector('#licences > a, #licences > summary')?.replaceChildren(strings.licences);
  place('keys').prepend(
    h('h2', { class: 'section-title' }, keys.label),
    h(
      'dl',
      { class: 'key-list' },
      ...keys.list.map(([name, does]) => h('div', {}, h('dt', {}, name), h('dd', {}, does))),
    ),
  );
  prefersDark.addEventListener('change', showTheme);
  document.addEventListener('keydown', undoOrRedo);
}

build();
address.dress();
const detail = new Detail(place('detail'));
showTheme();
address.start((scene) => lesson.open(scene));

/**
 * For tests and teachers' consoles:
 *   await gradlockDemo.snapshot()        values, bits, locks, loss and step, exactly (engine/protocol.js)
 *   await gradlockDemo.step(50)          train, as the button does
 *   await gradlockDemo.change({ … })     whatever state/state.js allows, refused as kindly
 *   gradlockDemo.toggle(0)               the lock of a cell
 *   await gradlockDemo.link()            a link to this very run
 *   await gradlockDemo.code()            the run as code for npm
 *   gradlockDemo.frame()                 what was drawn last, with the engine's time for it
 *   gradlockDemo.study()                 what is known of the scene's study (figures/figure.js)
 *   await gradlockDemo.memory()          bytes of WebAssembly, and what of it the library uses
 *   gradlockDemo.drawTime()              what drawing it took, in ms
 */
Object.assign(window, {
  gradlockDemo: {
    snapshot: () => app.snapshot(),
    step: (/** @type {number} */ steps) => app.train(steps),
    change: (/** @type {Record<string, unknown>} */ patch) => app.change(patch),
    toggle: (/** @type {number} */ cell) => app.locks.toggle(cell),
    link: () => address.link(),
    code: () => app.code(),
    frame: () => app.frame,
    study: () => app.study,
    memory: () => app.memory(),
    drawTime: () => drawTime,
  },
});
