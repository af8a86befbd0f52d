/** The switch between locks and a mask, the drift of the held cells, and a name to lock. */

import { strings } from '../strings/index.js';
import { h, icon, setStyle, setText, token } from './dom.js';
import { imageOf } from './figure.js';
import { formatCount, formatShort } from './format.js';
import { drawStrokes, outlineOf } from './marks.js';

const words = strings.lockOrMask;

/** @typedef {'lock' | 'mask'} Mode */
/** @typedef {import('../engine/protocol.js').Frame['drifted']} Drifted */
/** @typedef {import('./grid.js').GridModel} GridModel */

/** Of larger pictures the engine has no shadow. */
const MOST = 4096;

/** How many of the held cells have drifted. @param {Drifted} drifted @param {number} held */
const countOf = ({ moved }, held) => words.told(formatCount(moved), formatCount(held));

/** How many have, and the largest drift. @param {Drifted} drifted @param {number} held */
export const toldOf = (drifted, held) =>
  `${countOf(drifted, held)} ${words.moved}, ${words.by(formatShort(drifted.farthest))}`;

/** Draws a picture, with the outline of its held cells: dashed if a mask holds them. @param {HTMLCanvasElement} canvas @param {boolean} isMasked @param {Float32Array} values @param {number} cols @param {GridModel} model */
function paint(canvas, isMasked, values, cols, { mask, reach, palette }) {
  const rows = values.length / cols;
  const cell = Math.ceil(448 / Math.max(rows, cols));
  [canvas.width, canvas.height] = [cols * cell, rows * cell];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  pen.imageSmoothingEnabled = false;
  pen.drawImage(imageOf(values, cols, reach, palette), 0, 0, canvas.width, canvas.height);
  if (isMasked) pen.setLineDash([0.6 * cell, 0.4 * cell]);
  const colours = isMasked ? [token('paper'), token('accent')] : [];
  drawStrokes(pen, outlineOf({ rows, cols, offset: 0 }, mask, cell, ...colours));
}

/** Draws the held cells alone. @param {HTMLCanvasElement} canvas @param {Float32Array} values @param {number} cols @param {GridModel} model */
function crop(canvas, values, cols, { mask, reach, palette }) {
  const held = [...mask.keys()].filter((i) => mask[i]);
  const [xs, ys] = [held.map((i) => i % cols), held.map((i) => Math.floor(i / cols))];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  [canvas.width, canvas.height] = [Math.max(...xs) - left + 1, Math.max(...ys) - top + 1];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = imageOf(values, cols, reach, palette);
  for (const k of held.keys())
    pen.drawImage(image, xs[k], ys[k], 1, 1, xs[k] - left, ys[k] - top, 1, 1);
}

/** Returns where drift is said: a number, how many cells, by what, and why. @param {'p' | 'figcaption'} tag @param {string} name */
function driftOf(tag, name) {
  const parts = ['proof-number', 'hold-count', 'hold-why', 'hold-cause'];
  const [number, count, why, cause] = parts.map((part) => h('span', { class: part }));
  const label = h('span', { class: 'note' }, words.drift, ' ');
  const element = h(tag, { class: `proof ${name}` }, why, label, number, count, cause);
  return { element, number, count, why, cause };
}

