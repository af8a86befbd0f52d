/** The run as a program for npm: to read, to copy, or to save as a page that runs by itself. */

import { strings } from '../strings/index.js';
import { copy } from './clipboard.js';
import { button, fold, h, setText, tools } from './dom.js';
import { runnablePage } from './runnable.js';

/** The time between updates of the program while a run plays, in ms. */
const PACE = 1000;
/** The most characters shown; copies and files are complete. */
const MOST = 20_000;

export class CodePanel {
  #code = h('code');
  #note = h('p', { class: 'share-note note', role: 'status' });
  #details;
  #intents;
  #whole = '';
  #last = 0;
  #timer = 0;

  /** @param {HTMLElement} host @param {{ code: () => Promise<string>, name: () => string, save: (blob: Blob, name: string) => void }} intents */
  constructor(host, intents) {
    this.#intents = intents;
    const words = strings.code;
    const look = { class: 'code', tabindex: 0, role: 'region', 'aria-label': words.label };
    const acts = tools(
      button(words.copy, () => this.#copy()),
      button(words.page, () => this.#save()),
    );
    const parts = [h('pre', look, this.#code), acts, this.#note];
    this.#details = fold('code', words.label, () => this.refresh(), ...parts);
    host.append(this.#details);
  }

  refresh() {
    if (!this.#details.open || this.#timer) return;
    const wait = Math.max(0, this.#last + PACE - performance.now());
    this.#timer = Number(setTimeout(() => this.#show(), wait));
  }

  async #show() {
    this.#whole = await this.#intents.code();
    this.#timer = 0;
    this.#last = performance.now();
    const { length } = this.#whole;
    const isLong = length > MOST;
    setText(this.#code, isLong ? `${this.#whole.slice(0, MOST)} …` : this.#whole);
    setText(this.#note, isLong ? strings.code.long(Math.round(length / 1000)) : '');
  }

  async #copy() {
    const isCopied = await copy(this.#intents.code());
    if (!isCopied) getSelection()?.selectAllChildren(this.#code);
    setText(this.#note, isCopied ? strings.share.copied : strings.share.notCopied);
  }

  async #save() {
    try {
      const page = await runnablePage(this.#intents.name(), await this.#intents.code());
      this.#intents.save(new Blob([page], { type: 'text/html' }), 'gradlock-run.html');
    } catch (error) {
      if (/** @type {Error} */ (error).name !== 'OfflineError') throw error;
      setText(this.#note, strings.messages.offline);
    }
  }
}
