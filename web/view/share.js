/** Links and files of a run: the app makes their content, the browser copies and saves them. */

import { MOST_NAME } from '../state/hand-in.js';
import { strings } from '../strings/index.js';
import { copy } from './clipboard.js';
import { button, fileButton, fold, h, setText, tools } from './dom.js';

/**
 * @typedef {object} Intents
 * @property {() => Promise<string | null>} link   null if the run is too long for one
 * @property {(name: string) => Promise<string | null>} handIn  a link that also claims the run's results
 * @property {Record<keyof typeof KINDS, () => string | Blob | Promise<string | Blob>>} make  files
 * @property {(seconds: number) => Promise<Blob>} record  plays and films the run; a GIF
 * @property {() => void} stop  ends the film
 * @property {(text: string) => void} openFile
 */

const KINDS = /** @type {const} */ ({
  png: ['gradlock.png', 'image/png'],
  svg: ['gradlock.svg', 'image/svg+xml'],
  csv: ['gradlock.csv', 'text/csv'],
  json: ['gradlock-run.json', 'application/json'],
  code: ['run.mjs', 'text/javascript'],
});

const SECONDS = [3, 5, 10, 20];

/** @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export class Share {
  #field = h('input', {
    ...{ type: 'text', id: 'share-link', readonly: true, onfocus: () => this.#field.select() },
  });
  #note = h('p', { class: 'share-note note', role: 'status' });
  #name = h('input', {
    ...{ type: 'text', id: 'hand-in-name', maxlength: MOST_NAME, autocomplete: 'name' },
  });
  #seconds = h('select');
  #film = button(strings.share.film, () => this.#record());
  #isFilming = false;
  #intents;

  /** @param {HTMLElement} host @param {Intents} intents */
  constructor(host, intents) {
    this.#intents = intents;
    const words = strings.share;
    const kinds = /** @type {(keyof typeof KINDS)[]} */ (Object.keys(KINDS));
    const save = async (/** @type {keyof typeof KINDS} */ kind) => {
      const [name, type] = KINDS[kind];
      download(new Blob([await intents.make[kind]()], { type }), name);
    };
    const open = async (/** @type {File[]} */ [file]) => intents.openFile(await file.text());
    this.element = fold(
      'share',
      words.label,
      () => this.refresh(),
      h('label', { class: 'note', for: 'share-link' }, words.link),
      this.#field,
      tools(
        button(words.copy, () => this.#copy(this.#show())),
        button(words.embed, () => this.#copy(this.#show(), embedding)),
      ),
      h('label', { class: 'note', for: 'hand-in-name' }, strings.handIn.name),
      this.#name,
      h('p', { class: 'hint' }, strings.handIn.note),
      tools(button(strings.handIn.copy, () => this.#copy(intents.handIn(this.#name.value)))),
      this.#note,
      tools(
        ...kinds.map((kind) => button(words[kind], () => save(kind))),
        fileButton(words.open, '.json,application/json', open),
      ),
      tools(this.#film, h('label', { class: 'check row note' }, words.seconds, this.#seconds)),
    );
    this.#seconds.append(...SECONDS.map((value) => h('option', { value }, String(value))));
    this.#seconds.value = '5';
    host.append(this.element);
  }

  /** Films the run, or ends the film and saves it. */
  async #record() {
    const { film, filmStop, filming } = strings.share;
    if (this.#isFilming) return this.#intents.stop();
    this.#isFilming = true;
    setText(this.#film, filmStop);
    setText(this.#note, filming);
    try {
      download(await this.#intents.record(Number(this.#seconds.value)), 'gradlock.gif');
    } finally {
      this.#isFilming = false;
      setText(this.#film, film);
      if (this.#note.textContent === filming) setText(this.#note, '');
    }
  }

  /** Shows the link of the run as it is now. */
  async refresh() {
    if (this.element.open) await this.#show();
  }

  /** @returns {Promise<string | null>} the shown link; null if there is none, which is reported */
  async #show() {
    const link = await this.#intents.link();
    if (this.#field.value !== (link ?? '')) this.#field.value = link ?? '';
    const { tooLong } = strings.share;
    if (link === null) setText(this.#note, tooLong);
    else if (this.#note.textContent === tooLong) setText(this.#note, '');
    return link;
  }

  /** Copies a link to the current run, which may continue meanwhile. @param {Promise<string | null>} made @param {(link: string) => string} [textOf] */
  async #copy(made, textOf = (link) => link) {
    setText(this.#note, '');
    const text = made.then((link) => {
      if (link === null) throw new RangeError(strings.share.tooLong);
      return textOf(link);
    });
    const isCopied = await copy(text);
    if (isCopied) return setText(this.#note, strings.share.copied);
    const link = await made.catch(() => '');
    if (link === null) setText(this.#note, strings.share.tooLong);
    if (!link) return;
    this.#field.value = textOf(link);
    this.#field.select();
    setText(this.#note, strings.share.notCopied);
  }
}

/** Returns the HTML that embeds a run in a page. @param {string} link */
function embedding(link) {
  const url = new URL(link);
  url.searchParams.set('embed', '1');
  const src = url.href.replaceAll('&', '&amp;');
  // The page reports its height; without scripts it keeps this height and scrolls.
  return `<iframe src="${src}" loading="lazy" style="border:0;width:100%;height:640px" title="gradlock"></iframe>
<script>addEventListener('message', ({ data, source }) => {
  if (data?.type !== 'gradlock-height') return;
  for (const frame of document.querySelectorAll('iframe'))
    if (frame.contentWindow === source) frame.style.height = \`\${data.height}px\`;
});</script>`;
}
