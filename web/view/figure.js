/**
 * Hosts the scenes' figures (scenes/shared/figure.js): gives each its canvas and its words, and
 * passes on a person's actions. It does not depend on any single figure.
 */

import { colour, levelOf } from 'gradlock/grid';
import { strings } from '../strings/index.js';
import { h, icon, setAttribute, setText, token, zoom } from './dom.js';

/** @import { Built, Drawn, Figure, Intents, Model, Stage } from '../scenes/shared/figure.js' */
/** @import { Palette } from 'gradlock/grid' */

/** Canvases by size. An image is drawn before the next is asked for. @type {Map<string, HTMLCanvasElement>} */
const spare = new Map();

/** Draws values as a small image, to be enlarged. @param {Float32Array} values @param {number} cols @param {number} reach @param {Palette} palette */
export function imageOf(values, cols, reach, palette) {
  const rows = values.length / cols;
  const image = new ImageData(cols, rows);
  colour(values, reach, palette, new Uint32Array(image.data.buffer));
  const small = spare.get(`${cols} ${rows}`) ?? h('canvas', { width: cols, height: rows });
  spare.set(`${cols} ${rows}`, small);
  small.getContext('2d')?.putImageData(image, 0, 0);
  return small;
}

export class FigureView {
  element;
  #figure;
  #words;
  #intents;
  #caption = h('figcaption', { class: 'figure-score is-more' });
  #headline = h('p', { class: 'figure-headline' });
  /** @type {HTMLCanvasElement | null} */
  #canvas = null;
  /** @type {ReturnType<Built['build']> | null} */
  #built = null;
  /** @type {Model | null} */
  #model = null;
  /** @type {Palette | null} */
  #palette = null;
  #memory;
  /** True if it has thrown, which is reported once. */
  #hasFailed = false;
  /** Its width when it was last drawn. */
  #width = 0;

