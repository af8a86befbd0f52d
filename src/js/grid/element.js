// <gradlock-grid>: a matrix of numbers as a grid whose cells lock. It follows what it shows, by
// versions, on frames of the screen; it sees neither optimizers nor graphs, and imports nothing of
// the library: a variable is what has a shape, values, locks and versions.
import { makePalette } from './colours.js';
import { h } from './dom.js';
import { parseNumber } from './format.js';
import { sharedSheet } from './sheet.js';
import { Reader, sourceOf } from './source.js';
import { Strokes } from './strokes.js';
import { isDarkAt, languageAt, prefersDark } from './surroundings.js';
import { View } from './view.js';
import { wordsFor } from './words.js';

/** @typedef {import('./source.js').GridSource} GridSource */
/** @typedef {import('./source.js').Numbers} Numbers */
/** @typedef {import('./source.js').Bits} Bits */
/** @typedef {import('./source.js').Variable} Variable */
/** @typedef {import('./words.js').GridWords} GridWords */
/** @typedef {import('./colours.js').Scale} Scale */

/** Node.js, where the module can be imported, has no elements. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/** Labels follow running values at this pace, in ms; at once the first few changes after a rest. */
const LABEL_PACE = 1000;
const FEW = 10;
const REST = 250;

/** What pages may have set before the element was defined. */
const PROPERTIES = ['variable', 'source', 'words', 'rowNames', 'colNames', 'scale', 'reach'];

/** A round number, by a third above a size at most. @param {number} size */
const roundUp = (size) => {
  if (size <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(size));
  return (
    /** @type {number} */ ([1, 1.5, 2, 3, 4, 5, 6, 8].find((n) => n * power >= size) ?? 10) * power
  );
};

