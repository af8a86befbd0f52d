// <gradlock-grid>: a matrix of numbers as a grid whose cells lock. It updates on frames of the
// screen when versions change. It knows neither optimizers nor graphs, and imports nothing of the
// library: a variable is any object with a shape, values, locks and versions.
import { makePalette, reachFor } from './colours.js';
import { ErrorEvents } from './error-events.js';
import { h } from './dom.js';
import { makeEdits } from './edits.js';
import { LabelThrottle } from './label-throttle.js';
import { sharedStylesheet } from './stylesheet.js';
import { Reader, sourceOf } from './source.js';
import { isDarkAt, languageAt, prefersDark } from './theme.js';
import { View } from './view.js';
import { wordsFor } from './words.js';

/** @import { Bits, Numbers } from './source.js' */
/** @import { GridWords } from './words.js' */
/** @import { Scale } from './colours.js' */
/** @import { AnyVariable } from '../either.js' */

/** Node.js, where the module can be imported, has no elements. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/**
 * A matrix as a grid whose cells lock: `<gradlock-grid>`.
 *
 * Events: `lockschange` before locks change, `valuechange` before a typed value is set, `cellpull`
 * before a pulled one is; `preventDefault()` stops these. Also `cellselect`; `cellleave` for an
 * arrow key at the border, so that pages can move to a neighbour; and `error`, an ErrorEvent for a
 * source that fails, while the last picture stays.
 */
export class GradlockGrid extends Base {
  /** @internal */
  static observedAttributes = ['label', 'lang', 'readonly', 'scale', 'reach'];