export class LockOrMask {
  #hosts;
  /** @type {Record<Mode, HTMLInputElement>} */
  #radios;
  /** True while a switch is on its way to the engine: frames from before it change nothing. */
  #isUnderWay = false;
  #here = driftOf('p', 'hold-told');
  /** The same picture in the other way: by a mask beside locks, as it was held beside a mask. */
  #canvas = h('canvas', { width: 1, height: 1, 'aria-hidden': 'true' });
  #there = driftOf('figcaption', 'hold-other');
  #other = h('figure', { class: 'other-way' }, this.#there.element, this.#canvas);
  /** The held cells alone: as they were held, and now by each way. */
  #crops = words.crops.split(', ').map((name) => ({ name, canvas: h('canvas', {}) }));
  #cropped = h(
    'div',
    { class: 'hold-crops note', 'aria-hidden': 'true' },
    ...this.#crops.map(({ name, canvas }) => h('span', {}, name, canvas)),
  );
  #name = h('input', {
    ...{ id: 'hold-name', type: 'text', maxlength: 24, autocomplete: 'off', spellcheck: 'false' },
  });
  #problem = h('p', { class: 'hold-problem', id: 'hold-problem', role: 'alert' });

  /**
   * @param {HTMLElement} host  of the switch
   * @param {HTMLElement} below  of the words below the picture, and the name
   * @param {{ switchTo: (to: Mode) => Promise<void>, write: (name: string) => Promise<boolean> }} intents
   */
  constructor(host, below, { switchTo, write }) {
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
    const legend = h('legend', { class: 'out-of-sight' }, words.label);
    const toLock = h('label', { class: 'row' }, lock, icon('lock'), words.ways.lock);
    const look = { class: 'row', title: words.maskHint };
    const toMask = h('label', look, mask, icon('lock-broken'), words.ways.mask);
    const ways = h('fieldset', { class: 'hold-switch' }, legend, toLock, toMask);
    host.append(ways, this.#here.element, this.#other, this.#cropped);
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

  /** @param {{ isMasked: boolean, held: number, right: Float32Array | null, drifted: Drifted, since: number, rule: string, model: GridModel, cols: number, shadow: import('../engine/protocol.js').Frame['shadow'] }} now  since: the drift since the lock */
  draw({ isMasked, held, right, drifted, since, rule, model, cols, shadow }) {
    if (this.#hosts[0].hidden) return;
    const mode = isMasked ? 'mask' : 'lock';
    if (!this.#isUnderWay && !this.#radios[mode].checked) this.#radios[mode].checked = true;
    const isLeaking = drifted.moved > 0;
    const isPast = isLeaking && !isMasked;
    const [here, there] = [this.#here, this.#there];
    setText(here.number, formatShort(isPast ? since : drifted.farthest));
    setText(here.count, held ? `· ${isPast ? words.since : countOf(drifted, held)}` : '');
    const { mask, values } = model;
    const isLarge = values.length > MOST;
    // Beside a mask, or after it, as they were held; beside a lock, by a mask.
    const isKept = isMasked || isPast;
    const kept = () => right && values.map((value, i) => (mask[i] ? right[i] : value));
    const other = !held || isLarge ? null : isKept ? kept() : shadow?.values;
    const isAhead = !held && !isMasked;
    this.#other.hidden = isLarge;
    this.#other.classList.toggle('is-ahead', isAhead);
    setStyle(this.#other, { visibility: other || isAhead ? '' : 'hidden' });
    const far = (!isKept && shadow) || { moved: 0, farthest: 0 };
    // A shadow that has not drifted says nothing, it may be new; one that is seen to drift leads on.
    there.element.classList.toggle('is-none', !isKept && !far.moved);
    there.element.classList.toggle('is-broken', far.moved > 0);
    there.element.classList.toggle('is-done', Math.max(far.farthest, drifted.farthest) > 0.3);
    if (other) paint(this.#canvas, !isKept, other, cols, model);
    else [this.#canvas.width, this.#canvas.height] = [448, 448];
    this.#cropped.hidden = !other || !right || isPast;
    if (other && right && !isPast) {
      const ways = isMasked ? [right, other, values] : [right, values, other];
      for (const [i, { canvas }] of this.#crops.entries()) crop(canvas, ways[i], cols, model);
    }
    setText(there.number, formatShort(far.farthest));
    setText(there.count, other ? `· ${countOf(far, held)}` : '');
    const { ahead, lock, mask: back } = words.other;
    setText(there.why, isAhead ? ahead : isKept ? back : lock(far.moved, rule === 'adamW'));
    here.element.classList.toggle('is-none', held === 0);
    here.element.classList.toggle('is-broken', isLeaking && isMasked);
    const { adamW, sgd, empty, memory } = words.why;
    const leak = { sgd, adamW }[rule] ?? (isLeaking || far.moved ? memory : empty);
    setText(there.cause, far.moved ? leak : '');
    const stays = isPast ? words.kept(toldOf(drifted, held)) : words.stays;
    setText(here.why, isAhead ? words.none : !held ? '' : isMasked ? leak : stays);
  }
}
