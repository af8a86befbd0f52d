/**
 * The page's address: the run in its hash, kept up to date, and read again on reload; Back and Forward, which lead to
 * runs that were left, at the very step; what teachers ask for (`?lesson=`, `?embed=1`, `?hide=run,settings`) in its
 * query.
 */

import { fromFile, toFile } from './state/file.js';
import { fromLink, MOST_CHARACTERS, toLink } from './state/link.js';
import { language } from './strings.js';

/** @typedef {import('./app-types.js').LeftRun} LeftRun */
/** @typedef {import('./state/state.js').State} State */

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
  'code',
  'share',
  'own',
  'keys',
  'reference',
];
/** What an embedded page has no room for. */
const NOT_EMBEDDED = ['top', 'scenes', 'keys', 'share', 'code', 'reference'];

/** A state as a hash; null if it would be too long to pass around. @param {State} state */
function hashOf(state) {
  const link = toLink(state);
  return link.length > MOST_CHARACTERS ? null : `#${link}`;
}

export class Address {
  #app;
  #onTooLong;
  #timer = 0;
  #written = '';
  #hasComplained = false;
  /** Of the entry of the browser's history that the page is at; the entry itself holds it too. */
  #key = newKey();
  /** What was left at other entries. @type {Map<string, LeftRun>} */
  #left = new Map();

  /** @param {import('./app.js').App} app @param {() => void} onTooLong */
  constructor(app, onTooLong) {
    this.#app = app;
    this.#onTooLong = onTooLong;
  }

  /** What teachers ask for: parts to hide, a page to embed. */
  dress() {
    hide(new URLSearchParams(location.search));
    if (document.documentElement.classList.contains('is-embedded')) reportHeight();
  }

  /** The same run in another language. @param {string} tag */
  async speak(tag) {
    const [state, checkpoint] = [await this.#app.whole(), await this.#app.checkpoint()];
    keep(toFile(state, checkpoint));
    location.assign(inLanguage(tag));
  }

  /** Open what the address says. @param {(scene: string) => void} openLesson */
  async start(openLesson) {
    const lesson = new URLSearchParams(location.search).get('lesson');
    const candidate = fromLink(location.hash) ?? (lesson ? { scene: lesson } : null);
    addEventListener('popstate', ({ state }) => this.#follow(state));
    setInterval(() => this.#app.isPlaying && this.remember(), 3 * PACE);
    history.replaceState({ key: this.#key }, '', inLanguage(language).href);
    await this.#app.start(candidate, kept());
    if (lesson) openLesson(this.#app.state.scene);
  }

  /** The run changed: write it down, soon. */
  remember() {
    clearTimeout(this.#timer);
    this.#timer = Number(setTimeout(() => this.#write(), PACE));
  }

  /** Another run is open: going back leads to the one that was left for it. @param {LeftRun | null} left @param {State} now */
  opened(left, now) {
    if (!left) return;
    this.#left.set(this.#key, left);
    this.#replace(hashOf(left.state));
    this.#key = newKey();
    const hash = hashOf(now) ?? `#${toLink({ ...now, events: [], step: 0 })}`;
    this.#written = hash;
    history.pushState({ key: this.#key }, '', hash);
  }

  async #write() {
    const key = this.#key;
    const hash = hashOf(await this.#app.whole());
    if (hash === null) {
      if (!this.#hasComplained) this.#onTooLong();
      this.#hasComplained = true;
    } else if (key === this.#key) {
      this.#replace(hash);
    }
  }

  /** @param {string | null} hash null: as it is */
  #replace(hash) {
    if (hash === null || hash === location.hash) return;
    this.#written = hash;
    history.replaceState({ key: this.#key }, '', hash);
  }

  /** @returns {Promise<string | null>} null if it would be too long to pass around */
  async link() {
    const hash = hashOf(await this.#app.whole());
    return hash && new URL(hash, inLanguage(language)).href;
  }

  /** Back, forward, or a link typed over this one. @param {{ key?: string } | null} entry */
  async #follow(entry) {
    if (!entry && location.hash === this.#written) return;
    this.#written = location.hash;
    clearTimeout(this.#timer);
    const from = this.#key;
    this.#key = entry?.key ?? newKey();
    if (!entry?.key) history.replaceState({ key: this.#key }, '');
    const run = this.#left.get(this.#key);
    const left = run
      ? await this.#app.back(run)
      : await this.#app.open(fromLink(location.hash) ?? {}, undefined, { isHistory: true });
    if (left) this.#left.set(from, left);
  }
}

/** This page's address in a language. @param {string} tag */
function inLanguage(tag) {
  const url = new URL(location.href);
  url.searchParams.set('lang', tag);
  return url;
}

/** Where a run waits while the page is loaded in another language. */
const KEPT = 'gradlock-run';

/** Only what fits; the address holds the run, too, unless it is very long. @param {string} file */
function keep(file) {
  try {
    sessionStorage.setItem(KEPT, file);
  } catch {}
}

function kept() {
  try {
    const file = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    return file === null ? null : fromFile(file);
  } catch {
    return null;
  }
}

/** Whoever embeds the page is told how high it is: `{ type: 'gradlock-height', height }`, in CSS pixels. */
function reportHeight() {
  let height = 0;
  const report = () => {
    const now = Math.ceil(document.body.getBoundingClientRect().height);
    if (now === height) return;
    height = now;
    parent.postMessage({ type: 'gradlock-height', height }, '*');
  };
  new ResizeObserver(report).observe(document.body);
}

const newKey = () => Math.random().toString(36).slice(2);

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
