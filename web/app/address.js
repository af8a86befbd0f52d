/**
 * The page's address: the run in its hash, kept up to date, and read again on reload; Back and Forward, which lead to
 * runs that were left, at the very step; what teachers ask for (`?lesson=`, `?embed=1`, `?hide=run,settings`) in its
 * query.
 */

import { keep, kept } from './storage.js';
import { toFile } from '../state/file.js';
import { fromLink, MOST_CHARACTERS, toLink } from '../state/link.js';
import { language } from '../strings/index.js';

/** @typedef {import('./runs.js').LeftRun} LeftRun */
/** @typedef {import('../state/state.js').State} State */

/** The address follows at this pace, in ms; browsers refuse many changes in a row. */
const PACE = 700;

/** The engine is asked again after this time at most, in ms. */
const LONGEST = 200;

/** Before its entry's key, in the name of the page's window, which lasts as long as the window does. */
const NAMED = 'gradlock ';

/** What an embedded page has no room for. */
const NOT_EMBEDDED = ['top', 'scenes', 'keys', 'share', 'code', 'reference', 'licences'];
/** What can be hidden, by the ids of the page. */
const HIDEABLE = [
  ...NOT_EMBEDDED,
  ...['lede', 'legend', 'locks', 'run', 'chart-panel', 'settings', 'inspector', 'own'],
];

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
  /**
   * The run as it was when the engine was asked last, and how many changes it had seen by then.
   * @type {{ run: number, state: State, changes: number } | null}
   */
  #known = null;
  /** Whether it was changed since; and whether the engine is being asked. */
  #isStale = false;
  #isAsking = false;
  /** What the page began with, while nothing has come of it. @type {string | null} */
  #begun = null;
  /** Ends a wait. */
  #hurry = () => {};
  /** Whether this page goes away, or waits to be come back to. */
  #isLeaving = false;
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
    const { state, checkpoint } = await this.#app.saved();
    const url = inLanguage(tag);
    url.hash = hashOf(state) ?? url.hash;
    this.#isLeaving = true;
    // Without storage, a long address is better than a lost run.
    if (!keep(url.href, toFile(state, checkpoint))) url.hash = toLink(state);
    location.assign(url);
  }

  /** Open what the address says. @param {(scene: string) => void} openLesson */
  async start(openLesson) {
    const lesson = new URLSearchParams(location.search).get('lesson');
    const candidate = fromLink(location.hash) ?? (lesson ? { scene: lesson } : null);
    addEventListener('popstate', ({ state }) => this.#follow(state));
    setInterval(() => this.#app.player.isPlaying && this.remember(), 3 * PACE);
    addEventListener('pagehide', () => {
      this.#flush();
      this.#isLeaving = true;
    });
    addEventListener('pageshow', () => {
      this.#isLeaving = false;
    });
    document.addEventListener('visibilitychange', () => document.hidden && this.#flush());
    const run = kept(location.href) ?? kept(history.state?.key ?? keyOfReload());
    this.#begun = run?.file ?? null;
    this.#enter('replaceState', inLanguage(language).href);
    await this.#app.start(candidate, run);
    if (lesson) openLesson(this.#app.state.scene);
  }

  /** The run changed: write it down, soon. */
  remember() {
    this.#isStale = true;
    const { run, changes } = this.#app.commands;
    // Steps are known without asking.
    if (this.#known?.run !== run || this.#known.changes !== changes) this.#hurry();
    this.#learn();
    clearTimeout(this.#timer);
    this.#timer = Number(setTimeout(() => this.#write(), PACE));
  }

  /** Ask for the run as it is, until nothing has changed since; that takes a tenth of the time. */
  async #learn() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const began = performance.now();
        await this.#whole();
        const wait = Math.min(LONGEST, 9 * (performance.now() - began));
        await new Promise((/** @type {(value?: unknown) => void} */ done) => {
          this.#hurry = done;
          setTimeout(done, wait);
        });
      }
    } finally {
      this.#isAsking = false;
    }
  }

  async #whole() {
    const { commands } = this.#app;
    const { changes } = commands;
    const state = await this.#app.whole();
    this.#known = { run: commands.run, state, changes };
    commands.forget(changes);
    return state;
  }

  /** The page may be gone in a moment, when the engine cannot be asked any more. */
  #flush() {
    const file = this.#isLeaving ? null : this.#file();
    if (file) keep(this.#key, file);
    // No address is written here: in WebKit, a page that goes away would lose its place in the history by it.
  }

  /** The run as far as the page knows it, with what was done since the engine told of it. */
  #file() {
    const { commands, frame, player, runs } = this.#app;
    const { asked, replay } = runs;
    if (!asked) return this.#begun;
    // A run that was opened a moment ago, or is still on its way, is as it was asked for.
    const isTold = this.#known?.run === commands.run && this.#known.changes >= asked.changes;
    const { state, changes } = isTold && this.#known ? this.#known : asked;
    // Of steps the frame has the newest, or it is yet to come.
    const newest = Math.max(frame?.step ?? 0, player.reached, state.step);
    const step = frame && !replay ? newest : state.step;
    const events = commands.since(changes, step);
    return toFile(events ? { ...state, step, events: [...state.events, ...events] } : state);
  }

  /** Another run is open: going back leads to the one that was left for it. @param {LeftRun | null} left @param {State} now */
  opened(left, now) {
    if (!left) return;
    this.#left.set(this.#key, left);
    this.#replace(hashOf(left.state));
    this.#key = newKey();
    const hash = hashOf(now) ?? `#${toLink({ ...now, events: [], step: 0 })}`;
    this.#written = hash;
    this.#enter('pushState', hash);
  }

  async #write() {
    const key = this.#key;
    const hash = hashOf(await this.#whole());
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
    this.#enter('replaceState', hash);
  }

  /** A frame whose sandbox gives it no origin has no address of its own, in some browsers. @param {'pushState' | 'replaceState'} way @param {string} [url] */
  #enter(way, url) {
    if (!window.name || window.name.startsWith(NAMED)) window.name = NAMED + this.#key;
    try {
      history[way]({ key: this.#key }, '', url);
    } catch (error) {
      if (origin !== 'null') throw error;
    }
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
    if (!entry?.key) this.#enter('replaceState');
    const run = this.#left.get(this.#key);
    const left = run
      ? await this.#app.runs.restore(run, true)
      : await this.#app.runs.read(fromLink(location.hash) ?? {}, undefined, { isHistory: true });
    if (left) this.#left.set(from, left);
  }
}

/** This page's address in a language. @param {string} tag */
function inLanguage(tag) {
  const url = new URL(location.href);
  url.searchParams.set('lang', tag);
  return url;
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

/** What the page was at when it was loaded again: WebKit may lose the state of an entry that was written a moment before. */
const keyOfReload = () => {
  const [entry] = performance.getEntriesByType('navigation');
  const isReload = /** @type {PerformanceNavigationTiming} */ (entry)?.type === 'reload';
  return isReload && window.name.startsWith(NAMED) ? window.name.slice(NAMED.length) : undefined;
};

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
