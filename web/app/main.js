/** Builds the page: gives each view its element and its callbacks into the app. */

import { makePalette } from 'gradlock/grid';
import { challengeOf, findChallenge } from '../scenes/index.js';
import { isExample, isFilling, scene as ownScene } from '../scenes/own/scene.js';
import { countLocked } from '../state/codec.js';
import { valuesToCsv } from '../state/csv.js';
import { fromFile, toFile } from '../state/file.js';
import { judge } from '../state/judge.js';
import { unitIn, unitOf } from '../state/own.js';
import { rateFor } from '../state/rules.js';
import { isSameSetup, openingState, setupOf } from '../state/state.js';
import { sceneWords, strings } from '../strings/index.js';
import { GuessCode } from '../view/guess-code.js';
import { Board } from '../view/board.js';
import { ChallengePanel } from '../view/challenge.js';
import { Chart } from '../view/chart.js';
import { CodePanel } from '../view/code-panel.js';
import { LockBar, RunBar, Settings } from '../view/controls.js';
import { SimpleOrFull } from '../view/simple-or-full.js';
import { button, byId, h, isTouched, setText } from '../view/dom.js';
import { toCanvas, toPng } from '../view/export.js';
import { Film } from '../view/film.js';
import { FitPanel } from '../view/fit.js';
import { formatCount, formatNumber, formatShort, parseNumber, problemOf } from '../view/format.js';
import { Gallery } from '../view/gallery.js';
import { Guess } from '../view/guess.js';
import { hasLargeCells } from '../view/grid.js';
import { Header } from '../view/header.js';
import { LockOrMask, toldOf } from '../view/lock-or-mask.js';
import { Inspector } from '../view/inspector.js';
import { Lesson } from '../view/lesson.js';
import { OwnPanel } from '../view/own.js';
import { writePage } from '../view/page.js';
import { explain } from '../view/problems.js';
import { Progress } from '../view/progress.js';
import { Legend, Loss, Messages, Speech } from '../view/readout.js';
import { Scrubber } from '../view/scrubber.js';
import { download, Share } from '../view/share.js';
import { toSvg } from '../view/vector.js';
import { percent } from '../scenes/shared/figure.js';
import { perform } from './tour-actions.js';
import { Address } from './address.js';
import { App, FIRST } from './app.js';
import { makeConsole } from './console.js';
import { besideModelOf, gridModelOf, openingOf, panesOf, statusOf } from './models.js';
import { goOffline } from './offline.js';

const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const app = new App({
  open() {
    const { state, scene } = app;
    const opening = openingOf(app);
    const setup = setupOf(state);
    opened = countLocked(scene.opensWith?.(setup) ?? scene.locks(setup));
    counted = { mask: app.cells.mask, locked: countLocked(app.cells.mask) };
    showLede();
    board.open(opening);
    inspector.open(opening);
    if (byId('page').dataset.scene !== state.scene) guessCode.open(state.scene);
    byId('page').dataset.scene = state.scene;
    byId('page').classList.add('is-open');
    byId('rival-key').hidden = !opening.isRival;
    showChart();
    own.show({
      ...{ kind: scene.takesOwn ?? null, own: state.own, isExample: isExample(setupOf(state)) },
      isFilling: isFilling(setupOf(state)),
    });
    byId('fit').hidden = scene.fit === undefined;
    lockOrMask.open(scene.hasSwitch === true, app.name);
    guess.open(state.scene);
    setText(next, sceneWords(state.scene).guess?.next ?? '');
    // The question is about the scene's own data, and its recorded runs about those it opens with.
    if (state.own || (scene.guess?.opens && !isSameSetup(openingState(scene), state))) guess.pass();
    challenge.open(challengeOf(state.scene)?.id ?? null);
    if (lesson.scene && lesson.scene !== state.scene) lesson.close();
    app.openRecorded();
    messages.clear();
    showLegend();
    draw();
  },
  show(state) {
    settings.show(state);
    const { rule, rules } = strings.settings;
    setText(settingsLine, `${rule}: ${rules[state.optimizer.rule]}`);
    locks.show(state);
    loss.show(state.logLoss);
    chart.set({ isLog: state.logLoss });
    showTheme();
    board.select(state.selected);
  },
  draw,
  trace: (trace) => chart.add(trace),
  mark(step) {
    chart.mark(step);
    byId('locks-key').hidden = false;
  },
  restart(marks) {
    chart.clear(marks);
    byId('locks-key').hidden = marks.length === 0;
    hasDiverged = false;
    messages.clear();
    challenge.forget();
  },
  trouble(trouble) {
    if (trouble) messages.say(...explain(trouble));
    else if (!hasDiverged) messages.clear();
  },
  changed() {
    address.remember();
    share.refresh();
    challenge.forget();
    codePanel.refresh();
  },
  opened: (left, now) => address.opened(left, now),
});

