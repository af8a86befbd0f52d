/** The challenge of a scene, if it has one: its task, and the run's score on request. */

import { strings } from '../strings/index.js';
import { button, fold, h, setText, tools } from './dom.js';
import { challengeWords, judgementText } from './judgement.js';

export class ChallengePanel {
  #host;
  #name = h('strong');
  #task = h('p', {});
  #told = h('p', { class: 'share-note note', role: 'status' });
  #id = '';
  /** The number of times that the run has changed. */
  #changes = 0;

  /** @param {HTMLElement} host @param {(id: string) => Promise<import('../state/judge.js').Judgement | null>} judge pauses the run, and judges it */
  constructor(host, judge) {
    this.#host = host;
    const { label, check } = strings.challenges;
    const tell = async () => {
      const id = this.#id;
      // It pauses the run first, which is a change.
      const judging = judge(id);
      const changes = this.#changes;
      const judgement = await judging;
      if (judgement && changes === this.#changes) setText(this.#told, judgementText(id, judgement));
    };
    const act = tools(button(check, tell));
    host.append(fold('flag', label, () => {}, this.#name, this.#task, act, this.#told));
  }

  /** @param {string | null} id of the open scene's challenge */
  open(id) {
    this.#host.hidden = id === null;
    this.forget();
    this.#id = id ?? '';
    if (!id) return;
    const { name, task } = challengeWords(id);
    setText(this.#name, name);
    setText(this.#task, task);
  }

  /** Clears the judgement, since the run has changed. */
  forget() {
    this.#changes++;
    setText(this.#told, '');
  }
}
