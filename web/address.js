/**
 * The page's address: the run in its hash, kept up to date, and read again on reload, back and forward; what teachers
 * ask for (`?lesson=`, `?embed=1`, `?hide=run,settings`) in its query.
 */

import { fromLink, MOST_CHARACTERS, toLink } from './state/link.js';

/** The address follows at this pace, in ms; browsers refuse many changes in a row. */
const PACE = 700;

/** What can be hidden, by the ids of the page. */
const HIDEABLE = [
  'top',
  'scenes',
  'lede',
  'legend',
  'locks',
  'run',
  'chart-panel',
  'settings',
  'inspector',
  'share',
  'own',
  'keys',
];
/** What an embedded page has no room for. */
const NOT_EMBEDDED = ['top', 'scenes', 'keys', 'share'];

export class Address {
  #app;
  #onTooLong;
  #timer = 0;
  #isNew = false;
  #written = '';
  #hasComplained = false;

  /** @param {import('./app.js').App} app @param {() => void} onTooLong */
  constructor(app, onTooLong) {
    this.#app = app;
    this.#onTooLong = onTooLong;
  }

  /** Open what the address says. @param {(scene: string) => void} openLesson */
  async start(openLesson) {
    const query = new URLSearchParams(location.search);
    hide(query);
    const lesson = query.get('lesson');
    const candidate = fromLink(location.hash) ?? (lesson ? { scene: lesson } : null);
    addEventListener('popstate', () => this.#follow());
    setInterval(() => this.#app.isPlaying && this.remember(false), 3 * PACE);
    await this.#app.start(candidate);
    if (lesson) openLesson(this.#app.state.scene);
  }

  /** The run changed: write it down, soon. @param {boolean} isAnother whether going back should lead to the one before */
  remember(isAnother) {
    this.#isNew ||= isAnother;
    clearTimeout(this.#timer);
    this.#timer = Number(setTimeout(() => this.#write(), isAnother ? 0 : PACE));
  }

  async #write() {
    const isNew = this.#isNew;
    this.#isNew = false;
    const link = await this.link();
    if (link === null) {
      if (!this.#hasComplained) this.#onTooLong();
      this.#hasComplained = true;
      return;
    }
    const { hash } = new URL(link);
    if (hash === location.hash) return;
    this.#written = hash;
    if (isNew && location.hash) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
  }

  /** @returns {Promise<string | null>} null if it would be too long to pass around */
  async link() {
    const hash = toLink(await this.#app.whole());
    return hash.length > MOST_CHARACTERS ? null : new URL(`#${hash}`, location.href).href;
  }

  /** Back, forward, or a link typed over this one. */
  async #follow() {
    if (location.hash === this.#written) return;
    this.#written = location.hash;
    clearTimeout(this.#timer);
    await this.#app.open(fromLink(location.hash) ?? {});
  }
}

/** @param {URLSearchParams} query */
function hide(query) {
  const isEmbedded = query.get('embed') === '1';
  const asked = (query.get('hide') ?? '')
    .split(',')
    .map((name) => name.replace(/^chart$/, 'chart-panel'));
  document.documentElement.classList.toggle('is-embedded', isEmbedded);
  for (const id of HIDEABLE) {
    const isHidden = asked.includes(id) || (isEmbedded && NOT_EMBEDDED.includes(id));
    if (isHidden) document.getElementById(id)?.classList.add('is-away');
  }
}
