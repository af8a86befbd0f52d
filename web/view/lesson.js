/** A guided tour, step by step and never over the page: it points, explains, and offers actions. */

import { findScene } from '../scenes/index.js';
import { strings } from '../strings/index.js';
import { button, h, setText } from './dom.js';

/** @param {string} scene */
const tourOf = (scene) => findScene(scene)?.tour ?? [];

/** @param {string} area */
const partOf = (area) =>
  document.getElementById(area) ?? [...document.querySelectorAll(`.figure.is-${area}`)].at(-1);

export class Lesson {
  /** Watches the page's height while a step points at a part of it. */
  #growth = new ResizeObserver(() => {});
  #host;
  #intents;
  /** The scene of the open tour; '' if none is open. */
  scene = '';
  #at = 0;
  #text = h('p', { class: 'lesson-text', tabindex: '-1' });
  #count = h('span', { class: 'lesson-count note' });
  #buttons;

  /** @param {HTMLElement} host @param {{ perform: (actions: import('../scenes/scene.js').TourAction[]) => Promise<void>, reveal: (area: Element) => void, asks: () => boolean }} intents */
  constructor(host, intents) {
    this.#host = host;
    this.#intents = intents;
    const words = strings.lesson;
    this.#buttons = {
      act: button(words.act, () => this.#act(), 'is-accent'),
      back: button(words.back, () => this.#go(this.#at - 1)),
      next: button(words.next, () => this.#go(this.#at + 1)),
      skip: button(words.skip, () => this.close(), 'quiet'),
    };
    host.setAttribute('aria-label', words.label);
    const bar = [...Object.values(this.#buttons), this.#count];
    host.append(this.#text, h('div', { class: 'lesson-bar row wrap' }, ...bar));
  }

  #step() {
    return tourOf(this.scene)[this.#at];
  }

  /** @param {string} scene */
  open(scene) {
    this.scene = scene;
    this.#host.hidden = false;
    this.#go(0);
  }

  close() {
    if (this.#host.hidden) return;
    const hadFocus = this.#host.contains(document.activeElement);
    this.scene = '';
    this.#host.hidden = true;
    this.#point(null);
    if (hadFocus) document.getElementById('tour')?.focus();
  }

  /** @param {number} at */
  #go(at) {
    const steps = tourOf(this.scene);
    if (at >= steps.length) return this.close();
    this.#at = Math.max(0, at);
    this.#show();
    this.#text.focus({ preventScroll: true });
  }

  /** Shows the first step again, with its question or now without. */
  guessed() {
    if (this.scene) this.#show();
  }

  /** Does the actions of the step, and shows again what it points at: an action may replace it. */
  async #act() {
    const step = this.#step();
    await this.#intents.perform(step.actions ?? []);
    if (this.scene && step === this.#step()) this.#point(step.area);
  }

  #show() {
    const steps = tourOf(this.scene);
    const words = strings.lesson;
    // A scene with a question asks it first; the training of the next steps answers it.
    const asks = this.#at === 0 && this.#intents.asks();
    const text = strings.scenes[this.scene].lesson[this.#at];
    setText(this.#text, asks ? `${text} ${words.guess}` : text);
    setText(this.#count, words.count(this.#at + 1, steps.length));
    setText(this.#buttons.next, this.#at + 1 < steps.length ? words.next : words.done);
    this.#buttons.act.hidden = !this.#step().actions;
    this.#buttons.back.hidden = this.#at === 0;
    // The text speaks of its area all the same, so that is revealed.
    this.#point(this.#step().area);
    if (asks) this.#point('guess');
  }

  /** @param {string | null} area the id of an element or of a figure: the last of it, the mask's if there are two */
  #point(area) {
    this.#growth.disconnect();
    for (const old of document.querySelectorAll('.is-pointed-at'))
      old.classList.remove('is-pointed-at');
    const element = area && partOf(area);
    if (!element) return;
    this.#intents.reveal(element);
    element.classList.add('is-pointed-at');
    // The tour stays at the upper edge of the screen: what it points at scrolls to below it.
    document.documentElement.style.setProperty('--lesson', `${this.#host.offsetHeight}px`);
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = isCalm ? 'instant' : 'smooth';
    // An element that is fixed to the screen is in sight, so the grid is shown.
    const isFixed = getComputedStyle(element).position === 'fixed';
    const shown = (isFixed && partOf('grid')) || element;
    const show = () => {
      const room = innerHeight - this.#host.offsetHeight;
      const block = isFixed || shown.clientHeight > room ? 'start' : 'nearest';
      shown.scrollIntoView({ block, behavior });
    };
    show();
    // Elements that a step opens may still grow, and push the target out of sight.
    this.#growth = new ResizeObserver(show);
    this.#growth.observe(document.body);
  }
}
