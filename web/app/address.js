/**
 * The page's address. Its hash holds the run, for reloads. Back and Forward lead to left runs, at
 * their step. Its query has teachers' options (`?lesson=`, `?embed=1`, `?hide=run,settings`).
 */

import { FIRST } from './app.js';
import { beEmbedded } from './embedding.js';
import { keep, kept } from './storage.js';
import { challengeOf } from '../scenes/index.js';
import { toHandIn } from '../state/hand-in.js';
import { toFile } from '../state/file.js';
import { judge } from '../state/judge.js';
import { fromLink, MOST_CHARACTERS, toLink } from '../state/link.js';
import { language } from '../strings/index.js';

/** @typedef {import('./runs.js').LeftRun} LeftRun */
/** @typedef {import('../state/state.js').State} State */

/** The time between two changes of the address, in ms; browsers refuse many changes in a row. */
const INTERVAL = 700;

/** The longest wait before the engine is asked again, in ms. */
const LONGEST = 200;

/** The prefix of the entry's key in `window.name`, which lasts as long as the window. */
const NAMED = 'gradlock ';

/** The parts that an embedded page hides, by their ids. */
const NOT_EMBEDDED =
  'top scenes theme keys share challenge code about reference teachers licences'.split(' ');
/** The parts that `?hide=` can hide. */
const HIDEABLE = [
  ...NOT_EMBEDDED,
  ...'lede hold legend locks run chart-panel settings inspector own prune'.split(' '),
];

