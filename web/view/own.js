/**
 * Loads a person's numbers or image: typed, pasted, chosen, or dropped anywhere on the page.
 * state/own.js reads them. A dropped run opens as a run.
 */

import { MAX_OWN_SIDE, readNumbers, readPixels } from '../state/own.js';
import { strings } from '../strings/index.js';
import { button, h, setText } from './dom.js';
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
 * @property {(problem: OwnProblem) => void} refuse
 * @property {(text: string) => void} openRun
 */

export class OwnPanel {
  #host;
  #intents;
  #field = h('textarea', {
    id: 'own-numbers',
    class: 'own-field',
    rows: 3,
    spellcheck: 'false',
    placeholder: '0 0.5 1\n0.5 1 0.5\n1 0.5 0',
  });
  #note = h('p', { class: 'own-note', role: 'status' });
  #drop = h(
    'div',
    { class: 'drop-here', role: 'status', hidden: true },
    h('p', {}, strings.own.drop),
  );

  /** @param {HTMLElement} host @param {OwnIntents} intents */
  constructor(host, intents) {
    this.#host = host;
    this.#intents = intents;
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
    host.setAttribute('aria-label', words.label);
    host.append(
      h('label', { class: 'section-title', for: 'own-numbers' }, words.field),
      this.#field,
      h(
        'div',
        { class: 'tools' },
        button(words.use, () => this.#takeText(this.#field.value)),
        h('label', { class: 'button' }, file, h('span', {}, words.file)),
      ),
      this.#note,
    );
    host.addEventListener('paste', (event) => {
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

  /** @param {boolean} isShown */
  show(isShown) {
    this.#host.hidden = !isShown;
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

  /** @param {Own} own @param {boolean} isImage @param {string} told */
  #bring(own, isImage, told) {
    setText(this.#note, told);
    this.#intents.bring(own, isImage);
  }
}
