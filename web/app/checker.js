/**
 * Checks links: replays each in an engine of its own and compares its results with those that the
 * link claims. A link that takes too long, or breaks the engine, ends only its own check.
 */

import { Engine } from '../engine/client.js';
import { findChallenge } from '../scenes/index.js';
import { falseFields, fromHandIn } from '../state/hand-in.js';
import { judge } from '../state/judge.js';
import { fromLink } from '../state/link.js';
import { LONGEST_LINK } from '../state/link-table.js';
import { firstState, validate } from '../state/state.js';

/** @typedef {import('../state/judge.js').Finding} Finding */
/** @typedef {import('../state/link-table.js').Entry} Entry */
/** @typedef {import('../state/state.js').State} State */
/** @typedef {import('../engine/protocol.js').Proof} Proof */

/** The time between two polls of the progress of a replay, in ms. */
const POLL_INTERVAL = 100;

/** Returns why a check ended without a result. @param {string} reason */
const stop = (reason, detail = '') => Object.assign(new Error(reason), { why: { reason, detail } });

/** @param {Entry} entry @returns {{ state: State, why: Finding['why'] }} */
function read({ link, candidate }) {
  const given = candidate ?? fromLink(hashOf(link)) ?? {};
  // Links from before Picture opened the page may name no scene.
  const named = given.scene === '' ? { ...given, scene: undefined } : given;
  const { state, problems } = validate(named, firstState());
  const [problem] = problems;
  if (!problem) return { state, why: null };
  const why = problem.left
    ? { reason: 'edits', detail: String(problem.left) }
    : { reason: 'field', detail: problem.field };
  return { state, why };
}

/** @param {string} link */
const hashOf = (link) => link.slice(link.indexOf('#') + 1);

export class Checker {
  /** @type {Engine | null} */
  #engine = null;
  /** Ends the check that is under way. @type {(error: Error) => void} */
  #end = () => {};
  #isCancelled = false;

  cancel() {
    this.#isCancelled = true;
    this.#end(stop('cancelled'));
  }

  /**
   * @param {readonly Entry[]} entries
   * @param {number} limit  for each, in ms
   * @param {import('../view/check-links.js').CheckLinks} links  shows each entry's progress and finding
   */
  async check(entries, limit, links) {
    this.#isCancelled = false;
    for (const [at, entry] of entries.entries()) {
      links.progress(at, 0);
      links.show(at, await this.#one(entry, limit, (done) => links.progress(at, done)));
    }
    this.#close();
  }

  /** @param {Entry} entry @param {number} limit @param {(done: number) => void} progress  from 0 to 1 @returns {Promise<Finding>} */
  async #one(entry, limit, progress) {
    const began = performance.now();
    /** @type {Finding} */
    const finding = {
      ...{ verdict: 'stopped', why: null, differences: [], state: null },
      ...{ proof: null, challenge: null, time: 0 },
    };
    const timer = setTimeout(() => this.#end(stop('time')), limit);
    try {
      if (this.#isCancelled) throw stop('cancelled');
      if (entry.link.length > LONGEST_LINK) throw stop('long');
      const { state, why } = read(entry);
      // Of an unknown scene nothing else is known.
      if (why?.detail !== 'scene') finding.state = state;
      if (why) return { ...finding, verdict: 'unreadable', why };
      /** @type {Promise<never>} */
      const end = new Promise((_, reject) => {
        this.#end = reject;
      });
      const { recipe, proof } = await Promise.race([this.#replay(state, progress), end]);
      finding.proof = proof;
      Object.assign(finding, compare(entry, { ...state, ...recipe }, state, proof));
    } catch (error) {
      // Whatever its engine is doing, the next link gets another.
      this.#close();
      const { message, why = { reason: 'refused', detail: message } } = /** @type {any} */ (error);
      finding.why = why;
    } finally {
      clearTimeout(timer);
    }
    finding.time = performance.now() - began;
    return finding;
  }

  /** @param {State} state @param {(done: number) => void} progress @returns {Promise<{ recipe: import('../engine/protocol.js').Recipe, proof: Proof }>} */
  async #replay(state, progress) {
    this.#engine ??= new Engine((message) => this.#end(stop('refused', message)));
    const engine = this.#engine;
    // A rival changes nothing of the run, and would take the same time again.
    const alone = { ...state, beside: /** @type {const} */ ('none') };
    const { isReplaying } = await engine.send({ type: 'open', state: alone });
    for (let isBusy = isReplaying; isBusy; ) {
      const { replay, step: now } = await engine.send({ type: 'frame' });
      if (replay?.refusal) throw stop('refused', replay.refusal.message);
      isBusy = replay !== null;
      if (replay) progress((now - replay.from) / (replay.to - replay.from));
      if (isBusy) await new Promise((done) => setTimeout(done, POLL_INTERVAL));
    }
    return engine.send({ type: 'proof' });
  }

  #close() {
    this.#engine?.close();
    this.#engine = null;
  }
}

/**
 * Compares a run's results with those that its link claims.
 * @param {Entry} entry
 * @param {State} whole  the run as it was replayed
 * @param {State} asked  the run as the link asks for it
 * @param {Proof} proof
 * @returns {Pick<Finding, 'verdict' | 'why' | 'differences' | 'challenge'>}
 */
function compare({ link }, whole, asked, proof) {
  const { claim, isClaimed, challenge: id } = fromHandIn(hashOf(link));
  const known = findChallenge(id);
  const challenge = id ? { id, judgement: known ? judge(known, whole, proof) : null } : null;
  const found = { why: null, differences: [], challenge };
  const left = asked.events.length - whole.events.length;
  if (left > 0) {
    return { ...found, verdict: 'unreadable', why: { reason: 'edits', detail: String(left) } };
  }
  if (!isClaimed) return { ...found, verdict: 'none' };
  if (!claim) return { ...found, verdict: 'false', why: { reason: 'claim', detail: '' } };
  const differences = falseFields(claim, proof);
  return { ...found, verdict: differences.length ? 'false' : 'true', differences };
}
