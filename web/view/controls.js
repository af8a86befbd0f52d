/** The controls of run, settings and locks: they show a state, report changes, store nothing. */

import { findScene } from '../scenes/index.js';
import { unitIn } from '../state/own.js';
import { isRule, rateFor, ruleOptions, rules } from '../state/rules.js';
import { besides, brushes, speeds } from '../state/state.js';
import { sceneWords, strings } from '../strings/index.js';
import { button, h, icon, iconButton, relabel, setAttribute, setText, tools } from './dom.js';
import { NumberField, SelectField } from './fields.js';
import { formatCount } from './format.js';
import { hasLargeCells } from './grid.js';

/** @typedef {import('../state/state.js').State} State */
/** @typedef {'ready' | 'running' | 'paused' | 'settled' | 'allLocked' | 'diverged' | 'looking' | 'replaying'} Status */

/** The characters that a list of one column has room for. */
const ROOM = 13;
/** The shares of the weights that can be pruned at once, in percent. */
const PRUNED = [20, 50, 67, 80, 90];

export class RunBar {
  #play;
  #reset;
  #step = h('span', { class: 'step-count' }, '0');
  #status = h('span', { class: 'status' });
  /** Next to the status, where there is room. */
  #note = h('span', { class: 'status-note', hidden: true }, `; ${strings.run.goesOn}`);

