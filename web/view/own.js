/**
 * Loads a person's numbers, measured points or image: typed, chosen, or pasted and dropped anywhere on
 * the page. state/own.js reads them. Says what was understood.
 */

import { MAX_DOM_SIDE } from 'gradlock/grid';
import { fromFile } from '../state/file.js';
import { MAX_OWN_SIDE, readNumbers, readPixels } from '../state/own.js';
import { readPoints } from '../state/points.js';
import { strings } from '../strings/index.js';
import { textOf } from '#table';
import { button, catchDrops, fileButton, fold, h, setText, tools } from './dom.js';
import { formatInput } from './format.js';
import { TableQuestions } from './table-questions.js';

/** @typedef {import('../state/own.js').Own} Own */
/** @typedef {import('../state/own.js').OwnProblem | { problem: 'image' }} OwnProblem */

/** The largest side of an image, so that every cell is still visible. */
const IMAGE_SIDE = 64;
/** The most characters of a file shown in the field. */
const MOST_SHOWN = 20_000;

/** @param {Blob} file @returns {Promise<Own | null>} */
async function readImage(file) {
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, IMAGE_SIDE / Math.max(image.width, image.height));
    const side = (/** @type {number} */ length) =>
      Math.min(MAX_OWN_SIDE, Math.max(2, Math.round(length * scale)));
    const canvas = h('canvas', { width: side(image.width), height: side(image.height) });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    pen.imageSmoothingQuality = 'high';
    // Transparent pixels become white, like paper.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    return readPixels(data, canvas.width, canvas.height);
  } catch {
    return null;
  }
}

/**
 * @typedef {object} OwnIntents
 * @property {(own: Own, isImage: boolean) => void} bring
 * @property {(own: Own) => void} bringPoints
 * @property {() => void} giveBack  opens the scene's own points again
 * @property {(problem: OwnProblem) => void} refuse
 * @property {(text: string) => void} openRun
 */

/** What a scene takes of a person. @typedef {'cells' | 'points'} Kind */

/**
 * The data that the scene shows.
 * @typedef {object} Shown
 * @property {Kind | null} kind null: the scene takes none; what is dropped is cells
 * @property {Own | null} own   a person's data
 * @property {boolean} isExample  true if it is the scene's example
 * @property {boolean} isFilling  true if unknown cells are filled in
 */