/**
 * A matrix as a grid whose cells lock: `<gradlock-grid>`.
 *
 * Events: `lockschange` before locks change, `valuechange` before a typed value is set,
 * `cellgesture` before a gesture is carried out, all of which `preventDefault()` stops;
 * `cellselect`; and `error`, an ErrorEvent, which names a source that fails, while the last picture
 * stays.
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
  /** @type {Variable | null} */
  #variable = null;
  /** @type {Partial<GridWords> | null} */
  #words = null;
  /** @type {readonly string[] | undefined} */
  #rowNames;
  /** @type {readonly string[] | undefined} */
  #colNames;
  #strokes;
  #selected = 0;
  /** What the view was built for. */
  #built = '';
  /** Whether colours, words or sizes may be others than those that the view has. */
  #isStale = true;
  #theme = '';
  #failed = '';
  #hasNaN = false;
  /** Whether the focus was asked for before there was a cell. */
  #isAwaited = false;
  #request = 0;
  #isVisible = true;
  #labelled = 0;
  #changed = 0;
  /** Changes since the last rest. */
  #run = 0;
  /** @type {ReturnType<typeof setTimeout> | number} */
  #later = 0;
  /** @type {IntersectionObserver | undefined} */
  #sight;
  /**
   * The same object all along, so that a frame allocates none.
   * @type {import('./view.js').Picture}
   */
  #picture = {
    values: new Float32Array(0),
    mask: new Uint8Array(0),
    edition: 0,
    target: null,
    held: null,
    reach: 1,
    palette: makePalette(false),
    words: wordsFor([], null),
    isLabelling: true,
  };

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sharedSheet()];
    this.#frame = h('div', { class: 'frame' });
    this.#note = h('p', { class: 'note', role: 'status' });
    this.#body = h('div', { class: 'body' }, this.#frame, this.#note);
    root.append(this.#body);
    const grid = this;
    this.#strokes = new Strokes({
      get cols() {
        return grid.#reader?.cols ?? 1;
      },
      mask: () => this.#picture.mask,
      change: (indices, isLocked) => this.#changeLocks(indices, isLocked),
    });
  }

  /** The variable that is shown, if it is one. */
  get variable() {
    return this.#variable;
  }

  /** Of rank 0 or 1, it is one row; of a higher rank, its last axis is the columns. */
  set variable(variable) {
    if (variable === null || variable === undefined) {
      this.source = null;
      return;
    }
    try {
      if (typeof variable !== 'object' || !('locks' in variable)) {
        throw new TypeError(`a variable has values and locks, got ${variable}`);
      }
      this.#open(sourceOf(variable), variable);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What is shown: of a variable, the source that it is. */
  get source() {
    return this.#reader?.source ?? null;
  }

  /** Rows, columns, values and locks of any origin; null ends it, and the picture stays. */
  set source(source) {
    if (source === null || source === undefined) {
      this.#reader = null;
      this.#variable = null;
      return;
    }
    try {
      this.#open(source, null);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * @param {GridSource} source
   * @param {Variable | null} variable
   */
  #open(source, variable) {
    const reader = new Reader(source);
    reader.read(true);
    // Another matrix's locks are never those that are drawn.
    reader.edition += (this.#reader?.edition ?? this.#picture.edition) + 1;
    this.#reader = reader;
    this.#variable = variable;
    this.#hasNaN = false;
    this.#failed = '';
    this.#note.textContent = '';
    this.#renew();
    this.#schedule();
  }

  /** Words of one's own, over those of the language. */
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

  /**
   * The colours: `'diverging'` has a middle, 0; `'sequential'` starts there.
   * @type {Scale}
   */
  get scale() {
    return this.getAttribute('scale') === 'sequential' ? 'sequential' : 'diverging';
  }

  set scale(scale) {
    this.setAttribute('scale', scale);
  }

  /**
   * The size of a value at the end of the scale; `'auto'` follows the values.
   * @type {number | 'auto'}
   */
  get reach() {
    const reach = Number(this.getAttribute('reach'));
    return reach > 0 ? reach : 'auto';
  }

  set reach(reach) {
    this.setAttribute('reach', `${reach}`);
  }

  /** What the grid is called. Default: the name of what it shows. */
  get label() {
    return this.getAttribute('label') ?? '';
  }

  set label(label) {
    this.setAttribute('label', label);
  }

  /** Whether locks and values can only be looked at. */
  get readonly() {
    return this.hasAttribute('readonly');
  }

  set readonly(readonly) {
    this.toggleAttribute('readonly', readonly);
  }

  /** Whether a person may type values: digits or F2 begin, Enter sets. */
  get editable() {
    return this.hasAttribute('editable');
  }

  set editable(editable) {
    this.toggleAttribute('editable', editable);
  }

  /** Whether a finger draws locks; else it scrolls the page, and taps toggle. */
  get draw() {
    return this.hasAttribute('draw');
  }

  set draw(draw) {
    this.toggleAttribute('draw', draw);
  }

  /** Flat index of the selected cell. */
  get selected() {
    return this.#selected;
  }

  set selected(index) {
    const size = this.#picture.mask.length;
    if (!Number.isInteger(index) || index < 0 || (size > 0 && index >= size)) return;
    this.#selected = index;
    this.#view?.select(index);
    this.#paint(true);
  }

  /**
   * Read what is shown once more, and draw. Only sources without a `version` need it.
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
    if (!reader) return this.#fail(new Error('show() needs a source that says rows and cols'));
    try {
      reader.show(values, locks);
    } catch (error) {
      return this.#fail(error);
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
    this.#view?.focus();
  }

  /** @internal */
  connectedCallback() {
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const given = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, given);
    }
    this.#isVisible = true;
    this.#sight = new IntersectionObserver((entries) => {
      this.#isVisible = entries[entries.length - 1].isIntersecting;
      this.#schedule();
    });
    this.#sight.observe(this);
    prefersDark().addEventListener('change', this.#recolour);
    this.#isStale = true;
    this.#update(true);
    this.#schedule();
  }

  /** @internal */
  disconnectedCallback() {
    this.#sight?.disconnect();
    prefersDark().removeEventListener('change', this.#recolour);
    cancelAnimationFrame(this.#request);
    clearTimeout(/** @type {number} */ (this.#later));
    this.#request = 0;
  }

  /** @internal */
  attributeChangedCallback() {
    this.#renew();
  }

  #renew() {
    this.#isStale = true;
    this.#take();
  }

  #recolour = () => this.restyle();

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
      if (this.#variable?.disposed) {
        this.#reader = null;
        this.#variable = null;
        throw new Error('the variable is disposed');
      }
      if (!isAll && !reader.hasChanged) return;
      reader.read();
    } catch (error) {
      this.#fail(error, reader.source.name);
      return;
    }
    this.#failed = '';
    this.#take();
  }

  /** Show what was read. */
  #take() {
    const reader = this.#reader;
    const picture = this.#picture;
    if (reader) {
      picture.values = reader.values;
      picture.mask = reader.mask;
      picture.edition = reader.edition;
      picture.target = reader.target;
      picture.held = reader.held;
      picture.reach = this.#reachOf(reader.largest);
      this.#warnOfNaN(reader);
    }
    if (!this.isConnected || picture.mask.length === 0) return;
    if (this.#isStale) {
      this.#isStale = false;
      this.#restyle();
      this.#build();
    }
    this.#paint(false);
  }

  /** Steady while values wander. @param {number} largest */
  #reachOf(largest) {
    const { reach } = this;
    if (reach !== 'auto') return reach;
    const now = this.#picture.reach;
    return largest > now || largest < now / 5 ? roundUp(largest) : now;
  }

  #restyle() {
    const isDark = isDarkAt(this);
    const theme = `${isDark} ${this.scale}`;
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#picture.palette = makePalette(isDark, this.scale);
    this.#body.classList.toggle('is-dark', isDark);
    this.#view?.restyle();
  }

  #build() {
    const picture = this.#picture;
    const reader = this.#reader;
    if (!reader) return;
    const { rows, cols, source } = reader;
    const languages = [this.lang, languageAt(this), globalThis.navigator?.language];
    const words = wordsFor(languages, this.#words);
    picture.words = words;
    const name = this.label || source.name || words.matrix;
    const label = words.grid(name, rows, cols, this.readonly);
    const [rowNames, colNames] = [this.#rowNames, this.#colNames];
    const built = JSON.stringify([
      rows,
      cols,
      label,
      rowNames,
      colNames,
      words.cell(1, 1, '', true),
    ]);
    if (built === this.#built) return;
    this.#built = built;
    const hadFocus = this.shadowRoot?.activeElement != null;
    this.#view?.close();
    const { style, classList } = this.#frame;
    style.setProperty('--rows', `${rows}`);
    style.setProperty('--cols', `${cols}`);
    classList.toggle('has-names', rowNames !== undefined);
    classList.toggle('has-heads', colNames !== undefined);
    const plan = { rows, cols, label, rowNames, colNames };
    this.#view = new View(this.#frame, plan, picture, this.#intents());
    this.#view.element.setAttribute('aria-readonly', `${this.readonly}`);
    if (this.#selected >= rows * cols) this.#selected = 0;
    this.#view.select(this.#selected);
    this.#view.fit();
    if (hadFocus || this.#isAwaited) this.focus();
  }

  #intents() {
    return {
      select: (/** @type {number} */ index) => {
        if (index === this.#selected) return;
        this.selected = index;
        const cols = this.#reader?.cols ?? 1;
        this.#fire('cellselect', { index, row: Math.floor(index / cols), col: index % cols });
      },
      /** @type {import('./input.js').Intents['gesture']} */
      gesture: (type, index, from = index) => {
        if (this.readonly || !this.#fire('cellgesture', { type, index, from })) return;
        // What changed since the last frame counts.
        this.#update(false);
        this.#strokes[type](index, from);
      },
      edit: (/** @type {string | null} */ text) => {
        const isOpen = this.editable && !this.readonly;
        if (isOpen) this.#view?.edit(text);
        return isOpen;
      },
      setValue: (/** @type {number} */ index, /** @type {string} */ text) =>
        this.#setValue(index, text),
      drawsByTouch: () => this.draw,
    };
  }

  /**
   * @param {number[]} indices
   * @param {boolean} locked
   */
  #changeLocks(indices, locked) {
    if (!this.#reader || !this.#fire('lockschange', { indices, locked })) return;
    try {
      this.#reader.setLocks(indices, locked);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#note.textContent = '';
    this.#update(true);
  }

  /**
   * @param {number} index
   * @param {string} text
   */
  #setValue(index, text) {
    const { words, mask } = this.#picture;
    const value = parseNumber(text);
    if (!this.#reader || !this.#fire('valuechange', { index, value, text })) return;
    const { cols } = this.#reader;
    const place = /** @type {const} */ ([Math.floor(index / cols) + 1, (index % cols) + 1]);
    this.#note.textContent = '';
    if (Number.isNaN(value)) this.#note.textContent = words.notANumber(text);
    else if (mask[index]) this.#note.textContent = words.held(...place);
    else {
      try {
        this.#reader.setValue(index, value);
      } catch (error) {
        this.#fail(error);
        return;
      }
      this.#update(true);
    }
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #fire(type, detail) {
    const event = new CustomEvent(type, {
      ...{ bubbles: true, composed: true, cancelable: true },
      detail,
    });
    return this.dispatchEvent(event);
  }

  /** @param {Reader} reader */
  #warnOfNaN({ notANumber, cols, source }) {
    const hadNaN = this.#hasNaN;
    this.#hasNaN = notANumber >= 0;
    if (!this.#hasNaN || hadNaN) return;
    const place = `row ${Math.floor(notANumber / cols) + 1}, column ${(notANumber % cols) + 1}`;
    this.#tell(`${this.#nameOf(source.name)}: the value of ${place} is NaN`);
  }

  /** @param {string} [name] */
  #nameOf(name = this.#reader?.source.name) {
    return `<gradlock-grid> ${this.label || name || this.id || 'without a label'}`;
  }

  /**
   * Once, until it works again.
   * @param {unknown} cause
   * @param {string} [name]
   */
  #fail(cause, name) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `${this.#nameOf(name)}: ${reason}`;
    if (message === this.#failed) return;
    this.#failed = message;
    this.#tell(message, cause);
  }

  /**
   * As windows do: what nobody handles is written to the console.
   * @param {string} message
   * @param {unknown} [cause]
   */
  #tell(message, cause) {
    const error = new Error(message, { cause });
    const event = new ErrorEvent('error', { message, error, cancelable: true });
    if (this.dispatchEvent(event)) console.error(message);
  }

  /** @param {boolean} isAll Labels, too. */
  #paint(isAll) {
    if (!this.#view) return;
    const now = performance.now();
    this.#run = now - this.#changed > REST ? 0 : this.#run + 1;
    this.#changed = now;
    const picture = this.#picture;
    picture.isLabelling = isAll || this.#run < FEW || now - this.#labelled > LABEL_PACE;
    clearTimeout(/** @type {number} */ (this.#later));
    if (picture.isLabelling) this.#labelled = now;
    else this.#later = setTimeout(this.#relabel, REST);
    this.#view.draw();
    picture.isLabelling = true;
  }

  #relabel = () => this.#paint(true);
}