  /** @param {HTMLElement} host @param {{ togglePlay: () => void, step: (steps: number) => void, reset: () => void }} intents */
  constructor(host, { togglePlay, step, reset }) {
    const words = strings.run;
    this.#play = button([icon('play'), h('span')], togglePlay, 'play');
    this.#reset = iconButton('reset', words.reset, reset, 'bare', words.resetHint);
    const count = h('span', {}, words.stepCount, ' ', this.#step);
    const status = h('span', {}, this.#status, this.#note);
    host.setAttribute('aria-label', words.label);
    host.append(
      this.#play,
      iconButton('step', words.step, () => step(1), 'bare'),
      iconButton('steps', words.steps, () => step(10), 'bare is-more'),
      this.#reset,
      h('p', { class: 'counter note stack' }, count, status),
    );
  }

  focus() {
    this.#play.focus();
  }

  /** @param {number} step @param {Status} status @param {boolean} isPlaying @param {boolean} isNew  true if there is nothing to reset */
  draw(step, status, isPlaying, isNew) {
    this.#reset.style.visibility = isNew ? 'hidden' : '';
    setText(this.#step, formatCount(step));
    // That nothing has begun needs no word.
    setText(this.#status, status === 'ready' ? '' : strings.status[status]);
    this.#note.hidden = status !== 'looking';
    const { pause, play } = strings.run;
    relabel(this.#play, isPlaying ? 'pause' : 'play', isPlaying ? pause : play);
  }
}

export class Settings {
  #fields;
  #choices = h('div', { class: 'choices' });
  /** @type {Map<string, SelectField>} */
  #choiceFields = new Map();
  #scene = '';
  #change;
  /** @type {State | null} */
  #state = null;

  /**
   * @param {HTMLElement} host
   * @param {{ change: (patch: Record<string, unknown>) => void, optimizer: (patch: Record<string, unknown>, typed?: string) => void }} intents
   */
  constructor(host, { change, optimizer }) {
    const words = strings.settings;
    this.#change = change;
    const rival = (/** @type {Record<string, unknown>} */ patch) =>
      change({ rival: { ...this.#state?.rival, ...patch } });
    /** @param {'learningRate' | 'momentum' | 'weightDecay'} name @param {string} [slider] */
    const option = (name, slider) =>
      new NumberField(words[name], (value, typed) => optimizer({ [name]: value }, typed), slider);
    this.#fields = {
      rule: new SelectField(words.rule, (rule) => optimizer({ rule })),
      learningRate: option('learningRate', words.learningRateSlider),
      momentum: option('momentum'),
      weightDecay: option('weightDecay'),
      speed: new SelectField(words.speed, (speed) => change({ speed: Number(speed) })),
      size: new SelectField(words.size, (size) => {
        const [rows, cols] = size.split('x').map(Number);
        change({ rows, cols });
      }),
      seed: new NumberField(words.seed, (seed) => change({ seed })),
      beside: new SelectField(words.beside, (beside) => change({ beside })),
      rivalRule: new SelectField(words.rivalRule, (rule) => rival({ rule, ...this.#rateOf(rule) })),
      rivalRate: new NumberField(words.rivalRate, (learningRate) => rival({ learningRate })),
    };
    host.setAttribute('aria-label', words.label);
    host.append(...Object.values(this.#fields).map(({ element }) => element));
    this.#fields.beside.element.before(this.#choices);
    /** @type {[string, string][]} */
    const ruleNames = rules.map((rule) => [rule, words.rules[rule]]);
    this.#fields.beside.element.classList.add('is-wide');
    this.#fields.rule.offer(ruleNames);
    this.#fields.rivalRule.offer(ruleNames);
    this.#fields.speed.offer(speeds.map((speed) => [String(speed), words.speeds(speed)]));
  }

  focus() {
    this.#fields.rule.element.querySelector('select')?.focus();
  }

  /** The rival's learning rate by another rule. @param {string} rule */
  #rateOf(rule) {
    if (!this.#state || !isRule(rule)) return {};
    const unit = unitIn(this.#state);
    return { learningRate: rateFor(this.#state.rival, rule, unit, unit) };
  }

  /** @param {State} state */
  show(state) {
    const { scene: id, rows, cols, choices, optimizer, speed, seed, rival, beside } = state;
    const scene = findScene(id);
    if (!scene) return;
    const fields = this.#fields;
    this.#state = state;
    fields.rule.set(optimizer.rule);
    fields.learningRate.set(optimizer.learningRate);
    for (const name of /** @type {const} */ (['momentum', 'weightDecay'])) {
      fields[name].set(optimizer[name]);
      fields[name].element.hidden = !ruleOptions[optimizer.rule].includes(name);
    }
    fields.speed.set(String(speed));
    const sizes = [...scene.sizes].sort((a, b) => a[0] * a[1] - b[0] * b[1]);
    fields.size.rename(sceneWords(id).sizeLabel ?? strings.settings.size);
    fields.size.offer(sizes.map(([r, c]) => [`${r}x${c}`, `${r} × ${c}`]));
    fields.size.set(`${rows}x${cols}`);
    fields.size.element.hidden = sizes.length < 2;
    fields.seed.set(seed);
    fields.beside.offer(offeredBeside(scene, optimizer.rule));
    fields.beside.set(beside);
    fields.rivalRule.set(rival.rule);
    fields.rivalRate.set(rival.learningRate);
    fields.rivalRule.element.hidden = fields.rivalRate.element.hidden = beside !== 'rule';
    this.#showChoices(scene, choices);
  }

  /** @param {import('../scenes/scene.js').Scene} scene @param {Record<string, string>} choices */
  #showChoices(scene, choices) {
    const { choices: words = {} } = sceneWords(scene.id);
    if (scene.id !== this.#scene) {
      this.#scene = scene.id;
      this.#choiceFields = new Map(
        Object.entries(scene.choices).map(([name, offered]) => {
          const field = new SelectField(words[name].label, (value) =>
            this.#change({ choices: { [name]: value } }),
          );
          const { names } = words[name];
          field.offer(offered.map((value) => [value, names[value]]));
          const isLong = offered.some((value) => names[value].length > ROOM);
          field.element.classList.toggle('is-wide', isLong);
          return [name, field];
        }),
      );
      this.#choices.replaceChildren(...[...this.#choiceFields.values()].map((f) => f.element));
    }
    for (const [name, field] of this.#choiceFields) field.set(choices[name]);
  }
}

/**
 * Returns the views that can be shown beside the cells of a scene under a rule.
 * @param {import('../scenes/scene.js').Scene} scene @param {string} rule @returns {[string, string][]}
 */
function offeredBeside(scene, rule) {
  /** @type {Record<string, boolean>} */
  const lacks = { slot0: rule === 'sgd', slot1: !rule.startsWith('adam'), target: !scene.target };
  return besides.filter((name) => !lacks[name]).map((name) => [name, nameOfBeside(name, rule)]);
}

/** @param {string} name @param {string} rule */
export const nameOfBeside = (name, rule) =>
  strings.beside.names[name === 'slot0' && !rule.startsWith('adam') ? 'velocity' : name];

export class LockBar {
  #count = h('p', { class: 'lock-count' });
  #hint = h('p', { class: 'hint is-more' });
  #undo;
  #redo;
  /** Undo and redo, once there is an edit. */
  #history;
  #brush;
  #prune;

  /**
   * @param {HTMLElement} host
   * @param {{ setAll: (isLocking: boolean) => void, invert: () => void, undo: () => void, redo: () => void, prune: (fraction: number) => void, change: (patch: Partial<State>) => void, drawByTouch: (isDrawing: boolean) => void }} intents
   */
  constructor(host, { setAll, invert, undo, redo, prune, change, drawByTouch }) {
    const words = strings.locks;
    const switchDrawing = () => {
      const isDrawing = draw.getAttribute('aria-pressed') !== 'true';
      draw.setAttribute('aria-pressed', String(isDrawing));
      drawByTouch(isDrawing);
    };
    const draw = iconButton('draw', words.draw, switchDrawing, 'draw-switch', words.drawHint);
    draw.setAttribute('aria-pressed', 'false');
    this.#undo = iconButton('undo', words.undo, undo, 'bare');
    this.#redo = iconButton('redo', words.redo, redo, 'bare');
    this.#history = h('span', { class: 'undo-redo is-empty' }, this.#undo, this.#redo);
    this.#brush = new SelectField(words.brush, (brush) => change({ brush: Number(brush) }));
    this.#brush.element.classList.add('is-inline', 'is-more');
    this.#brush.offer(brushes.map((side) => [String(side), words.brushes(side)]));
    const share = new SelectField(strings.prune.label, () => {});
    share.element.classList.add('is-inline');
    share.offer(PRUNED.map((percent) => [String(percent), `${percent} %`]));
    share.set('50');
    const act = () => prune(Number(share.value) / 100);
    const { act: label, hint } = strings.prune;
    this.#prune = tools(share.element, iconButton('prune', label, act, '', hint));
    this.#prune.id = 'prune';
    host.setAttribute('aria-label', words.label);
    host.append(
      h('div', { class: 'hint-row row wrap' }, this.#count, draw, this.#hint, this.#brush.element),
      this.#prune,
      tools(
        iconButton('lock', words.all, () => setAll(true), 'is-more'),
        iconButton('lock-open', words.none, () => setAll(false), 'is-more'),
        iconButton('invert', words.invert, invert, 'is-more'),
        this.#history,
      ),
    );
  }

  /** @param {State} state */
  show({ scene, rows, cols, brush }) {
    setText(this.#hint, sceneWords(scene).hint);
    const { prunes = false, rewinds } = findScene(scene) ?? {};
    const { act, anew } = strings.prune;
    relabel(/** @type {Element} */ (this.#prune.lastElementChild), 'prune', rewinds ? anew : act);
    this.#prune.hidden = !prunes;
    this.#brush.element.hidden = prunes || hasLargeCells({ rows, cols });
    this.#brush.set(String(brush));
  }

  /**
   * @param {number} locked
   * @param {number} all
   * @param {{ moved: number, isProven: boolean, isMasked: boolean, isBoth: boolean }} proof  the locked cells that moved,
   *   whether nobody needs to hear that none did, whether a mask holds the cells, and those of another run beside
   * @param {{ canUndo: boolean, canRedo: boolean }} history
   */
  draw(locked, all, { moved, isProven, isMasked, isBoth }, { canUndo, canRedo }) {
    // Not `disabled`: at the last undo the button would lose the keyboard's focus.
    setAttribute(this.#undo, 'aria-disabled', String(!canUndo));
    setAttribute(this.#redo, 'aria-disabled', String(!canRedo));
    this.#history.classList.toggle('is-empty', !canUndo && !canRedo);
    const { count, both, masked, moved: proof } = strings.locks;
    const held = isBoth ? both : isMasked ? masked : count;
    const isSilent = !locked || isMasked || (isProven && moved === 0);
    const told = isSilent ? '' : `; ${proof(formatCount(moved), moved)}`;
    setText(this.#count, held(formatCount(locked), formatCount(all)) + told);
    this.#count.classList.toggle('is-broken', moved > 0);
  }
}
