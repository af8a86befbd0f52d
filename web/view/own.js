/**
 * Loads a person's numbers, measured points or image: typed, pasted, chosen, or dropped anywhere on the page.
 * state/own.js reads them. A dropped run opens as a run.
 */

import { MAX_OWN_SIDE, readNumbers, readPixels } from '../state/own.js';
import { readPoints } from '../state/points.js';
import { strings } from '../strings/index.js';
import { button, fold, h, setText } from './dom.js';
import { formatInput } from './format.js';

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

/** Returns true if a text is a saved run. @param {string} text */
function isRun(text) {
  try {
    return typeof JSON.parse(text).scene === 'string';
  } catch {
    return false;
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

export class OwnPanel {
  #host;
  #intents;
  /** @type {Kind} */
  #kind = 'cells';
  #label = h('label', { class: 'section-title', for: 'own-numbers' }, strings.own.field);
  #ask = h('span', {}, strings.own.file);
  #use;
  #body = h('div');
  #back = button(strings.points.back, () => this.#intents.giveBack());
  /** The place of points, folded: the scene has data without them. */
  #fold = fold('down', strings.points.label, () => {});
  #field = h('textarea', {
    id: 'own-numbers',
    class: 'own-field',
    rows: 3,
    spellcheck: 'false',
  });
  #note = h('p', { class: 'own-note', role: 'status' });
  #drop = h(
    'div',
    { class: 'drop-here', role: 'status', hidden: true },
    h('p', {}, strings.own.drop),
  );

  /** @param {HTMLElement} host of cells @param {HTMLElement} points  the host of points @param {OwnIntents} intents */
  constructor(host, points, intents) {
    this.#host = host;
    this.#intents = intents;
    points.append(this.#fold);
    const words = strings.own;
    const file = h('input', {
      type: 'file',
      accept: '.csv,.txt,.tsv,.json,image/*',
      class: 'file',
      onchange: () => {
        const [chosen] = file.files ?? [];
        if (chosen) this.#read(chosen);
        file.value = '';
      },
    });
    this.#use = button(words.use, () => this.#takeText(this.#field.value));
    host.setAttribute('aria-label', words.label);
    this.#body.append(
      this.#label,
      this.#field,
      h(
        'div',
        { class: 'tools' },
        this.#use,
        h('label', { class: 'button' }, file, this.#ask),
        this.#back,
      ),
      this.#note,
    );
    this.show(null, false);
    this.#body.addEventListener('paste', (event) => {
      const [pasted] = event.clipboardData?.files ?? [];
      if (!pasted) return;
      event.preventDefault();
      this.#read(pasted);
    });
    this.#catchDrops();
  }

  /** Accepts files dropped anywhere on the page. */
  #catchDrops() {
    document.body.append(this.#drop);
    const hasFile = (/** @type {DragEvent} */ { dataTransfer }) =>
      dataTransfer?.types.includes('Files') === true;
    document.addEventListener('dragover', (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      this.#drop.hidden = false;
    });
    document.addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) this.#drop.hidden = true;
    });
    document.addEventListener('drop', (event) => {
      this.#drop.hidden = true;
      const [dropped] = event.dataTransfer?.files ?? [];
      if (!dropped) return;
      event.preventDefault();
      this.#read(dropped);
    });
  }

  /** @param {Kind | null} kind null: the scene takes none; what is dropped is cells @param {boolean} hasOwn true if it shows a person's data */
  show(kind, hasOwn) {
    this.#back.hidden = kind !== 'points' || !hasOwn;
    this.#host.hidden = kind !== 'cells';
    this.#fold.hidden = kind !== 'points';
    const before = this.#kind;
    this.#kind = kind ?? 'cells';
    const isPoints = this.#kind === 'points';
    const words = isPoints ? strings.points : strings.own;
    setText(this.#label, words.field);
    setText(this.#ask, words.file);
    setText(this.#use, words.use);
    this.#field.placeholder = words.example;
    if (this.#kind !== before) {
      this.#field.value = '';
      setText(this.#note, '');
    }
    const room = isPoints ? this.#fold.lastElementChild : this.#host;
    if (this.#body.parentElement !== room) room?.append(this.#body);
  }

  /** @param {File} file */
  async #read(file) {
    const isText = /^text\/|json$/.test(file.type) || /\.(csv|tsv|txt|json)$/i.test(file.name);
    if (file.type.startsWith('image/')) {
      const own = await readImage(file);
      if (own) this.#bring(own, true, strings.own.image(own.rows, own.cols));
      else this.#intents.refuse({ problem: 'image' });
      return;
    }
    const text = await file.slice(0, 4 << 20).text();
    if (!isText && /[\0\ufffd]/.test(text)) {
      this.#intents.refuse({ problem: 'binary' });
    } else if (isRun(text)) {
      this.#intents.openRun(text);
    } else {
      this.#field.value = text.slice(0, MOST_SHOWN);
      this.#takeText(text);
    }
  }

  /** @param {string} text */
  #takeText(text) {
    if (this.#kind === 'points') {
      this.#takePoints(text);
      return;
    }
    const result = readNumbers(text);
    if ('problem' in result) {
      this.#intents.refuse(result);
      return;
    }
    const { divisor, headers, names } = result.reading;
    const words = strings.own;
    const { rows, cols } = result.own;
    const told = [
      words.taken(rows, cols),
      headers + names ? words.skipped(headers, names) : '',
      divisor === 1 ? '' : words.scaled(formatInput(divisor)),
    ];
    this.#bring(result.own, false, told.filter(Boolean).join(' '));
  }

  /** @param {string} text */
  #takePoints(text) {
    const result = readPoints(text);
    if ('problem' in result) {
      this.#intents.refuse(result);
      return;
    }
    const { own, reading } = result;
    const words = strings.points;
    const told = [
      words.taken(own.rows, reading.names),
      own.cols > 2 ? '' : words.noSigma,
      reading.left > 0 ? words.left(reading.left) : '',
      words.scaled,
    ];
    this.#fold.open = true;
    setText(this.#note, told.filter(Boolean).join(' '));
    this.#intents.bringPoints(own);
  }

  /** @param {Own} own @param {boolean} isImage @param {string} told */
  #bring(own, isImage, told) {
    setText(this.#note, told);
    this.#intents.bring(own, isImage);
  }
}
