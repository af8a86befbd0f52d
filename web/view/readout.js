/** The loss as a number, the legend of the colours, messages, and sentences for screen readers. */

import { strings } from '../strings/index.js';
import { button, h, icon, iconButton, setAttribute, setStyle, setText } from './dom.js';
import { formatShort } from './format.js';
import { ScaleBar } from './scale-bar.js';

export class Loss {
  #label = h('h2', { class: 'note' });
  #number = h('span', { class: 'loss-number' }, '0');
  #log;
  #which;
  #check;

  /** @param {HTMLElement} host @param {{ setLog: (isLog: boolean) => void, setDrift: (isDrift: boolean) => void }} intents */
  constructor(host, { setLog, setDrift }) {
    const drift = button(strings.drift.label, () => setDrift(true));
    const loss = button(strings.loss.label, () => setDrift(false));
    const look = { class: 'row wrap is-more', role: 'group', 'aria-label': strings.drift.which };
    this.#which = h('div', { ...look, hidden: true }, drift, loss);
    this.#log = h('input', { type: 'checkbox', onchange: () => setLog(this.#log.checked) });
    this.#check = h('label', { class: 'check row note is-more' }, this.#log, strings.loss.log);
    host.append(this.#label, this.#number, this.#which, this.#check);
  }

  /** @param {boolean} hasDrift true if there is a choice @param {boolean} isDrift true if the chart shows drift @param {string | undefined} meaning of the loss */
  showDrift(hasDrift, isDrift, meaning) {
    this.#which.hidden = !hasDrift;
    this.#number.hidden = this.#check.hidden = hasDrift && isDrift;
    const { label } = strings.loss;
    const loss = meaning ? `${label}: ${meaning}` : label;
    setText(this.#label, hasDrift && isDrift ? strings.drift.label : loss);
    [...this.#which.children].forEach((one, i) => {
      setAttribute(one, 'aria-pressed', String(isDrift === (i === 0)));
    });
  }

  /** @param {boolean} isLog */
  show(isLog) {
    this.#log.checked = isLog;
  }

  /** @param {number} loss */
  draw(loss) {
    setText(this.#number, Number.isFinite(loss) ? formatShort(loss) : strings.loss.lost);
  }
}

/** Makes a key of the legend. @param {string} look of its swatch @param {string} text @param {Node | null} symbol */
const key = (look, text, symbol) =>
  h('div', { class: 'row' }, h('span', { class: `swatch ${look}` }, symbol), text);

export class Legend {
  #scale = new ScaleBar();
  #locked = key('is-locked', strings.legend.locked, icon('lock'));
  #drifted = key('has-drifted', strings.legend.half, null);
  #next = key('is-next', strings.legend.next, null);

  /** @param {HTMLElement} host */
  constructor(host) {
    host.setAttribute('aria-label', strings.legend.label);
    host.append(this.#scale.element, this.#locked, this.#drifted, this.#next);
  }

  /** @param {import('gradlock/grid').Palette} palette @param {number} reach @param {{ mask: boolean, lock: boolean, bars: boolean }} explains  what is in sight */
  show(palette, reach, { mask, lock, bars }) {
    this.#locked.hidden = !lock;
    this.#drifted.hidden = !mask;
    this.#next.hidden = !bars;
    this.#scale.draw({ palette, reach });
  }

  /** What has moved gets its key, whose room was kept. @param {boolean} hasMoved */
  tell(hasMoved) {
    setStyle(this.#drifted, { visibility: hasMoved ? 'visible' : 'hidden' });
  }
}

export class Messages {
  #text = h('p', { class: 'message-text' });
  #detail = h('p', { class: 'message-detail note' });
  #box;

  /** @param {HTMLElement} host a live region */
  constructor(host) {
    const dismiss = iconButton('close', strings.messages.dismiss, () => this.clear(), 'bare');
    const texts = h('div', {}, this.#text, this.#detail);
    this.#box = h('div', { class: 'message', hidden: true }, texts, dismiss);
    host.append(this.#box);
  }

  /** @param {string} text @param {string} [detail] the library's own message */
  say(text, detail = '') {
    setText(this.#text, text);
    setText(this.#detail, detail);
    this.#detail.hidden = detail === '';
    this.#box.hidden = false;
  }

  clear() {
    this.#box.hidden = true;
  }
}

/** The time between two sentences, in ms. */
const SPEECH_INTERVAL = 5000;

/**
 * Sentences for screen readers: the newest, at most one per interval, and none twice. Replies to a
 * person's actions come before news of the run.
 */
export class Speech {
  #host;
  #said = Number.NEGATIVE_INFINITY;
  #next = '';
  /** The last news of the run. */
  #last = '';
  #answer = '';
  #timer = 0;

  /** @param {HTMLElement} host a polite live region, visually hidden */
  constructor(host) {
    this.#host = host;
  }

  /** @param {string} text */
  say(text) {
    if (text === this.#next) return;
    this.#next = text;
    this.#wait();
  }

  /** Says the result of a person's action. @param {string} text */
  tell(text) {
    this.#answer = text;
    this.#wait();
  }

  #wait() {
    if (this.#timer) return;
    const wait = Math.max(0, this.#said + SPEECH_INTERVAL - performance.now());
    this.#timer = Number(setTimeout(() => this.#speak(), wait));
  }

  #speak() {
    this.#timer = 0;
    const text = this.#answer || this.#next;
    if (!this.#answer) this.#last = text;
    this.#answer = '';
    if (this.#host.textContent !== text) {
      this.#host.textContent = text;
      this.#said = performance.now();
    }
    if (this.#next !== this.#last) this.#wait();
  }
}
