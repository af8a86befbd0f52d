/** The controls around the grid: run, settings, locks. They show a state and say what a person wants; they keep nothing. */

import { MAX_DOM_SIDE } from './grid.js';
import { findScene } from '../scenes/index.js';
import { ruleOptions, rules } from '../state/rules.js';
import { brushes, speeds } from '../state/state.js';
import { strings } from '../strings.js';
import { h, icon, setAttribute, setText } from './dom.js';
import { NumberField, SelectField, SwitchField } from './fields.js';
import { formatCount } from './format.js';

/** @typedef {import('../state/state.js').State} State */
/** @typedef {'ready' | 'running' | 'paused' | 'settled' | 'allLocked' | 'diverged'} Status */

/** @param {string} name of a symbol @param {string} label @param {() => void} onclick @param {string} [title] @param {string} [look] */
const iconButton = (name, label, onclick, title = label, look = '') =>
  h(
    'button',
    { type: 'button', class: `button tool ${look}`, title, onclick },
    icon(name),
    h('span', { class: 'button-label' }, label),
  );

export class RunBar {
  #play;
  #playLabel = h('span', { class: 'button-label' });
  #step = h('output', { class: 'step-count' }, '0');
  #status = h('span', { class: 'status' });

  /** @param {HTMLElement} host @param {{ togglePlay: () => void, step: (steps: number) => void, reset: () => void }} intents */
  constructor(host, { togglePlay, step, reset }) {
    const words = strings.run;
    this.#play = h(
      'button',
      { type: 'button', class: 'play', onclick: togglePlay },
      icon('play'),
      icon('pause'),
      this.#playLabel,
    );
    host.setAttribute('aria-label', words.label);
    host.append(
      this.#play,
      iconButton('step', words.step, () => step(1), words.step, 'bare'),
      iconButton('steps', words.steps, () => step(10), words.steps, 'bare'),
      iconButton('reset', words.reset, reset, words.resetHint, 'bare'),
      h('p', { class: 'counter' }, h('span', {}, words.stepCount, ' ', this.#step), this.#status),
    );
  }

  /** @param {number} step @param {Status} status @param {boolean} isPlaying */
  draw(step, status, isPlaying) {
    setText(this.#step, formatCount(step));
    setText(this.#status, strings.status[status]);
    setAttribute(this.#status, 'data-status', status);
    setText(this.#playLabel, isPlaying ? strings.run.pause : strings.run.play);
    this.#play.classList.toggle('is-playing', isPlaying);
  }
}

export class Settings {
  #fields;

  /**
   * @param {HTMLElement} host
   * @param {{ change: (patch: Partial<State>) => void, optimizer: (patch: Record<string, unknown>, typed?: string) => void }} intents
   */
  constructor(host, { change, optimizer }) {
    const words = strings.settings;
    this.#fields = {
      rule: new SelectField(words.rule, (rule) => optimizer({ rule })),
      learningRate: new NumberField(
        words.learningRate,
        (learningRate, typed) => optimizer({ learningRate }, typed),
        words.learningRateSlider,
      ),
      momentum: new NumberField(words.momentum, (momentum, typed) =>
        optimizer({ momentum }, typed),
      ),
      weightDecay: new NumberField(words.weightDecay, (weightDecay, typed) =>
        optimizer({ weightDecay }, typed),
      ),
      speed: new SelectField(words.speed, (speed) => change({ speed: Number(speed) })),
      size: new SelectField(words.size, (size) => {
        const [rows, cols] = size.split('x').map(Number);
        change({ rows, cols });
      }),
      choice: new SelectField(words.choice, (choice) => change({ choice })),
    };
    host.setAttribute('aria-label', words.label);
    host.append(...Object.values(this.#fields).map(({ element }) => element));
    this.#fields.rule.offer(rules.map((rule) => [rule, words.rules[rule]]));
    this.#fields.speed.offer(speeds.map((speed) => [String(speed), words.speeds(speed)]));
  }

  /** @param {State} state */
  show({ scene: id, rows, cols, choice, optimizer, speed }) {
    const scene = findScene(id);
    const words = strings.scenes[id];
    if (!scene || !words) return;
    const fields = this.#fields;
    fields.rule.set(optimizer.rule);
    for (const name of /** @type {const} */ (['learningRate', 'momentum', 'weightDecay'])) {
      fields[name].set(optimizer[name]);
    }
    const options = ruleOptions[optimizer.rule];
    fields.momentum.element.hidden = !options.includes('momentum');
    fields.weightDecay.element.hidden = !options.includes('weightDecay');
    fields.speed.set(String(speed));
    const sizes = [...scene.sizes].sort((a, b) => a[0] * a[1] - b[0] * b[1]);
    fields.size.offer(sizes.map(([r, c]) => [`${r}x${c}`, strings.settings.sizes(r, c)]));
    fields.size.set(`${rows}x${cols}`);
    fields.size.element.hidden = sizes.length < 2;
    fields.choice.rename(words.choiceLabel ?? strings.settings.choice);
    fields.choice.offer(scene.choices.map((name) => [name, words.choices?.[name] ?? name]));
    fields.choice.set(choice);
    fields.choice.element.hidden = scene.choices.length < 2;
  }
}

export class LockBar {
  #count = h('p', { class: 'lock-count' });
  #hint = h('p', { class: 'hint' });
  #undo;
  #redo;
  #brush;

  /**
   * @param {HTMLElement} host
   * @param {{ setAll: (isLocking: boolean) => void, invert: () => void, undo: () => void, redo: () => void, change: (patch: Partial<State>) => void }} intents
   */
  constructor(host, { setAll, invert, undo, redo, change }) {
    const words = strings.locks;
    this.#undo = iconButton('undo', words.undo, undo, words.undo, 'bare');
    this.#redo = iconButton('redo', words.redo, redo, words.redo, 'bare');
    this.#brush = new SelectField(words.brush, (brush) => change({ brush: Number(brush) }));
    this.#brush.element.classList.add('is-inline');
    this.#brush.offer(brushes.map((side) => [String(side), words.brushes(side)]));
    host.setAttribute('aria-label', words.label);
    host.append(
      h('div', { class: 'hint-row' }, this.#hint, this.#brush.element),
      this.#count,
      h(
        'div',
        { class: 'tools' },
        iconButton('lock', words.all, () => setAll(true)),
        iconButton('lock-open', words.none, () => setAll(false)),
        iconButton('invert', words.invert, invert),
        this.#undo,
        this.#redo,
      ),
    );
  }

  /** @param {State} state */
  show({ scene, rows, cols, brush }) {
    setText(this.#hint, strings.scenes[scene]?.hint ?? '');
    this.#brush.element.hidden = Math.max(rows, cols) <= MAX_DOM_SIDE;
    this.#brush.set(String(brush));
  }

  /**
   * @param {number} locked
   * @param {number} all
   * @param {number} moved
   * @param {{ canUndo: boolean, canRedo: boolean }} history
   */
  draw(locked, all, moved, { canUndo, canRedo }) {
    // Not `disabled`, which would throw a keyboard's focus off the button at the last undo.
    setAttribute(this.#undo, 'aria-disabled', String(!canUndo));
    setAttribute(this.#redo, 'aria-disabled', String(!canRedo));
    const { count, moved: proof } = strings.locks;
    const text = count(formatCount(locked), formatCount(all));
    setText(this.#count, locked ? `${text}; ${proof(formatCount(moved), moved)}` : text);
    this.#count.classList.toggle('is-broken', moved > 0);
  }
}

/** The scenes as tabs would look, and the theme. */
export class Header {
  #buttons;
  #theme;

  /**
   * @param {HTMLElement} scenesHost
   * @param {HTMLElement} themeHost
   * @param {import('../scenes/scene.js').Scene[]} scenes
   * @param {{ open: (scene: string) => void, toggleTheme: () => void }} intents
   */
  constructor(scenesHost, themeHost, scenes, { open, toggleTheme }) {
    this.#buttons = scenes.map(({ id }) =>
      h(
        'button',
        { type: 'button', class: 'scene-tab', 'data-scene': id, onclick: () => open(id) },
        strings.scenes[id]?.name ?? id,
      ),
    );
    this.#theme = new SwitchField(strings.settings.theme, toggleTheme);
    scenesHost.setAttribute('aria-label', strings.scenesLabel);
    scenesHost.append(...this.#buttons);
    themeHost.append(this.#theme.element);
  }

  /** @param {string} scene @param {boolean} isDark */
  show(scene, isDark) {
    for (const button of this.#buttons) {
      button.setAttribute('aria-current', String(button.dataset.scene === scene));
    }
    this.#theme.set(
      isDark ? strings.settings.toLight : strings.settings.toDark,
      isDark ? 'sun' : 'moon',
    );
  }
}
