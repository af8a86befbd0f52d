/** Where a person brings numbers or an image: typed, pasted, chosen or dropped. Reading them is state/own.js's. */

import { MAX_OWN_SIDE, readCsv, readPixels } from '../state/own.js';
import { strings } from '../strings.js';
import { h } from './dom.js';

/** @typedef {import('../state/own.js').Own} Own */
/** @typedef {import('../state/own.js').OwnProblem | { problem: 'image' }} OwnProblem */

/** Images are drawn at most this large, so that every cell can still be seen. */
const IMAGE_SIDE = 64;

/** @param {Blob} file @returns {Promise<{ own: Own } | OwnProblem>} */
async function readImage(file) {
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, IMAGE_SIDE / Math.max(image.width, image.height));
    const side = (/** @type {number} */ length) =>
      Math.min(MAX_OWN_SIDE, Math.max(2, Math.round(length * scale)));
    const canvas = h('canvas', { width: side(image.width), height: side(image.height) });
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    return { own: readPixels(data, canvas.width, canvas.height) };
  } catch {
    return { problem: 'image' };
  }
}

export class OwnPanel {
  #host;
  #intents;
  #field = h('textarea', {
    id: 'own-numbers',
    class: 'own-field',
    rows: 4,
    spellcheck: 'false',
    placeholder: '0 0.5 1\n0.5 1 0.5\n1 0.5 0',
  });

  /** @param {HTMLElement} host @param {{ bring: (own: Own) => void, refuse: (problem: OwnProblem) => void }} intents */
  constructor(host, intents) {
    this.#host = host;
    this.#intents = intents;
    const words = strings.own;
    const file = h('input', {
      type: 'file',
      accept: '.csv,.txt,.tsv,image/*',
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
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: () => this.#take(readCsv(this.#field.value)),
          },
          words.use,
        ),
        h('label', { class: 'button' }, file, h('span', {}, words.file)),
      ),
    );
    host.addEventListener('paste', (event) => this.#catch(event, event.clipboardData));
    host.addEventListener('dragover', (event) => event.preventDefault());
    host.addEventListener('drop', (event) => this.#catch(event, event.dataTransfer));
  }

  /** @param {boolean} isShown */
  show(isShown) {
    this.#host.hidden = !isShown;
  }

  /** @param {Event} event @param {DataTransfer | null} data */
  #catch(event, data) {
    const [file] = data?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#read(file);
  }

  /** @param {File} file */
  async #read(file) {
    if (file.type.startsWith('image/')) {
      this.#take(await readImage(file));
      return;
    }
    const text = await file.slice(0, 4 << 20).text();
    this.#field.value = text.slice(0, 20_000);
    this.#take(readCsv(text));
  }

  /** @param {{ own: Own } | OwnProblem} result */
  #take(result) {
    if ('own' in result) this.#intents.bring(result.own);
    else this.#intents.refuse(result);
  }
}
