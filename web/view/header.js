/** The head of the page: the scenes as tabs, by group, the language and the theme. */

import { groupedScenes } from '../scenes/index.js';
import { language, languages, nameOfLanguage, sceneWords, strings } from '../strings/index.js';
import { h, icon } from './dom.js';
import { SwitchField } from './fields.js';

/** @param {HTMLElement} strip @param {HTMLElement} tab */
function showInStrip(strip, tab) {
  const left = tab.offsetLeft - (strip.clientWidth - tab.offsetWidth) / 2;
  strip.scrollTo({ left });
}

export class Header {
  #strip;
  #all;
  #tabs;
  #theme;

  /**
   * @param {HTMLElement} strip
   * @param {HTMLElement} themeHost
   * @param {{ open: (scene: string) => void, openAll: () => void, toggleTheme: () => void, speak: (language: string) => void }} intents
   */
  constructor(strip, themeHost, { open, openAll, toggleTheme, speak }) {
    const words = strings.gallery;
    this.#strip = strip;
    this.#all = h(
      'button',
      { type: 'button', class: 'scenes-all', 'aria-haspopup': 'dialog', onclick: openAll },
      icon('cards'),
      h('span', { class: 'button-label' }, words.all),
    );
    const tab = (/** @type {string} */ id) =>
      h(
        'button',
        { type: 'button', class: 'scene-tab', 'data-scene': id, onclick: () => open(id) },
        sceneWords(id).name,
      );
    const groups = groupedScenes.map(({ group, scenes }) =>
      h(
        'div',
        { class: 'scene-group', role: 'group', 'aria-label': words.groups[group] },
        ...scenes.map(({ id }) => tab(id)),
      ),
    );
    this.#tabs = /** @type {HTMLElement[]} */ (groups.flatMap((group) => [...group.children]));
    strip.setAttribute('aria-label', words.label);
    strip.append(this.#all, ...groups);
    strip.addEventListener('keydown', (event) => this.#move(event));
    const others = languages.filter((tag) => tag !== language);
    const switches = others.map((tag) =>
      h(
        'button',
        { type: 'button', class: 'button quiet', lang: tag, onclick: () => speak(tag) },
        nameOfLanguage(tag),
      ),
    );
    this.#theme = new SwitchField(strings.settings.theme, toggleTheme);
    themeHost.append(...switches, this.#theme.element);
  }

  /** The strip is one tab stop: arrows lead from one button to the next. @param {KeyboardEvent} event */
  #move(event) {
    const stops = [this.#all, ...this.#tabs];
    const at = stops.indexOf(/** @type {any} */ (document.activeElement));
    const { length } = stops;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    stops[(to + length) % length].focus();
  }

  /** @param {string} scene @param {boolean} isDark */
  show(scene, isDark) {
    this.#all.tabIndex = -1;
    for (const tab of this.#tabs) {
      const isCurrent = tab.dataset.scene === scene;
      // Where it is narrow the scenes are a scrolling strip.
      if (isCurrent && tab.getAttribute('aria-current') !== 'true') showInStrip(this.#strip, tab);
      tab.setAttribute('aria-current', String(isCurrent));
      tab.tabIndex = isCurrent ? 0 : -1;
    }
    this.#theme.set(
      isDark ? strings.settings.toLight : strings.settings.toDark,
      isDark ? 'sun' : 'moon',
    );
  }
}
