/**
 * The question before the first step, instead of the chart. Later it shows the guess and the
 * outcome of the person's own run, until a person closes it. It keeps no score, and asks once.
 */

import { findScene } from '../scenes/index.js';
import { percent } from '../scenes/shared/figure.js';
import { sceneWords, strings } from '../strings/index.js';
import { button, h, iconButton, isTouched, setText } from './dom.js';
import { formatShort } from './format.js';

/**
 * The run as it is shown.
 * @typedef {object} Now
 * @property {boolean} isAtStart  true if nothing was trained yet
 * @property {number} steps       since the start
 * @property {boolean} isMasked   true if the run's own cells are held by a mask
 * @property {number} held
 * @property {number} loss
 * @property {Record<string, string>} choices  of the scene
 * @property {import('../engine/protocol.js').Drift} drift  of the run's held cells
 * @property {import('../engine/protocol.js').Drift | null} leak  of those beside it, under a mask
 * @property {(reading: string) => Float32Array | undefined} reading
 */

/** @param {string} scene */
const wordsOf = (scene) =>
  /** @type {NonNullable<import('../scenes/scene.js').SceneWords['guess']>} */ (
    sceneWords(scene).guess
  );

/** The question of a scene. @param {string} scene */
const askedOf = (scene) => findScene(scene)?.guess;

