/**
 * A question before the first step, in the chart's place, and later the guess beside the outcome.
 * It keeps no score, and asks once.
 */

import { guesses } from '../scenes/guesses.js';
import { sceneWords, strings } from '../strings/index.js';
import { button, h, setText } from './dom.js';

/** @typedef {import('../scenes/guesses.js').Facts} Facts */

/** @param {string} scene */
const guessOf = (scene) =>
  /** @type {import('../strings/en.js').GuessStrings} */ (sceneWords(scene).guess);

export class Guess {
  #host;
  #line;
  #changed;
  #question = h('p', { class: 'guess-question', id: 'guess-question' });
  #answers = h('div', { class: 'tools' });
  #scene = '';
  #answer = '';
  #isAtStart = true;
  /** The scenes whose question was answered, or skipped. @type {Set<string>} */
  #asked = new Set();

  /** @param {HTMLElement} host @param {HTMLElement} line the place of guess and outcome @param {() => void} changed called when the question comes or goes */
  constructor(host, line, changed) {
    this.#host = host;
    this.#line = line;
    this.#changed = changed;
    host.hidden = true;
    host.setAttribute('role', 'group');
    host.setAttribute('aria-labelledby', 'guess-question');
    host.append(
      h('p', { class: 'guess-title' }, strings.guess.title),
      this.#question,
      this.#answers,
      button(strings.guess.pass, () => this.#take(''), 'quiet'),
    );
  }

  get isAsking() {
    return Boolean(guesses[this.#scene]) && this.#isAtStart && !this.#asked.has(this.#scene);
  }

  /** Opens another scene, or another run of it. @param {string} scene */
  open(scene) {
    if (scene === this.#scene) return;
    this.#scene = scene;
    this.#answer = '';
    this.#isAtStart = true;
    this.#line.hidden = true;
    if (!guesses[scene]) return;
    const words = guessOf(scene);
    setText(this.#question, words.question);
    this.#answers.replaceChildren(
      ...words.answers.map((answer) => button(answer, () => this.#take(answer))),
    );
  }

  /** @param {string} answer '' to skip */
  #take(answer) {
    this.#asked.add(this.#scene);
    this.#answer = answer;
    this.#ask(false);
    const { answers } = guessOf(this.#scene);
    const detail = { scene: this.#scene, answer: answers.indexOf(answer) };
    this.#host.dispatchEvent(new CustomEvent('guessed', { detail }));
    this.#line.hidden = answer === '';
    setText(this.#line, answer && strings.guess.made(answer));
    /** @type {HTMLElement | null} */ (document.querySelector('.play'))?.focus({
      preventScroll: true,
    });
  }

  /** @param {boolean} isAsking */
  #ask(isAsking) {
    if (this.#host.hidden === !isAsking) return;
    this.#host.hidden = !isAsking;
    this.#changed();
  }

  /** @param {boolean} isAtStart true if nothing was trained yet @param {number} steps since the start @param {(of: 'run' | 'rival') => Facts | null} facts */
  draw(isAtStart, steps, facts) {
    const asks = guesses[this.#scene];
    this.#isAtStart = isAtStart;
    this.#ask(this.isAsking);
    if (!asks || !this.#answer) return;
    const known = steps >= asks.after ? facts(asks.of) : null;
    const told = known && guessOf(this.#scene).told(known);
    const made = strings.guess.made(this.#answer);
    setText(this.#line, told ? `${made} ${told}` : made);
  }
}
