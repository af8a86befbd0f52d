/** The switch between locks and a mask, the drift of the held cells, and a name to lock. */

import { strings } from '../strings/index.js';
import { button, h, icon, setStyle, setText } from './dom.js';
import { imageOf } from './figure.js';
import { formatCount, formatShort } from './format.js';

const words = strings.lockOrMask;

/** @typedef {'lock' | 'mask'} Mode */
/** @typedef {import('../engine/protocol.js').Frame['drifted']} Drifted */
/** @typedef {import('./grid.js').GridModel} GridModel */

/** The count of drifted cells. @param {Drifted} drifted @param {number} held */
const countOf = ({ moved }, held) => words.told(formatCount(moved), formatCount(held));

/** The count of drifted cells and the largest drift. @param {Drifted} drifted @param {number} held */
export const toldOf = (drifted, held) =>
  `${countOf(drifted, held)}, ${words.by(formatShort(drifted.farthest))}`;

/** Returns the rows and columns that hold all locked cells. @param {Uint8Array} mask @param {number} cols */
function boxOf(mask, cols) {
  const held = [...mask.keys()].filter((i) => mask[i]);
  const [rows, across] = [held.map((i) => Math.floor(i / cols)), held.map((i) => i % cols)];
  const [top, left] = [Math.min(...rows), Math.min(...across)];
  const [low, right] = [Math.max(...rows), Math.max(...across)];
  return held.length ? { top, left, rows: low - top + 1, wide: right - left + 1 } : null;
}

/** Draws the held cells alone, a pixel each. @param {HTMLCanvasElement} canvas @param {Float32Array} values @param {Uint8Array} mask @param {NonNullable<ReturnType<typeof boxOf>>} box @param {number} cols @param {GridModel} model */
function paint(canvas, values, mask, { top, left, rows, wide }, cols, { reach, palette }) {
  [canvas.width, canvas.height] = [wide, rows];
  setStyle(canvas, { '--rows': rows, '--cols': wide });
  const pen = canvas.getContext('2d');
  pen?.drawImage(imageOf(values, cols, reach, palette), -left, -top);
  for (const [i, isHeld] of mask.entries())
    if (!isHeld) pen?.clearRect((i % cols) - left, Math.floor(i / cols) - top, 1, 1);
}

