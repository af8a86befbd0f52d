/**
 * The way to the scenes: the name of the open one, the next, and all of them. The key N opens the
 * next. It can be switched off, since a word of speech input may contain it (WCAG
 * 2.1.4). At the end of the page are the language and the theme.
 */

import { sceneAfter } from '../scenes/index.js';
import { language, languages, sceneWords, strings, tables } from '../strings/index.js';
import { button, h, iconButton, relabel, setText } from './dom.js';
import { recall, remember } from './remembered.js';

const KEY = 'gradlock-next-key';
const FIELDS = 'input:not([type=radio], [type=checkbox], [type=range]), select, textarea';

export class Header {
  #name = h('strong', { class: 'scene-name' });
  #next;
  #theme;
  #host;
  #scene = '';
  #intents;

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} foot  of the language and the theme
   * @param {HTMLElement} keysHost  of the switch for the key
   * @param {{ open: (scene: string) => void, openAll: () => void, focus: () => void, toggleTheme: () => void,
   *   changeLanguage: (language: string) => void }} intents  focus: to the scene's start
   */
  constructor(host, foot, keysHost, intents) {
    const words = strings.gallery;
    const { openAll, toggleTheme, changeLanguage } = intents;
    this.#host = host;
    this.#intents = intents;
    this.#next = button('', () => this.go(), 'quiet scenes-next');
    const all = iconButton('cards', words.all, openAll, 'quiet scenes-all');
    all.setAttribute('aria-haspopup', 'dialog');
    host.setAttribute('aria-label', words.label);
    host.append(this.#name, this.#next, all);
    const isOn = h('input', { type: 'checkbox', checked: recall(KEY) !== 'off' });
    isOn.addEventListener('change', () => remember(KEY, isOn.checked ? 'on' : 'off'));
    keysHost.append(h('label', { class: 'check row' }, isOn, words.key));
    document.addEventListener('keydown', (event) => {
      const [target] = event.composedPath();
      const isField = target instanceof Element && target.matches(FIELDS);
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat);
      if (event.key?.toLowerCase() !== 'n' || !isPlain || isField || !isOn.checked) return;
      // Behind a dialog, and in an embedded page, the scene stays.
      if (document.querySelector('dialog[open]') || !this.#host.clientWidth) return;
      event.preventDefault();
      this.go();
    });
    const others = languages.filter((tag) => tag !== language);
    const switches = others.map((tag) =>
      button(tables[tag].languageName, () => changeLanguage(tag), 'quiet', { lang: tag }),
    );
    this.#theme = iconButton('sun', '', toggleTheme, 'quiet', strings.settings.theme);
    foot.append(...switches, this.#theme);
  }

  go() {
    const { open, focus } = this.#intents;
    open(sceneAfter(this.#scene).id);
    focus();
    scrollTo({ top: 0 });
  }

  /** @param {string} scene @param {boolean} isDark */
  show(scene, isDark) {
    this.#scene = scene;
    setText(this.#name, sceneWords(scene).name);
    setText(this.#next, strings.gallery.next(sceneWords(sceneAfter(scene).id).name));
    const { toLight, toDark } = strings.settings;
    relabel(this.#theme, isDark ? 'sun' : 'moon', isDark ? toLight : toDark);
  }
}