/** Returns a state as a hash; null if it is too long for an address. @param {State} state */
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
  /** True if the run has changed since; the second is true while the engine is being asked. */
  #isStale = false;
  #isAsking = false;
  /** The file or hash that the page opened with, until a run is open. @type {string | null} */
  #openedFile = null;
  /** Ends the wait before the next question to the engine. */
  #endWait = () => {};
  /** True while this page is being left, or waits in the browser's cache. */
  #isLeaving = false;
  /** The key of the current history entry, which also stores it. */
  #key = newKey();
  /** The runs left at other history entries. @type {Map<string, LeftRun>} */
  #left = new Map();

  /** @param {import('./app.js').App} app @param {() => void} onTooLong */
  constructor(app, onTooLong) {
    this.#app = app;
    this.#onTooLong = onTooLong;
  }

  applyOptions() {
    const query = new URLSearchParams(location.search);
    const isEmbedded = query.get('embed') === '1';
    const hidden = (query.get('hide') ?? '')
      .split(',')
      .map((name) => name.replace(/^chart$/, 'chart-panel'));
    document.documentElement.classList.toggle('is-embedded', isEmbedded);
    for (const id of HIDEABLE) {
      const isHidden = hidden.includes(id) || (isEmbedded && NOT_EMBEDDED.includes(id));
      if (isHidden) document.getElementById(id)?.classList.add('is-away');
    }
    if (isEmbedded) beEmbedded();
  }

  /** Loads the page in another language, with the same run. @param {string} tag */
  async changeLanguage(tag) {
    const { state, checkpoint } = await this.#app.whole('saved');
    const url = inLanguage(tag);
    url.hash = hashOf(state) ?? url.hash;
    this.#isLeaving = true;
    // Without storage, a long address is better than a lost run.
    if (!keep(url.href, toFile(state, checkpoint))) url.hash = toLink(state);
    location.assign(url);
  }

  /** Opens what the address holds. @param {(scene: string) => void} openLesson @param {boolean} mayPlay */
  async start(openLesson, mayPlay) {
    const lesson = new URLSearchParams(location.search).get('lesson');
    const candidate = fromLink(location.hash) ?? (lesson ? { scene: lesson } : null);
    addEventListener('popstate', ({ state }) => this.#follow(state));
    setInterval(() => this.#app.runs.isPlaying && this.remember(), 3 * INTERVAL);
    addEventListener('pagehide', () => {
      this.#flush();
      this.#isLeaving = true;
    });
    addEventListener('pageshow', () => {
      this.#isLeaving = false;
    });
    document.addEventListener('visibilitychange', () => document.hidden && this.#flush());
    const run = kept(location.href) ?? kept(history.state?.key ?? keyOfReload());
    this.#openedFile = run?.file ?? null;
    this.#enter('replaceState', inLanguage(language).href);
    const isBare = !candidate || location.hash === `#scene=${FIRST}`;
    await this.#app.start(candidate, run, mayPlay && isBare && !lesson);
    if (lesson) openLesson(this.#app.state.scene);
  }

  /** Writes a changed run to the address after a short wait. */
  remember() {
    this.#isStale = true;
    const { commands, runs } = this.#app;
    // If only the step has changed, the engine need not be asked.
    if (runs.known?.changes !== commands.changes) this.#endWait();
    this.#update();
    clearTimeout(this.#timer);
    this.#timer = Number(setTimeout(() => this.#write(), INTERVAL));
  }

  /** Asks the engine for the run until nothing has changed since, in about 10% of the time. */
  async #update() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const began = performance.now();
        await this.#whole();
        const wait = Math.min(LONGEST, 9 * (performance.now() - began));
        await new Promise((/** @type {(value?: unknown) => void} */ done) => {
          this.#endWait = done;
          setTimeout(done, wait);
        });
      }
    } finally {
      this.#isAsking = false;
    }
  }

  async #whole() {
    const { commands, runs } = this.#app;
    const { changes } = commands;
    const { state } = await this.#app.whole();
    // Another run, or this one again, may be open since.
    if (runs.known && runs.known.changes <= changes) {
      runs.known = { state, changes };
      commands.forget(changes);
    }
    return state;
  }

  /** Stores the run at once: a page that is being closed cannot ask the engine any more. */
  #flush() {
    const file = this.#isLeaving || this.#app.playsByItself ? null : this.#file();
    if (file) keep(this.#key, file);
    // The address stays as it is: WebKit would lose the page's history entry.
  }

  /** The run as far as the page knows it, with the commands since the engine's last answer. */
  #file() {
    const { commands, frame, runs } = this.#app;
    const { known, replay } = runs;
    if (!known) return this.#openedFile;
    // A run that has just been opened, or is still loading, is saved as it was requested.
    const { state } = known;
    // The frame has the newest step, unless it has not come yet.
    const newest = Math.max(frame?.step ?? 0, runs.reached, state.step);
    const step = frame && !replay ? newest : state.step;
    const events = commands.since(step);
    return toFile(events ? { ...state, step, events: [...state.events, ...events] } : state);
  }

  /** Adds a history entry for a new run; Back leads to the run it replaced. @param {LeftRun} left @param {State} now */
  opened(left, now) {
    this.#left.set(this.#key, left);
    this.#replace(hashOf(left.state));
    this.#key = newKey();
    const hash = hashOf(now) ?? `#${toLink({ ...now, events: [], step: 0 })}`;
    this.#written = hash;
    this.#enter('pushState', hash);
  }

  async #write() {
    // The opening's address stays short, and plays by itself once more after a reload.
    if (this.#app.playsByItself) return;
    const key = this.#key;
    const hash = hashOf(await this.#whole());
    if (hash === null) {
      if (!this.#hasComplained) this.#onTooLong();
      this.#hasComplained = true;
    } else if (key === this.#key) {
      this.#replace(hash);
    }
  }

  /** @param {string | null} hash null keeps the current one */
  #replace(hash) {
    if (hash === null || hash === location.hash) return;
    this.#written = hash;
    this.#enter('replaceState', hash);
  }

  /** Writes a history entry. In some browsers a sandboxed frame without an origin has no address. @param {'pushState' | 'replaceState'} way @param {string} [url] */
  #enter(way, url) {
    if (!window.name || window.name.startsWith(NAMED)) window.name = NAMED + this.#key;
    try {
      history[way]({ key: this.#key }, '', url);
    } catch (error) {
      if (origin !== 'null') throw error;
    }
  }

  /** @returns {Promise<string | null>} null if it is too long for an address */
  async link() {
    const hash = hashOf((await this.#app.whole()).state);
    return hash && new URL(hash, inLanguage(language)).href;
  }

  /** Returns a link that claims the run's results. @param {string} name @returns {Promise<string | null>} null if it is too long for an address */
  async handIn(name) {
    const { state, proof } = await this.#app.whole('proof');
    const challenge = challengeOf(state.scene);
    const isMet = challenge && 'score' in judge(challenge, state, proof);
    const hash = toHandIn(state, proof, name, isMet ? challenge.id : null);
    return hash.length > MOST_CHARACTERS ? null : new URL(`#${hash}`, inLanguage(language)).href;
  }

  /** Handles Back, Forward, and a link typed over this one. @param {{ key?: string } | null} entry */
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
      : await this.#app.runs.read(fromLink(location.hash) ?? {}, { isHistory: true });
    if (left) this.#left.set(from, left);
  }
}

/** Returns this page's address in a language. @param {string} tag */
function inLanguage(tag) {
  const url = new URL(location.href);
  url.searchParams.set('lang', tag);
  return url;
}

/** The entry's key after a reload: WebKit may lose the state of an entry written just before. */
const keyOfReload = () => {
  const [entry] = performance.getEntriesByType('navigation');
  const isReload = /** @type {PerformanceNavigationTiming} */ (entry)?.type === 'reload';
  return isReload && window.name.startsWith(NAMED) ? window.name.slice(NAMED.length) : undefined;
};

const newKey = () => Math.random().toString(36).slice(2);