let palette = makePalette(false);
/** The palette of values that start at 0. */
let sequential = makePalette(false, 'sequential');
let hasDiverged = false;
/** A changed mask is a new array, so each is counted once. */
let counted = { mask: app.cells.mask, locked: 0 };

const board = new Board(byId('grid'), byId('curves'), {
  select: (selected) => app.change({ selected }),
  toggle: (first, count) => app.cells.toggle(first, count),
  assign: (index, value) => app.cells.assign(index, value),
  lock: (cells, isLocking, isContinued) => app.cells.lock(cells, isLocking, isContinued),
  hold: (cells) => app.cells.hold(cells),
  writeDragged(values) {
    guess.forget();
    app.cells.writeDragged(values);
  },
  release: () => app.cells.release(),
  say: (text) => speech.tell(text),
  tell: (name, values) => app.commands.ask({ type: 'tell', name, values }),
  play() {
    run.focus();
    app.runs.play();
  },
  pause() {
    if (app.runs.isPlaying) app.runs.pause();
  },
  async openRun(opened) {
    guess.forget();
    await app.runs.openRecorded(opened);
    if (opened.steps) return;
    run.focus();
    const { opening } = app.runs;
    // First it is seen.
    if (mayPlay) await new Promise((done) => setTimeout(done, 1500));
    if (opening === app.runs.opening && app.step === 0) app.runs.play();
  },
  setValue(index, text) {
    const value = parseNumber(text);
    const kept = formatNumber(app.frame?.values[index] ?? 0);
    const why = problemOf(text, value);
    if (why) return messages.say(...explain({ kind: why, given: text, kept }));
    guess.forget();
    app.cells.assign(index, value);
  },
});
const openScene = async (/** @type {string} */ scene) => {
  await app.change({ scene });
  if (app.state.scene === FIRST && !app.step && mayPlay) app.runs.play();
};
const gallery = new Gallery(byId('gallery'), { open: openScene, palette: () => palette });
const header = new Header(byId('scenes'), byId('theme'), byId('keys'), {
  open: openScene,
  openAll: () => gallery.open(app.state.scene),
  focus: () => run.focus(),
  toggleTheme: () => app.change({ theme: isDark() ? 'light' : 'dark' }),
  changeLanguage: (tag) => address.changeLanguage(tag),
});
const run = new RunBar(byId('run'), app.runs);
const scrubber = new Scrubber(byId('scrubber'), { peek: (where) => app.runs.peek(where) });
const progress = new Progress(byId('progress'), {
  cancel: () => app.runs.cancel(),
  refocus: () => board.refocus(),
});
/** Which cells are known matters only for filling. @param {any} patch */
const isOtherFilling = ({ choices: { target } = /** @type {any} */ ({}) }) =>
  target && (target === 'gaps' || app.state.choices.target === 'gaps');