export class Guess {
  #host;
  #outcome;
  #line = h('p', { class: 'guessed-text', id: 'guessed' });
  #intents;
  #question = h('p', { class: 'guess-question', id: 'guess-question' });
  #answers = h('div', { class: 'tools' });
  #scene = '';
  /** @type {Now | null} */
  #now = null;
  /** The step at which the mask was switched on; null without one. @type {number | null} */
  #masked = null;
  #first = Number.NaN;
  /** Guesses by scene, '' for none, with what was told. @type {Map<string, { answer: string, told: string, waits: boolean, isRight: boolean | null }>} */
  #asked = new Map();

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} outcome  the parent of guess and outcome
   * @param {HTMLElement} grid  what the question is about
   * @param {{ changed: () => void, answered: (scene: string, answer: number) => void, start: () => void, announce: (text: string) => void }} intents
   *   called when the question comes or goes, with an answer (from 0), to start the run, and with the outcome
   */
  constructor(host, outcome, grid, intents) {
    this.#host = host;
    this.#outcome = outcome;
    this.#intents = intents;
    const words = strings.guess;
    const close = iconButton('close', strings.close, () => this.#choose(''), 'bare');
    outcome.append(this.#line, close);
    host.setAttribute('role', 'group');
    host.setAttribute('aria-labelledby', 'guess-question');
    const unfold = () => {
      host.classList.add('is-open');
      this.#answers.querySelector('button')?.focus({ preventScroll: true });
    };
    // On a phone they cover the page's end: what is needed is scrolled to above them.
    const sizes = new ResizeObserver(() => {
      const over = Math.max(host.offsetHeight, outcome.offsetHeight);
      document.documentElement.style.setProperty('--over', `${over}px`);
      if (host.contains(document.activeElement)) grid.scrollIntoView({ block: 'nearest' });
    });
    sizes.observe(host);
    sizes.observe(outcome);
    host.append(
      this.#question,
      button(words.title, unfold, 'quiet guess-more'),
      this.#answers,
      button(words.pass, () => this.#choose('', true), 'quiet'),
    );
  }

  get isAsking() {
    return this.#isMeant && (this.#now?.isAtStart ?? true) && !this.#asked.has(this.#scene);
  }

  /** True if the run is the one that the question is about. */
  get #isMeant() {
    const asked = askedOf(this.#scene);
    const held = this.#now?.held ?? 0;
    return (
      asked !== undefined &&
      Object.entries(asked.choices ?? {}).every(([id, at]) => this.#now?.choices[id] === at) &&
      [asked.held ?? held].flat().includes(held) &&
      (asked.of !== 'mask' || held > 0)
    );
  }

  /** True if a person has guessed, and the run that was asked about has not answered yet. */
  get isWaiting() {
    const guess = this.#asked.get(this.#scene);
    return this.#isMeant && guess !== undefined && guess.answer !== '' && guess.waits;
  }

  /** Opens another scene, or another run of it. @param {string} scene */
  open(scene) {
    if (scene === this.#scene) return;
    this.#scene = scene;
    this.#masked = null;
    this.#now = null;
    this.#host.classList.remove('is-open');
    this.#outcome.classList.remove('is-done');
    this.#show();
    if (!askedOf(scene)) return;
    const words = wordsOf(scene);
    setText(this.#question, words.question);
    this.#answers.replaceChildren(
      ...words.answers.map((answer) => button(answer, () => this.#choose(answer, true))),
    );
  }

  /** Ends what was asked, or begins to wait for the outcome. @param {string} [answer] '' for none @param {boolean} [waits] */
  #end(answer = '', waits = false) {
    if (this.#asked.get(this.#scene)?.told) this.#outcome.classList.add('is-done');
    this.#asked.set(this.#scene, { answer, told: '', waits, isRight: null });
    this.#show();
  }

  /** @param {string} answer '' to skip @param {boolean} [waits] */
  #take(answer, waits) {
    this.#end(answer, waits);
    this.#ask(false);
    // A paused run sends no more frames.
    if (this.#now) this.draw(this.#now);
    if (answer) this.#intents.answered(this.#scene, wordsOf(this.#scene).answers.indexOf(answer));
  }

  /** Its button disappears, so the Play button gets the focus. @param {string} answer @param {boolean} [isStart] the run answers */
  #choose(answer, isStart) {
    this.#take(answer, isStart);
    if (isStart) this.#intents.start();
    /** @type {HTMLElement | null} */
    const play = document.querySelector('.play');
    play?.focus({ preventScroll: true });
  }

  /** Skips the question: the person trains without a guess. */
  pass() {
    if (this.isAsking) this.#take('');
  }

  /** Forgets an outcome that was told: it is about other locks, or an earlier run. */
  forget() {
    if (this.#asked.get(this.#scene)?.told) this.#end();
  }

  /** Shows the scene's guess, and its outcome as soon as there is one. */
  #show() {
    const { answer = '', told = '' } = this.#asked.get(this.#scene) ?? {};
    // A guess is about its own locks.
    this.#outcome.hidden = !(answer && this.#isMeant) && !told;
    this.#outcome.classList.toggle('is-told', told !== '');
    setText(this.#line, told || (answer && strings.guess.made(answer)));
  }

  /** @param {boolean} isAsking */
  #ask(isAsking) {
    if (this.#host.hidden === !isAsking) return;
    this.#host.hidden = !isAsking;
    this.#intents.changed();
  }

  /** @param {Now} now */
  draw(now) {
    const asked = askedOf(this.#scene);
    const before = this.#now;
    this.#now = now;
    if (now.steps === 0) this.#first = now.loss;
    if (!now.isMasked) this.#masked = null;
    else this.#masked = Math.min(this.#masked ?? now.steps, now.steps);
    this.#ask(this.isAsking);
    if (before && !before.isAtStart && (now.isAtStart || now.held !== before.held)) this.forget();
    if (now.held !== before?.held) this.#show();
    const guess = this.#asked.get(this.#scene);
    if (!asked || !this.#isMeant || !(guess?.waits || guess?.told)) return;
    const isMask = asked.of === 'mask';
    const steps = isMask ? now.steps - (this.#masked ?? now.steps) : now.steps;
    const drift = asked.of === 'rival' ? now.leak : now.drift;
    if (steps < asked.after || !drift || (isMask && !(now.isMasked && now.held))) return;
    const { held, loss, reading } = now;
    const [{ moved, farthest }, first] = [drift, this.#first];
    const right = asked.right({
      ...{ held, moved, first, loss },
      reading: (name) => reading(name)?.[0] ?? Number.NaN,
    });
    const isNew = guess.waits;
    if (isNew && right === null) return;
    const { told, answers } = wordsOf(this.#scene);
    const outcome = told({
      ...{ held, moved, farthest: formatShort(farthest) },
      loss: formatShort(loss),
      percent: (name) => percent(reading(name)),
    });
    if (isNew) guess.isRight = guess.answer ? answers[Number(right)] === guess.answer : null;
    guess.waits = false;
    // Its numbers are those of the run as it goes on.
    const words = strings.guess.judged(guess.isRight, outcome);
    guess.told = isTouched() ? strings.lede.byTouch(words) : words;
    this.#show();
    if (isNew) this.#intents.announce(guess.told);
  }
}
