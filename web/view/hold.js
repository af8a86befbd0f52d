/** The switch from locks to a mask, what has become of the held cells, and a name to lock. */

import { strings } from '../strings/index.js';
import { h, icon, setText } from './dom.js';
import { formatCount, formatNumber } from './format.js';

const words = strings.hold;

/** @typedef {'lock' | 'mask'} Way */
/** @typedef {import('../engine/protocol.js').Drift} Drift */

/** What has become of the held cells, in words. @param {Drift} drift @param {number} held */
export const toldOf = ({ moved, farthest }, held) =>
  words.told(formatCount(moved), formatCount(held), formatNumber(farthest), moved);

export class Hold {
  #hosts;
  /** @type {Record<Way, HTMLInputElement>} */
  #ways;
  /** True while a switch is on its way to the engine: frames from before it change nothing. */
  #isUnderWay = false;
  #count = h('span', { class: 'hold-count' });
  #told = h('p', { class: 'hold-told' }, this.#count);
  #why = h('p', { class: 'hold-why' });
  #name = h('input', {
    ...{ id: 'hold-name', type: 'text', maxlength: 24, autocomplete: 'off', spellcheck: 'false' },
  });
  #problem = h('p', { class: 'hold-problem', id: 'hold-problem', role: 'alert' });

  /**
   * @param {HTMLElement} host  of the switch
   * @param {HTMLElement} below  of the words below the picture, and the name
   * @param {{ switchTo: (to: Way) => Promise<void>, write: (name: string) => Promise<boolean> }} intents
   */
  constructor(host, below, { switchTo, write }) {
    this.#hosts = [host, below];
    for (const one of this.#hosts) one.hidden = true;
    host.setAttribute('aria-label', words.label);
    const way = (/** @type {Way} */ value) =>
      h('input', {
        ...{ type: 'radio', name: 'hold', value },
        onchange: async () => {
          this.#isUnderWay = true;
          await switchTo(value);
          this.#isUnderWay = false;
        },
      });
    this.#ways = { lock: way('lock'), mask: way('mask') };
    const { lock, mask } = this.#ways;
    const form = h(
      'form',
      {
        class: 'hold-form',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          const isWritten = await write(this.#name.value);
          setText(this.#problem, isWritten ? '' : words.unwritable);
        },
      },
      h('label', { for: 'hold-name' }, words.name),
      this.#name,
      h('button', { class: 'button' }, icon('lock'), words.write),
    );
    this.#name.setAttribute('aria-describedby', 'hold-problem');
    host.append(
      h(
        'fieldset',
        { class: 'hold-switch' },
        h('legend', { class: 'out-of-sight' }, words.label),
        h('label', {}, lock, icon('lock'), words.ways.lock),
        h('label', {}, mask, icon('lock-broken'), words.ways.mask),
      ),
      this.#told,
      this.#why,
    );
    below.append(form, this.#problem);
  }

  /** Opens a run. @param {boolean} isShown @param {string} name */
  open(isShown, name) {
    for (const one of this.#hosts) one.hidden = !isShown;
    this.#name.value = name;
    setText(this.#problem, '');
  }

  /** @param {{ isMasked: boolean, held: number, drift: Drift, rule: string }} now */
  draw({ isMasked, held, drift, rule }) {
    if (this.#hosts[0].hidden) return;
    const way = isMasked ? 'mask' : 'lock';
    if (!this.#isUnderWay && !this.#ways[way].checked) this.#ways[way].checked = true;
    const isLeaking = drift.moved > 0;
    setText(this.#count, toldOf(drift, held));
    this.#told.classList.toggle('is-broken', isLeaking);
    const memory = isLeaking ? words.why.memory : words.why.empty;
    const { sgd, adamW } = words.why;
    const why = { sgd, adamW }[rule] ?? memory;
    setText(this.#why, isMasked ? why : '');
  }
}