export class LockOrMask {
  #hosts;
  /** @type {Record<Mode, HTMLInputElement>} */
  #radios;
  /** True while a switch is on its way to the engine: frames from before it change nothing. */
  #isUnderWay = false;
  #number = h('span', { class: 'proof-number' });
  #count = h('span', { class: 'hold-count' });
  #why = h('span', { class: 'hold-why' });
  /** The held cells twice: by a lock and by a mask, or before a mask and after. */
  #twins = [0, 1].map(() => ({ canvas: h('canvas', { width: 1, height: 1 }), label: h('span') }));
  #pair = h(
    'div',
    { class: 'twins', 'aria-hidden': 'true' },
    ...this.#twins.map(({ canvas, label }) => h('span', {}, canvas, label)),
  );
  #told;
  #next;
  /** True under a lock after a mask, which leaves nothing to do in this scene. */
  #isPast = false;
  #name = h('input', {
    ...{ id: 'hold-name', type: 'text', maxlength: 24, autocomplete: 'off', spellcheck: 'false' },
  });
  #problem = h('p', { class: 'hold-problem', id: 'hold-problem', role: 'alert' });

  /**
   * @param {HTMLElement} host  of the switch
   * @param {HTMLElement} below  of the words below the picture, and the name
   * @param {{ switchTo: (to: Mode) => Promise<void>, write: (name: string) => Promise<boolean>, goOn: () => void }} intents
   */
  constructor(host, below, { switchTo, write, goOn }) {
    this.#hosts = [host, below];
    host.setAttribute('aria-label', words.label);
    const radio = (/** @type {Mode} */ value) =>
      h('input', {
        ...{ type: 'radio', name: 'hold', value, class: 'cover' },
        onchange: async () => {
          this.#isUnderWay = true;
          await switchTo(value);
          this.#isUnderWay = false;
        },
      });
    this.#radios = { lock: radio('lock'), mask: radio('mask') };
    const { lock, mask } = this.#radios;
    const next = () => {
      if (this.#isPast) return goOn();
      const to = lock.checked ? mask : lock;
      to.focus();
      to.click();
    };
    this.#next = button(words.next, next, 'is-accent hold-next');
    const legend = h('legend', { class: 'out-of-sight' }, words.label);
    const toLock = h('label', { class: 'row' }, lock, icon('lock'), words.ways.lock);
    const look = { class: 'row', title: words.maskHint };
    const toMask = h('label', look, mask, icon('lock-broken'), words.ways.mask);
    const ways = h('fieldset', { class: 'hold-switch' }, legend, toLock, toMask);
    const drift = h('span', { class: 'note' }, strings.drift.label, ' ');
    const text = h('span', { class: 'hold-text' }, this.#count, this.#why);
    this.#told = h('p', { class: 'proof hold-told' }, drift, this.#number, text);
    host.append(ways, this.#told, this.#pair, this.#next);
    const onsubmit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const isWritten = await write(this.#name.value);
      setText(this.#problem, isWritten ? '' : words.unwritable);
    };
    const label = h('label', { class: 'note', for: 'hold-name' }, words.name);
    const enter = h('button', { class: 'button' }, icon('lock'), words.write);
    this.#name.setAttribute('aria-describedby', 'hold-problem');
    below.append(h('form', { class: 'tools', onsubmit }, label, this.#name, enter), this.#problem);
  }

  /** Opens a run. @param {boolean} isShown @param {string} name */
  open(isShown, name) {
    for (const one of this.#hosts) one.hidden = !isShown;
    this.#name.value = name;
    setText(this.#problem, '');
  }

  /** @param {{ isMasked: boolean, held: number, drifted: Drifted, since: number, rule: string, isAtStart: boolean, goesOn: () => string, model: GridModel, cols: number, shadow: import('../engine/protocol.js').Frame['shadow'] }} now  since: the drift since the lock */
  draw({ isMasked, held, drifted, since, rule, isAtStart, goesOn, model, cols, shadow }) {
    if (this.#hosts[0].hidden) return;
    const mode = isMasked ? 'mask' : 'lock';
    if (!this.#isUnderWay && !this.#radios[mode].checked) this.#radios[mode].checked = true;
    const isLeaking = drifted.moved > 0;
    const isPast = isLeaking && !isMasked;
    this.#isPast = isPast;
    setText(this.#number, formatShort(isPast ? since : drifted.farthest));
    setText(
      this.#count,
      held ? `· ${isPast ? words.since : countOf(drifted, held)}` : isMasked ? '' : words.none,
    );
    const isSeen = shadow !== null && shadow.farthest >= 0.1;
    const { mask, held: right, values } = model;
    const pair = isMasked ? [right, values] : [values, isSeen && shadow.values];
    const box = pair.every(Boolean) && boxOf(mask, cols);
    setStyle(this.#pair, { visibility: box ? 'visible' : 'hidden' });
    this.#twins.forEach(({ canvas, label }, i) => {
      if (box && pair[i]) paint(canvas, pair[i], mask, box, cols, model);
      const text = words.twins[mode][i];
      setText(label, isMasked || !i ? text : `${text} ${formatShort(shadow?.farthest ?? 0)}`);
    });
    this.#told.classList.toggle('is-none', held === 0);
    this.#told.classList.toggle('is-broken', isLeaking && isMasked);
    const { adamW, sgd, empty, memory } = words.why;
    const leak = { sgd, adamW }[rule] ?? (isLeaking ? memory : empty);
    const kept = isPast ? words.kept(toldOf(drifted, held)) : words.stays;
    const why = isMasked
      ? leak
      : isSeen && !isPast
        ? words.compare(formatShort(shadow.farthest))
        : kept;
    setText(this.#why, held ? why : '');
    const next = isPast ? goesOn() : isMasked ? words.again : words.next;
    setText(this.#next, next);
    // Without a next act its room stays: nothing moves when it comes.
    const isOffered = held > 0 && !isAtStart && next && (isLeaking || !isMasked);
    setStyle(this.#next, { visibility: isOffered ? 'visible' : 'hidden' });
  }
}