const settings = new Settings(byId('settings'), {
  change: (patch) => app.change({ ...patch, ...(isOtherFilling(patch) && { locks: null }) }),
  optimizer: (patch, typed) => app.changeOptimizer(patch, typed),
});
const locks = new LockBar(byId('locks'), {
  setAll: (isLocking) => app.cells.lockAll(isLocking),
  invert: () => app.cells.invert(),
  undo: () => app.move('undo'),
  redo: () => app.move('redo'),
  prune: (fraction) =>
    app.scene.rewinds ? app.runs.pruneAnew(fraction) : app.cells.prune(fraction),
  drawByTouch: (isDrawing) => board.drawByTouch(isDrawing),
  change: (patch) => app.change(patch),
});
const inspector = new Inspector(byId('inspector'), {
  toggle: () => app.cells.toggle(app.state.selected),
  edit: () => board.edit(),
});
const loss = new Loss(byId('loss'), {
  setLog: (logLoss) => app.change({ logLoss }),
  setDrift(isDrift) {
    wantsDrift = isDrift;
    showChart();
  },
});
/** True if the chart shows drift beside a mask, the default; a person can ask for the loss. */
let wantsDrift = true;
function showChart() {
  const hasDrift = app.state.beside === 'mask';
  chart.set({ isDrift: hasDrift && wantsDrift });
  loss.showDrift(hasDrift, wantsDrift, sceneWords(app.state.scene).loss);
  const { drift, loss: words } = strings;
  const label = hasDrift && wantsDrift ? drift.mask : words.rival;
  byId('rival-key').replaceChildren(h('span', { class: 'dash' }), label);
}
const chart = new Chart(byId('chart'));
const guess = new Guess(byId('guess'), byId('outcome'), byId('grid'), {
  changed: () => lesson.guessed(),
  answered: (scene, answer) => guessCode.take(scene, answer),
  // A tour trains by its own steps.
  async start() {
    const { scene } = app;
    const opens = !counted.locked && !lesson.scene && scene.guess?.opens;
    if (opens) await app.openRecorded();
    const run = opens && app.scene === scene && app.recorded.find(opens);
    if (run) await app.runs.openRecorded({ ...run, steps: 0 });
    if (mayPlay && app.scene === scene && !lesson.scene) app.runs.play();
  },
  announce(text) {
    if (app.scene.guess?.opens) app.runs.pause();
    speech.tell(text);
  },
});
/** The next act that a scene proposes with its answer. */
const goOn = async () => {
  const { scene } = app;
  guess.forget();
  run.focus();
  await perform(app, scene.guess?.next ?? []);
  if (app.scene === scene && !lesson.scene) app.runs.play();
};
const next = button('', goOn, 'is-accent guessed-next');
byId('outcome').append(next);
const guessCode = new GuessCode(byId('guess-code'));
const legend = new Legend(byId('legend'));
const messages = new Messages(byId('messages'));
const speech = new Speech(byId('speech'));
const lockOrMask = new LockOrMask(byId('hold'), byId('hold-more'), {
  switchTo: (to) => app.switchTo(to),
  write: (name) => app.write(name),
});
const own = new OwnPanel(byId('own'), byId('points'), {
  giveBack: () => app.change({ own: null, rows: app.scene.sizes[0][0] }),
  bringPoints: (own) => app.change({ own, locks: null, rows: app.scene.rowsFor?.(own) }),
  bring(brought, isImage) {
    const { scene, choices } = app.state;
    // An image starts as the picture itself, so its target must differ.
    const isItself = isImage && scene === 'own' && choices.target === 'data';
    const target = isItself && { choices: { target: 'mirror' } };
    // Values are a person's own numbers, and Adam's steps have their size.
    const before = scene === 'own' ? app.state : openingState(ownScene);
    const { rule } = before.optimizer;
    const learningRate = rateFor(before.optimizer, rule, unitIn(before), unitOf(brought.values));
    const optimizer = { ...before.optimizer, learningRate };
    app.change({ scene: 'own', own: brought, locks: null, optimizer, ...target });
  },
  openRun,
  refuse: (problem) => messages.say(...explain({ kind: 'own', problem })),
});
const fit = new FitPanel(byId('fit'), {
  take: () => app.cells.takeFit(),
  bound: (index, min, max) => app.cells.bound(index, min, max),
  refuse: (name) => messages.say(...explain({ kind: 'range', name })),
});
const challenge = new ChallengePanel(byId('challenge'), async (id) => {
  if (app.runs.isPlaying) app.runs.togglePlay();
  const { state, proof } = await app.whole('proof');
  const found = findChallenge(id);
  return found ? judge(found, state, proof) : null;
});
const film = new Film(() => ({ layout: app.layout, panes: panesOf(app, palette) }));
const share = new Share(byId('share'), {
  link: () => address.link(),
  handIn: (name) => address.handIn(name),
  make: {
    png: () => toPng(toCanvas(app.layout, panesOf(app, palette))),
    svg() {
      const { step = 0, loss = 0 } = app.shown ?? {};
      const { locked, mask } = counted;
      const count = strings.locks.count(formatCount(locked), formatCount(mask.length));
      const { name } = sceneWords(app.state.scene);
      return toSvg(app.layout, panesOf(app, palette), {
        title: strings.share.pictured(name, formatCount(step)),
        description: strings.share.described(formatNumber(loss), count),
      });
    },
    csv: () => valuesToCsv(app.layout, app.shown?.values ?? new Float32Array(0)),
    async json() {
      const { state, checkpoint } = await app.whole('saved');
      return toFile(state, checkpoint);
    },
    code: app.code,
  },
  record(seconds) {
    if (!app.runs.isPlaying) app.runs.togglePlay();
    return film.record(seconds);
  },
  stop: () => film.stop(),
  openFile: openRun,
});
const codePanel = new CodePanel(byId('code'), {
  code: app.code,
  name: () => sceneWords(app.state.scene).name,
  save: download,
});
const lesson = new Lesson(byId('lesson'), {
  perform: (actions) => perform(app, actions),
  reveal(area) {
    board.reveal(area);
    simpleOrFull.reveal(area);
  },
  asks: () => guess.isAsking,
});
const address = new Address(app, () => messages.say(...explain({ kind: 'tooLong' })));