  /** @type {HTMLElement} */
  #body;
  /** @type {HTMLElement} */
  #frame;
  /** @type {HTMLElement} */
  #note;
  /** @type {View | null} */
  #view = null;
  /** @type {Reader | null} */
  #reader = null;
  /** @type {AnyVariable | null} */
  #variable = null;
  /** @type {Partial<GridWords> | null} */
  #words = null;
  /** @type {readonly string[] | undefined} */
  #rowNames;
  /** @type {readonly string[] | undefined} */
  #colNames;
  #intents;
  #errors = new ErrorEvents(this);
  #labels = new LabelThrottle(() => this.#paint(true));
  #selected = 0;
  /** Key of the settings for which the view was built. */
  #built = '';
  /** True if colours, words or sizes may differ from those of the view. */
  #isStale = true;
  #theme = '';
  /** True if the focus was requested before there was a cell. */
  #isAwaited = false;
  #request = 0;
  #isVisible = true;
  /** @type {IntersectionObserver | undefined} */
  #sight;
  /** Always the same object, so that a frame allocates none. @type {import('./view.js').Picture} */
  #picture = {
    cols: 1,
    values: new Float32Array(0),
    mask: new Uint8Array(0),
    edition: 0,
    target: null,
    held: null,
    unknown: null,
    reach: 1,
    palette: makePalette(false),
    words: wordsFor([], null),
    isLabelling: true,
  };

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sharedStylesheet()];
    this.#frame = h('div', { class: 'frame' });
    this.#note = h('p', { class: 'note', role: 'status' });
    this.#body = h('div', { class: 'body' }, this.#frame, this.#note);
    root.append(this.#body);
    this.#intents = makeEdits(
      this,
      this.#picture,
      this.#note,
      this.#errors,
      () => this.#reader,
      (isAll) => this.#update(isAll),
      (text) => this.#view?.edit(text),
    );
  }

  /** The variable that is shown, if it is one. @returns {AnyVariable | null} */
  get variable() {
    return this.#variable;
  }

  /** A variable of rank 0 or 1 is shown as one row; above, its last axis is the columns. */
  set variable(variable) {
    this.#open(variable, true);
  }

  /** The source that is shown; a variable is shown through its own source. */
  get source() {
    return this.#reader?.source ?? null;
  }

  /** Any object with rows, columns, values and locks; null removes it, and the picture stays. */
  set source(source) {
    this.#open(source, false);
  }

  /** @param {any} given @param {boolean} isVariable */
  #open(given, isVariable) {
    if (given === null || given === undefined) {
      this.#reader = null;
      this.#variable = null;
      return;
    }
    try {
      if (isVariable && !given.locks) {
        throw new TypeError(`variable must have values and locks, got ${given}`);
      }
      const reader = new Reader(isVariable ? sourceOf(given) : given);
      reader.read(true);
      // Another matrix's locks are never those that are drawn.
      reader.edition += this.#picture.edition + 1;
      this.#picture.reach = 0;
      this.#reader = reader;
      this.#variable = isVariable ? given : null;
      this.#errors.end(true);
      this.#note.textContent = '';
      this.#renew();
      this.#schedule();
    } catch (error) {
      this.#errors.fail(error);
    }
  }

  /** Custom words, which replace those of the language. */
  get words() {
    return this.#words;
  }

  set words(words) {
    this.#words = words;
    this.#renew();
  }

  /** Names of rows, of grids up to 16 × 16 also shown. */
  get rowNames() {
    return this.#rowNames;
  }

  set rowNames(names) {
    this.#rowNames = names;
    this.#renew();
  }

  /** Names of columns, of grids up to 16 × 16 also shown. */
  get colNames() {
    return this.#colNames;
  }

  set colNames(names) {
    this.#colNames = names;
    this.#renew();
  }

  /** The colours: `'diverging'` has a middle, 0; `'sequential'` starts there. @type {Scale} */
  get scale() {
    return this.getAttribute('scale') === 'sequential' ? 'sequential' : 'diverging';
  }

  set scale(scale) {
    this.setAttribute('scale', scale);
  }

  /** The size of a value at the scale's end; 'auto' follows values. @type {number | 'auto'} */
  get reach() {
    const reach = Number(this.getAttribute('reach'));
    return reach > 0 ? reach : 'auto';
  }

  set reach(reach) {
    this.setAttribute('reach', `${reach}`);
  }

  /** Name of the grid. Default: the name of its source. */
  get label() {
    return this.getAttribute('label') ?? '';
  }

  set label(label) {
    this.setAttribute('label', label);
  }

  /** True if locks and values cannot be changed. */
  get readonly() {
    return this.hasAttribute('readonly');
  }

  set readonly(readonly) {
    this.toggleAttribute('readonly', readonly);
  }

  /** True if a person may type values: digits or F2 begin, Enter sets. */
  get editable() {
    return this.hasAttribute('editable');
  }

  set editable(editable) {
    this.toggleAttribute('editable', editable);
  }

  /** True if a finger draws locks; else it scrolls the page, and taps toggle. */
  get draw() {
    return this.hasAttribute('draw');
  }

  set draw(draw) {
    this.toggleAttribute('draw', draw);
  }

  /** True if a drag up or down, by a finger after a long press, pulls a value; a click locks. */
  get pull() {
    return this.hasAttribute('pull');
  }

  set pull(pull) {
    this.toggleAttribute('pull', pull);
  }

  /** The side of the square that a stroke paints, in cells: odd, from 1 up. Default: 1. */
  get brush() {
    const brush = Number(this.getAttribute('brush'));
    return brush > 0 && brush % 2 === 1 ? brush : 1;
  }

  set brush(brush) {
    this.setAttribute('brush', `${brush}`);
  }

  /** Flat index of the selected cell. */
  get selected() {
    return this.#selected;
  }

  set selected(index) {
    const size = this.#picture.mask.length;
    if (!Number.isInteger(index) || index < 0 || (size > 0 && index >= size)) return;
    this.#selected = index;
    if (this.isConnected) this.#view?.select(index);
    this.#paint(true);
  }

  /**
   * Read the source again, and draw. Only sources without a `version` need this.
   * @example
   * const grid = document.querySelector('gradlock-grid');
   * grid.source = { rows: 1, cols: 2, values };
   * values[0] = 1;
   * grid.refresh();
   */
  refresh() {
    this.#update(true);
  }

  /**
   * Take the page's colours and language once more: for pages that change `color-scheme` or `lang`
   * while they are open. Systems that turn dark are followed without it.
   * @example
   * document.documentElement.style.colorScheme = 'dark';
   * grid.restyle();
   */
  restyle() {
    this.#renew();
  }

  /**
   * Show values, and locks, that came by themselves, of the size of the present source.
   * @param {Numbers} values
   * @param {Bits} [locks] Default: as before.
   * @example
   * worker.onmessage = ({ data }) => grid.show(data.values, data.locks);
   */
  show(values, locks) {
    const reader = this.#reader;
    try {
      if (!reader) throw new Error('show() needs a source');
      reader.show(values, locks);
    } catch (error) {
      return this.#errors.fail(error);
    }
    this.#take();
  }

  /**
   * Let the person type the selected cell's value, whether or not the grid is editable.
   * @example
   * grid.selected = 3;
   * grid.edit();
   */
  edit() {
    this.#view?.edit(null);
  }

  /**
   * Give the selected cell the focus.
   * @override
   * @example
   * document.querySelector('gradlock-grid').focus();
   */
  focus() {
    this.#isAwaited = !this.#view;
    this.#view?.grid.focus();
  }

  /** @internal */
  connectedCallback() {
    // Properties that pages set before the element was defined.
    for (const [name, given] of Object.entries(this)) {
      if (!(name in GradlockGrid.prototype)) continue;
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, given);
    }
    this.#isVisible = true;
    this.#sight = new IntersectionObserver((entries) => {
      for (const { isIntersecting } of entries) this.#isVisible = isIntersecting;
      this.#schedule();
    });
    this.#sight.observe(this);
    prefersDark().addEventListener('change', this.#renew);
    this.#isStale = true;
    this.#update(true);
    this.#schedule();
  }

  /** @internal */
  disconnectedCallback() {
    this.#sight?.disconnect();
    prefersDark().removeEventListener('change', this.#renew);
    cancelAnimationFrame(this.#request);
    this.#labels.stop();
    this.#request = 0;
  }

  /** @internal */
  attributeChangedCallback() {
    this.#renew();
  }

  #renew = () => {
    this.#isStale = true;
    this.#take();
  };

  #schedule() {
    const isWatching = this.isConnected && this.#isVisible && this.#reader?.isLive;
    if (isWatching && !this.#request) this.#request = requestAnimationFrame(this.#onFrame);
  }

  #onFrame = () => {
    this.#request = 0;
    this.#update(false);
    this.#schedule();
  };

  /** Read and draw, if there is something new. @param {boolean} isAll Or anyway. */
  #update(isAll) {
    const reader = this.#reader;
    if (!reader) return this.#take();
    try {
      if (this.#variable?.disposed) throw new Error('the variable is disposed');
      if (!isAll && !reader.hasChanged) return;
      reader.read();
    } catch (error) {
      this.#errors.fail(error);
      if (this.#variable?.disposed) this.source = null;
      return;
    }
    this.#errors.end();
    this.#take();
  }

  /** Show what was read. */
  #take() {
    const reader = this.#reader;
    const picture = this.#picture;
    if (reader) {
      Object.assign(picture, reader);
      const { reach } = this;
      picture.reach = reach === 'auto' ? reachFor(reader.largest, picture.reach) : reach;
      this.#errors.warnOfNaN(reader);
    }
    if (!this.isConnected || picture.mask.length === 0) return;
    if (this.#isStale) {
      this.#isStale = false;
      this.#restyle();
      this.#build();
    }
    this.#paint(false);
  }

  #restyle() {
    const isDark = isDarkAt(this);
    const theme = `${isDark} ${this.scale}`;
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#picture.palette = makePalette(isDark, this.scale);
    this.#body.classList.toggle('is-dark', isDark);
    this.#view?.grid.restyle();
  }

  #build() {
    const picture = this.#picture;
    const reader = this.#reader;
    if (!reader) return;
    const { rows, cols, source } = reader;
    const words = wordsFor([languageAt(this), navigator.language], this.#words);
    picture.words = words;
    const name = this.label || source.name || words.matrix;
    const { readonly, rowNames, colNames } = this;
    const label = words.grid(name, rows, cols, readonly);
    const plan = { rows, cols, label, rowNames, colNames, words, readonly };
    const built = JSON.stringify([plan, words.line(true, '')]);
    if (this.#selected >= rows * cols) this.#selected = 0;
    if (built === this.#built) {
      this.#view?.select(this.#selected);
      return;
    }
    this.#built = built;
    const hadFocus = this.shadowRoot?.activeElement;
    this.#view?.close();
    const { style, classList } = this.#frame;
    style.setProperty('--rows', `${rows}`);
    style.setProperty('--cols', `${cols}`);
    classList.toggle('has-names', !!rowNames);
    classList.toggle('has-heads', !!colNames);
    this.#view = new View(this.#frame, plan, picture, this.#intents);
    this.#view.select(this.#selected);
    this.#view.fit();
    if (hadFocus || this.#isAwaited) this.focus();
  }

  /** @param {boolean} isAll Labels, too. */
  #paint(isAll) {
    if (!this.#view) return;
    this.#picture.isLabelling = this.#labels.isDue(isAll);
    this.#view.draw();
    this.#picture.isLabelling = true;
  }
}
