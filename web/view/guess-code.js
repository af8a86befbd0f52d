/** The code of a person's guess, as text and as a QR code, for the teacher's camera. */

import { generate } from 'lean-qr';
import { guessCodeOf } from '../state/guess-code.js';
import { strings } from '../strings/index.js';
import { fold, h, setText, svg } from './dom.js';

/** The light rim that readers need, in modules. */
const RIM = 4;

export class GuessCode {
  #host;
  #fold;
  /** By scene, as they were drawn by lot. @type {Map<string, string>} */
  #codes = new Map();
  #code = h('pre', { class: 'guess-code-text' });
  #path = svg('path', {});
  #picture = svg('svg', { class: 'guess-code-picture', role: 'img' }, this.#path);

  /** @param {HTMLElement} host */
  constructor(host) {
    const { label, note } = strings.guessCode;
    this.#host = host;
    const show = () => this.#fold.open && this.#fold.scrollIntoView({ block: 'nearest' });
    const hint = h('p', { class: 'hint' }, note);
    this.#fold = fold('share', label, show, this.#code, this.#picture, hint);
    host.append(this.#fold);
  }

  /** @param {string} scene @param {number} answer from 0 */
  take(scene, answer) {
    const lot = crypto.getRandomValues(new Uint32Array(4));
    this.#codes.set(scene, guessCodeOf(scene, answer, lot));
    this.open(scene);
  }

  /** Shows the code of a scene's guess, if there is one. @param {string} scene */
  open(scene) {
    const code = this.#codes.get(scene);
    this.#host.hidden = !code;
    this.#fold.open = false;
    if (!code) return;
    setText(this.#code, code);
    const { size, get } = generate(code);
    const side = size + 2 * RIM;
    const modules = Array.from({ length: size * size }, (_, i) => [i % size, Math.floor(i / size)])
      .filter(([x, y]) => get(x, y))
      .map(([x, y]) => `M${x + RIM} ${y + RIM}h1v1h-1z`);
    this.#path.setAttribute('d', modules.join(''));
    this.#picture.setAttribute('viewBox', `0 0 ${side} ${side}`);
    this.#picture.setAttribute('aria-label', strings.guessCode.picture(code));
  }
}