/** @param {string} text of a saved file */
async function openRun(text) {
  const run = fromFile(text);
  if (run) await app.runs.read(run.candidate, { checkpoint: run.checkpoint });
  else messages.say(...explain({ kind: 'file' }));
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
  showLegend();
  chart.restyle();
  draw();
}

for (const by of ['pointerdown', 'keydown'])
  addEventListener(by, () => document.documentElement.setAttribute('data-by', by), true);

/** True if the legend explains what a mask does, and what a lock does. */
let explains = { mask: false, lock: false };
// Of two runs the headings tell which keeps its cells.
const isAnyLocked = () =>
  counted.locked > 0 && app.frame?.isMasked !== true && app.state.beside !== 'mask';
function showLegend() {
  const isMask = app.state.beside === 'mask' || app.frame?.isMasked === true;
  explains = { mask: isMask, lock: isAnyLocked() };
  legend.show(palette, app.reach, { ...explains, bars: isMask && hasLargeCells(app.state) });
}

/** How many cells are locked as the scene opens, of which its lede speaks, and what is said now. */
let [opened, spoken] = [0, /** @type {unknown} */ ('')];
/** Says what to do, or, once it has trained, what is seen. */
function showLede() {
  const { state, scene, shown } = app;
  const { lede, ledeLater, ledeActed, ledeDrifted, ledeFree, ledeOther, ownLede } = sceneWords(
    state.scene,
  );
  const { free, masked, empty, again, byTouch } = strings.lede;
  const hasTrained = (shown?.step ?? 0) > (scene.warm ?? 0);
  const { locked, mask } = counted;
  const hasMoved = (app.frame?.drifted.moved ?? 0) > 0;
  const hasActed = locked !== opened || state.optimizer.rule !== scene.optimizer.rule;
  const hasFaded = (app.frame?.shadow?.farthest ?? 0) > 0.5;
  const isOther = Object.entries(scene.choices).some(([id, [at]]) => state.choices[id] !== at);
  let now;
  if (app.frame?.isMasked) now = locked ? hasMoved && masked : empty;
  else if (locked && hasMoved) now = again;
  else if (isOther && ledeOther) now = ledeOther;
  else if (!locked) now = ledeFree ?? (opened > 0 && free);
  else if (hasTrained && !guess.isWaiting)
    now = (hasFaded && ledeDrifted) || (hasActed && ledeActed) || ledeLater;
  const given = (state.own && ownLede) || now || lede;
  const percentOf = (/** @type {string} */ name) => percent(app.frame?.readings?.[name]);
  const said = typeof given === 'function' ? given(percentOf, locked, mask.length - locked) : given;
  const isDay = (scene.blend?.(shown?.step ?? 0) ?? 0) < 0.5;
  const asks = given === lede && !locked && !app.frame?.isMasked && isDay;
  document.documentElement.toggleAttribute('data-asks', asks);
  setText(byId('lede'), isTouched() ? byTouch(said) : said);
  // What comes after the scene's first words is seen to come.
  if (given !== spoken && given === now && mayPlay)
    byId('lede').animate({ backgroundColor: ['var(--accent-soft)', 'transparent'] }, 1500);
  spoken = given;
}

