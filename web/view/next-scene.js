/**
 * The way to the next scene: a button at the page's end, and the key N. A person who speaks to the
 * computer can switch the key off, since a word may contain it (WCAG 2.1.4).
 */

import { sceneAfter } from '../scenes/index.js';
import { sceneWords, strings } from '../strings/index.js';
import { button, h, setText } from './dom.js';
import { recall, remember } from './remembered.js';

const KEY = 'gradlock-next-key';
const FIELDS = 'input:not([type=radio], [type=checkbox], [type=range]), select, textarea';

export class NextScene {
  #button;
  #scene = '';
  #open;
  #focus;

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} keysHost  of the switch for the key
   * @param {{ open: (scene: string) => void, openAll: () => void, focus: () => void }} intents
   *   focus moves the focus to where a scene begins
   */
  constructor(host, keysHost, { open, openAll, focus }) {
    this.#open = open;
    this.#focus = focus;
    const words = strings.gallery;
    this.#button = button('', () => this.#go());
    host.append(this.#button, button(words.all, openAll, 'quiet'));
    const isOn = h('input', { type: 'checkbox', checked: recall(KEY) !== 'off' });
    isOn.addEventListener('change', () => remember(KEY, isOn.checked ? 'on' : 'off'));
    keysHost.append(h('label', { class: 'check' }, isOn, words.key));
    document.addEventListener('keydown', (event) => {
      const [target] = event.composedPath();
      const isField = target instanceof Element && target.matches(FIELDS);
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
      if (event.key?.toLowerCase() !== 'n' || !isPlain || isField || !isOn.checked) return;
      // Behind a dialog, and in an embedded page, the scene stays.
      if (document.querySelector('dialog[open]') || !host.checkVisibility()) return;
      event.preventDefault();
      this.#go();
    });
  }

  #go() {
    this.#open(sceneAfter(this.#scene).id);
    this.#focus();
    scrollTo({ top: 0 });
  }

  /** @param {string} scene the open one */
  show(scene) {
    this.#scene = scene;
    setText(this.#button, strings.gallery.next(sceneWords(sceneAfter(scene).id).name));
  }
}