export class OwnPanel {
  #host;
  #intents;
  /** @type {Kind} */
  #kind = 'cells';
  #label = h('label', { class: 'note', for: 'own-numbers' });
  #file;
  #use;
  #back = button(strings.points.back, () => this.#intents.giveBack());
  #field = h('textarea', { id: 'own-numbers', rows: 4, spellcheck: 'false' });
  #note = h('p', { class: 'own-note note', role: 'status' });
  #tools = tools();
  /** What a person may say of the table: its header and its columns. */
  #questions = new TableQuestions();
  /** The fields, folded: a scene has data without a person's. */
  #folds = {
    cells: fold('down', strings.own.paste, (e) => e.target.scrollIntoView({ block: 'nearest' })),
    points: fold('down', strings.points.label, () => {}),
  };
  /** What was understood of a person's data. @type {WeakMap<Own, string>} */
  #told = new WeakMap();

  /** @param {HTMLElement} host of cells @param {HTMLElement} points  the host of points @param {OwnIntents} intents */
  constructor(host, points, intents) {
    this.#host = host;
    this.#intents = intents;
    points.append(this.#folds.points);
    const words = strings.own;
    const accept = '.csv,.txt,.tsv,.json,image/*';
    this.#file = fileButton('', accept, ([chosen]) => this.#read(chosen));
    this.#use = button(words.use, () => this.#takeText(this.#field.value));
    host.setAttribute('aria-label', words.label);
    this.#folds.cells.firstElementChild?.setAttribute('class', 'button');
    host.append(this.#folds.cells);
    this.#catchPastes();
    const look = { class: 'drop-here', role: 'status', hidden: true };
    const over = h('div', look, h('p', {}, words.drop));
    document.body.append(over);
    const hover = (/** @type {boolean} */ isOver) => over.toggleAttribute('hidden', !isOver);
    catchDrops(([file]) => this.#read(file), hover);
  }

  /** Accepts pastes: files near the field, and in a scene of cells, anything outside of fields. */
  #catchPastes() {
    document.addEventListener('paste', (event) => {
      const { target, clipboardData } = event;
      const isNear = target instanceof Node && this.#folds[this.#kind].contains(target);
      const [at] = event.composedPath();
      const isField = at instanceof Element && at.matches('input[type=text], textarea');
      const isAnywhere = !this.#host.hidden && !isField;
      const [file] = (isNear || isAnywhere) && clipboardData ? clipboardData.files : [];
      const text = isAnywhere ? clipboardData?.getData('text') : '';
      if (!file && !text) return;
      event.preventDefault();
      if (file) this.#read(file);
      else if (text) this.#takeText(text);
    });
  }

  /** @param {Shown} shown */
  show({ kind, own, isExample, isFilling }) {
    const isPoints = kind === 'points';
    const words = isPoints ? strings.points : strings.own;
    this.#back.hidden = !isPoints || !own;
    this.#host.hidden = kind !== 'cells';
    this.#note.hidden = isExample;
    this.#folds.points.hidden = !isPoints;
    const before = this.#kind;
    this.#kind = kind ?? 'cells';
    setText(this.#label, words.field);
    setText(/** @type {Element} */ (this.#file.lastElementChild), words.file);
    setText(this.#use, words.use);
    this.#field.placeholder = words.example;
    if (this.#kind !== before) {
      this.#field.value = '';
      setText(this.#note, '');
      this.#questions.element.replaceChildren();
    }
    const room = /** @type {HTMLElement} */ (this.#folds[this.#kind].lastElementChild);
    if (this.#field.parentElement !== room) {
      this.#tools.append(this.#use, this.#back);
      room.append(this.#label, this.#field, this.#tools);
      (isPoints ? this.#tools : this.#host).append(this.#file);
      (isPoints ? room : this.#host).append(this.#note, this.#questions.element);
    }
    if (kind !== 'cells') return;
    const { taken, gaps, erased } = strings.own;
    const read = own && (this.#told.get(own) ?? taken(own.rows, own.cols));
    const unknown = own?.values.filter(Number.isNaN).length ?? 0;
    const filled = unknown ? gaps(unknown) : erased;
    setText(this.#note, [read, isFilling ? filled : ''].join(' ').trim());
  }

  /** @param {File} file */
  async #read(file) {
    const isText = /^text\/|json$/.test(file.type) || /\.(csv|tsv|txt|json)$/i.test(file.name);
    if (file.type.startsWith('image/')) {
      const own = await readImage(file);
      this.#questions.element.replaceChildren();
      if (own) this.#bring(own, strings.own.image(own.rows, own.cols), true);
      else this.#intents.refuse({ problem: 'image' });
      return;
    }
    const text = textOf(new Uint8Array(await file.slice(0, 4 << 20).arrayBuffer()));
    if (!isText && /\0/.test(text)) {
      this.#intents.refuse({ problem: 'binary' });
    } else if (fromFile(text)?.candidate.scene) {
      this.#intents.openRun(text);
    } else {
      this.#field.value = text.slice(0, MOST_SHOWN);
      this.#takeText(text);
    }
  }

  /** @param {string} text @param {Record<string, unknown>} [choice]  what a person says of the table */
  #takeText(text, choice = {}) {
    const result = this.#kind === 'points' ? readPoints(text, choice) : readNumbers(text, choice);
    this.#questions.ask(result, (answer) => this.#takeText(text, { ...choice, ...answer }));
    if ('problem' in result) {
      this.#intents.refuse(result);
    } else if ('taken' in result.reading) {
      const { columns, taken } = result.reading;
      const names = taken.map((at) => columns[at]);
      this.#takePoints(result.own, names, columns.length - taken.length);
    } else {
      this.#takeCells(result.own, result.reading.divisor);
    }
  }

  /** @param {Own} own @param {number} divisor */
  #takeCells(own, divisor) {
    const words = strings.own;
    const { rows, cols, rowNames, colNames } = own;
    const areHidden = (rowNames || colNames) && Math.max(rows, cols) > MAX_DOM_SIDE;
    const told = [
      words.taken(rows, cols),
      areHidden ? words.hidden : '',
      divisor === 1 ? '' : words.scaled(formatInput(divisor)),
    ];
    this.#bring(own, told.filter(Boolean).join(' '));
  }

  /** @param {Own} own @param {string[]} names of the columns @param {number} left  how many others there are */
  #takePoints(own, names, left) {
    const words = strings.points;
    const told = [
      words.taken(own.rows, names),
      own.cols > 2 ? '' : words.noSigma,
      left > 0 ? words.left(left) : '',
      words.scaled,
    ];
    this.#folds.points.open = true;
    setText(this.#note, told.filter(Boolean).join(' '));
    this.#intents.bringPoints(own);
  }

  /** @param {Own} own @param {string} told @param {boolean} [isImage] */
  #bring(own, told, isImage = false) {
    const fold = this.#folds.cells;
    if (fold.contains(document.activeElement)) fold.querySelector('summary')?.focus();
    fold.open = false;
    this.#told.set(own, told);
    this.#intents.bring(own, isImage);
  }
}