function draw() {
  const { frame, state, recorded, shown: now } = app;
  const { isPlaying, peeked, replay } = app.runs;
  const { mask } = app.cells;
  if (!frame || !now) return;
  const model = gridModelOf(app, palette);
  if (mask !== counted.mask) counted = { mask, locked: countLocked(mask) };
  const { locked } = counted;
  const status = statusOf(app, locked);
  byId('grid').classList.toggle('is-peeking', peeked !== null);
  board.draw(
    {
      ...{ ...frame, grid: model, drift: frame.rival && frame.drift, recorded, fit: app.fit },
      ...{ optimizer: state.optimizer, isPast: Boolean(peeked ?? replay) },
    },
    besideModelOf(app, model, sequential),
  );
  fit.draw(app.fit, state.scene);
  const start = app.scene.warm ?? 0;
  const isAtStart = now.step === start && !isPlaying && !replay;
  run.draw(now.step, status, isPlaying, isAtStart && !app.edits.canUndo);
  scrubber.draw(frame.step, now.step);
  progress.draw(replay ?? null, frame.step);
  loss.draw(now.loss);
  const { isMasked } = frame;
  const isMask = isMasked || state.beside === 'mask';
  if (explains.mask !== isMask || explains.lock !== isAnyLocked()) showLegend();
  const leak = state.beside === 'mask' ? frame.rival : null;
  const drifted = leak ?? frame.drifted;
  legend.tell(drifted.moved > 0);
  const changed = isMasked ? 0 : frame.drift.moved + frame.drift.audited;
  const isBoth = frame.rival !== null;
  const isProven = isBoth || app.scene.hasSwitch || now.step === 0;
  locks.draw(locked, mask.length, { moved: changed, isProven, isMasked, isBoth }, app.edits);
  inspector.draw(state.selected, { ...model, mask }, app.report);
  if (status === 'diverged' && !hasDiverged) {
    messages.say(...explain({ kind: frame.isTooLarge ? 'tooLarge' : 'diverged' }));
  }
  hasDiverged = status === 'diverged';
  const isLower = state.beside === 'mask' && (frame.rival?.loss ?? Infinity) < frame.loss;
  setText(byId('why'), isLower && !wantsDrift ? strings.drift.why : '');
  const { rule: given, weightDecay } = state.optimizer;
  const rule = given === 'adamW' && !weightDecay ? 'adam' : given;
  lockOrMask.draw({
    ...{ isMasked, held: locked, drifted: frame.drifted, rule, since: frame.drift.farthest },
    right: peeked ? null : frame.held,
    ...{ model, cols: state.cols },
    shadow: peeked || guess.isAsking || guess.isWaiting ? null : frame.shadow,
  });
  guess.draw({
    ...{ isAtStart, isMasked, held: locked, loss: now.loss, drift: frame.drift },
    choices: state.choices,
    steps: now.step - start,
    leak,
    reading: (name) => frame.readings?.[name],
  });
  next.hidden = app.scene.guess?.next?.some((act) => 'rule' in act && act.rule === rule) ?? false;
  showLede();
  if (isPlaying) {
    codePanel.refresh();
    challenge.forget();
  }
  const told = drifted.moved && !peeked ? toldOf(drifted, locked) : '';
  setText(byId('above'), told && strings.about.above(told));
  const [stepText, lossText] = [formatCount(now.step), formatShort(now.loss)];
  const count = strings.locks.count(formatCount(locked), formatCount(mask.length));
  speech.say(strings.spoken(strings.status[status], stepText, lossText, count, told));
}

/** Undoes or redoes, except in a field, which has its own undo. @param {KeyboardEvent} event */
function undoOrRedo(event) {
  const { ctrlKey, metaKey, target } = event;
  const isField = target instanceof HTMLElement && target.matches('input[type=text], textarea');
  if (!(ctrlKey || metaKey) || isField) return;
  // Browsers that fill in a form send events without a key.
  const key = event.key?.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  app.move(key === 'y' || event.shiftKey ? 'redo' : 'undo');
}

writePage();
byId('skip').addEventListener('click', (event) => {
  // The address's hash is the run.
  event.preventDefault();
  run.focus();
});
byId('tour').addEventListener('click', () => lesson.open(app.state.scene));
prefersDark.addEventListener('change', showTheme);
document.addEventListener('keydown', undoOrRedo);
address.applyOptions();
const simpleOrFull = new SimpleOrFull(byId('detail'), () => {
  chart.restyle();
  draw();
});
const openSettings = () => {
  simpleOrFull.choose(true);
  settings.focus();
};
const settingsLine = button('', openSettings, 'quiet');
byId('detail').append(settingsLine);
showTheme();
const mayPlay = !matchMedia('(prefers-reduced-motion: reduce)').matches;
const isEmbedded = document.documentElement.classList.contains('is-embedded');
address.start((scene) => lesson.open(scene), mayPlay && !isEmbedded);
goOffline(() => app.frame !== null);
Object.assign(window, { gradlockDemo: makeConsole(app, address) });
