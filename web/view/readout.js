/** The loss as a number, the legend of the colours, messages, and what screen readers hear. */

import { strings } from '../strings.js';
import { h, icon, setText } from './dom.js';
import { formatNumber } from './format.js';
import { ScaleBar } from './scale-bar.js';

export class Loss {
  #number = h('output', { class: 'loss-number' }, '0');
  #log;

  /** @param {HTMLElement} host @param {{ setLog: (isLog: boolean) => void }} intents */
  constructor(host, { setLog }) {
    this.#log = h('input', { type: 'checkbox', onchange: () => setLog(this.#log.checked) });
    host.append(
      h('h2', { class: 'section-title' }, strings.loss.label),
      this.#number,
      h('label', { class: 'check' }, this.#log, h('span', {}, strings.loss.log)),
    );
  }

  /** @param {boolean} isLog */
  show(isLog) {
    this.#log.checked = isLog;
  }

  /** @param {number} loss */
  draw(loss) {
    setText(this.#number, Number.isFinite(loss) ? formatNumber(loss) : strings.loss.lost);
  }
}

export class Legend {
  #scale = new ScaleBar();
  #drifted = h(
    'div',
    { class: 'legend-key' },
    h('span', { class: 'swatch is-locked has-drifted' }, icon('lock-broken')),
    strings.legend.drifted,
  );

  /** @param {HTMLElement} host */
  constructor(host) {
    host.setAttribute('aria-label', strings.legend.label);
    host.append(
      this.#scale.element,
      h(
        'div',
        { class: 'legend-key' },
        h('span', { class: 'swatch is-locked' }, icon('lock')),
        strings.legend.locked,
      ),
      h('div', { class: 'legend-key' }, h('span', { class: 'swatch' }), strings.legend.free),
      this.#drifted,
    );
  }

  /** @param {import('gradlock/grid').Palette} palette @param {number} reach @param {boolean} isRival whether cells may drift */
  show(palette, reach, isRival) {
    this.#drifted.hidden = !isRival;
    this.#scale.draw({ palette, reach });
  }
}

export class Messages {
  #text = h('p', { class: 'message-text' });
  #detail = h('p', { class: 'message-detail' });
  #box;

  /** @param {HTMLElement} host a live region */
  constructor(host) {
    const dismiss = h(
      'button',
      {
        type: 'button',
        class: 'button quiet',
        title: strings.messages.dismiss,
        onclick: () => this.clear(),
      },
      icon('close'),
      h('span', { class: 'button-label is-hidden' }, strings.messages.dismiss),
    );
    this.#box = h(
      'div',
      { class: 'message', hidden: true },
      h('div', {}, this.#text, this.#detail),
      dismiss,
    );
    host.append(this.#box);
  }

  /** @param {string} text @param {string} [detail] the library's own words */
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

/** Says a summary when a run comes to rest, and not more often than this, in ms. */
const SPEECH_PACE = 4000;

export class Speech {
  #host;
  #said = 0;
  #last = '';

  /** @param {HTMLElement} host a polite live region, out of sight */
  constructor(host) {
    this.#host = host;
  }

  /** @param {string} text @param {boolean} isUrgent whether it need not wait its turn */
  say(text, isUrgent) {
    const now = performance.now();
    if (text === this.#last || (!isUrgent && now - this.#said < SPEECH_PACE)) return;
    this.#said = now;
    this.#last = text;
    this.#host.textContent = text;
  }
}