  /** @param {Figure} figure @param {{ words: any, name: (key: string) => string }} words @param {Intents} intents @param {Record<string, any>} memory kept between runs of the scene */
  constructor(figure, words, intents, memory) {
    this.#figure = figure;
    this.#words = words;
    this.#intents = intents;
    this.#memory = memory;
    this.element = h('figure', { class: `figure is-${figure.id}` });
    this.element.classList.toggle('is-chart', figure.isChart === true);
    if ('build' in figure) {
      const host = h('div', { class: 'figure-body' });
      this.element.append(host, this.#caption);
      const stageOf = this.#stageOf.bind(this);
      this.#built = figure.build(host, { ...words, intents, stageOf, zoom, h, icon, memory });
    } else {
      this.#canvas = h('canvas', { class: 'figure-canvas', role: 'img' });
      if (figure.headline) this.element.append(this.#headline);
      this.element.append(this.#canvas, this.#caption);
      if (figure.cellAt) this.#listen(this.#canvas, figure);
    }
    // A hidden page has no size, and a paused run sends no frame when it is shown.
    const redraw = () => {
      const width = this.#drawnOn.clientWidth;
      // A figure that has left the page has no width, and its arrays may hold new values by now.
      if (width === 0 || width === this.#width || !this.#model || !this.#palette) return;
      this.draw(this.#model, this.#palette);
    };
    new ResizeObserver(() => requestAnimationFrame(redraw)).observe(this.#drawnOn);
  }

  get #drawnOn() {
    return this.#canvas ?? this.element;
  }

  /** @param {HTMLCanvasElement} canvas @param {Drawn} figure */
  #listen(canvas, figure) {
    const at = (/** @type {PointerEvent | MouseEvent} */ { offsetX, offsetY }) => {
      if (!this.#model) return -1;
      const { width, height, ratio } = this.#sizeOf(figure);
      // The canvas may be shown at another size than its own.
      const x = (offsetX * width) / Math.max(1, canvas.clientWidth);
      const y = (offsetY * height) / Math.max(1, canvas.clientHeight);
      const stage = this.#stageOf(canvas, ratio, zoom(), false);
      return figure.cellAt?.(x, y, stage, this.#model) ?? -1;
    };
    canvas.addEventListener('pointermove', (event) => {
      const cell = at(event);
      canvas.style.cursor = cell < 0 ? '' : 'pointer';
      this.#intents.light(cell);
    });
    canvas.addEventListener('pointerleave', () => this.#intents.light(-1));
    canvas.addEventListener('click', (event) => {
      const cell = at(event);
      if (cell < 0) return;
      this.#intents.select(cell);
      this.#intents.toggle(cell);
    });
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  /** Takes the focus that the last figure had. @returns {boolean} true if it does */
  focus() {
    this.#built?.focus?.();
    return this.#built?.focus !== undefined;
  }

  /** Takes its space before there is data. */
  fit() {
    const canvas = this.#canvas;
    // While it is hidden it has no size.
    if (!canvas?.clientWidth) return;
    const figure = /** @type {Drawn} */ (this.#figure);
    const { width, height } = this.#sizeOf(figure);
    canvas.width = Math.round(width);
    canvas.height = Math.round(height);
  }

  /** @param {Drawn} figure */
  #sizeOf({ aspect }) {
    const width = Math.max(1, (this.#canvas?.clientWidth ?? 1) / zoom());
    const ratio = typeof aspect === 'function' ? aspect(width) : aspect;
    return { width, height: width / ratio, ratio };
  }

  /** @param {HTMLCanvasElement} canvas @param {number} aspect @param {number} [scale] @param {boolean} [isCleared] @returns {Stage} */
  #stageOf(canvas, aspect, scale = 1, isCleared = true) {
    const dots = window.devicePixelRatio || 1;
    const wide = Math.max(1, Math.round(canvas.clientWidth * dots));
    const tall = Math.max(1, Math.round(wide / (aspect || 1)));
    if (isCleared && (canvas.width !== wide || canvas.height !== tall)) {
      canvas.width = wide;
      canvas.height = tall;
    }
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    if (isCleared) pen.clearRect(0, 0, canvas.width, canvas.height);
    const unit = dots * scale;
    pen.setTransform(unit, 0, 0, unit, 0, 0);
    const palette = /** @type {Palette} */ (this.#palette);
    /** Looking up a style is slow, so each is looked up once. @type {Map<string, string>} */
    const inks = new Map();
    const ink = (/** @type {string} */ name) => {
      const known = inks.get(name) ?? token(name);
      inks.set(name, known);
      return known;
    };
    return {
      pen,
      width: wide / unit,
      height: tall / unit,
      ink,
      colour: (value, reach = this.#model?.reach ?? 1) => palette.css[levelOf(value, reach)],
      image: (values, cols, reach) => imageOf(values, cols, reach, palette),
      ...this.#words,
      memory: this.#memory,
    };
  }

  /** @param {Model} model @param {Palette} palette */
  draw(model, palette) {
    this.#model = model;
    this.#palette = palette;
    this.#width = this.#drawnOn.clientWidth;
    try {
      this.#show(model);
    } catch (error) {
      // An error of a figure disables the figure, not the page.
      if (this.#hasFailed) return;
      this.#hasFailed = true;
      setText(this.#caption, strings.messages.figure);
      this.#caption.hidden = false;
      reportError(error);
    }
  }

  /** @param {Model} model */
  #show(model) {
    const figure = /** @type {Drawn} */ (this.#figure);
    this.#built?.draw(model);
    if (figure.headline) setText(this.#headline, figure.headline(this.#words.words, model));
    // While it is hidden it has no space.
    if (this.#canvas?.clientWidth) {
      figure.draw(this.#stageOf(this.#canvas, this.#sizeOf(figure).ratio, zoom()), model);
    }
    const text = figure.describe?.(this.#words.words, model) ?? '';
    if (this.#canvas) setAttribute(this.#canvas, 'aria-label', text);
    setText(this.#caption, text);
    this.#caption.hidden = text === '';
  }
}
