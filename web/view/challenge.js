/** The challenge of a scene, if it has one: its task, and on request what the run scores. */

import { strings } from '../strings/index.js';
import { button, fold, h, setText } from './dom.js';
import { judgementText } from './judgement.js';

export class ChallengePanel {
  #host;
  #name = h('p', { class: 'challenge-name' });
  #task = h('p', {});
  #told = h('p', { class: 'share-note', role: 'status' });
  #id = '';

  /** @param {HTMLElement} host @param {(id: string) => Promise<import('../state/judge.js').Judgement | null>} judge the run as it is now */
  constructor(host, judge) {
    this.#host = host;
    const { label, check } = strings.challenges;
    const tell = async () => {
      const id = this.#id;
      const judgement = await judge(id);
      if (judgement && id === this.#id) setText(this.#told, judgementText(id, judgement));
    };
    const tools = h('div', { class: 'tools' }, button(check, tell));
    host.append(fold('flag', label, () => {}, this.#name, this.#task, tools, this.#told));
  }

  /** @param {string | null} id of the open scene's challenge */
  open(id) {
    this.#host.hidden = id === null;
    setText(this.#told, '');
    this.#id = id ?? '';
    if (!id) return;
    const { name, task } = strings.challenges.of[id];
    setText(this.#name, name);
    setText(this.#task, task);
  }
}
