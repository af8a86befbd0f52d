/**
 * All scenes as cards with small pictures, in a dialog. That of the card that is pointed at, or has
 * the focus, moves, but where motion is not wanted.
 */

import { groupedScenes } from '../scenes/index.js';
import { sceneWords, strings } from '../strings/index.js';
import { h, iconButton } from './dom.js';
import { drawThumbnail, loadThumbnails } from './thumbnails.js';

/** The time between two frames, and how many times as long the last one stays. */
const PACE = 160;
const REST = 8;

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

export class Gallery {
  /** @type {HTMLDialogElement} */
  #dialog;
  /** @type {Map<string, { card: HTMLElement, canvas: HTMLCanvasElement }>} */
  #cards = new Map();
  #palette;
  /** @type {Awaited<ReturnType<typeof loadThumbnails>>} */
  #thumbnails = {};
  /** What each canvas shows: its frame and its size. @type {Map<string, string>} */
  #drawn = new Map();
  /** The palette they were drawn with. @type {import('gradlock/grid').Palette | null} */
  #colours = null;

  /**
   * @param {HTMLElement} host
   * @param {{ open: (scene: string) => void, palette: () => import('gradlock/grid').Palette }} intents
   */
  constructor(host, { open, palette }) {
    this.#palette = palette;
    const words = strings.gallery;
    const card = (/** @type {string} */ id) => {
      const { name, card: sentence } = sceneWords(id);
      const canvas = h('canvas', { class: 'card-picture', 'aria-hidden': 'true' });
      const choose = () => {
        this.#dialog.close();
        open(id);
      };
      const card = h(
        'button',
        { type: 'button', class: 'card', 'data-scene': id, onclick: choose },
        canvas,
        h('span', { class: 'card-name' }, name),
        ' ',
        h('span', { class: 'card-text' }, sentence),
      );
      this.#cards.set(id, { card, canvas });
      return h('li', {}, card);
    };
    const close = iconButton('close', strings.close, () => this.#dialog.close(), 'bare');
    this.#dialog = h(
      'dialog',
      {
        ...{ class: 'gallery', 'aria-labelledby': 'gallery-title' },
        // Only a click beside the dialog's content has the dialog itself as its target.
        onclick: ({ target }) => target === this.#dialog && this.#dialog.close(),
      },
      h(
        'div',
        { class: 'gallery-body' },
        h(
          'div',
          { class: 'gallery-head row' },
          h('h2', { class: 'gallery-title', id: 'gallery-title' }, words.all),
          close,
        ),
        ...groupedScenes.map(({ group, scenes }) =>
          h(
            'section',
            { 'aria-labelledby': `group-${group}` },
            h('h3', { class: 'note', id: `group-${group}` }, words.groups[group]),
            h('ul', { class: 'cards' }, ...scenes.map(({ id }) => card(id))),
          ),
        ),
      ),
    );
    host.append(this.#dialog);
  }

  /** @param {string} current the open scene */
  async open(current) {
    for (const [id, { card }] of this.#cards) {
      card.setAttribute('aria-current', String(id === current));
    }
    this.#dialog.showModal();
    this.#cards.get(current)?.card.focus();
    // Without a network the cards still have their words.
    this.#thumbnails = await loadThumbnails().catch(() => ({}));
    this.#move();
  }

  /** Draws the pictures again and again while the dialog is open. */
  #move() {
    if (!this.#dialog.open) return this.#drawn.clear();
    const colours = this.#palette();
    if (colours !== this.#colours) this.#drawn.clear();
    this.#colours = colours;
    const at = Math.floor(performance.now() / PACE);
    for (const id of this.#cards.keys()) this.#draw(id, at, colours);
    requestAnimationFrame(() => this.#move());
  }

  /** @param {string} id @param {number} time in frames @param {import('gradlock/grid').Palette} palette */
  #draw(id, time, palette) {
    const thumbnail = this.#thumbnails[id];
    const { card, canvas } = this.#cards.get(id) ?? {};
    if (!thumbnail || !card || !canvas) return;
    const last = thumbnail.frames.length - 1;
    const moves = card.matches(':hover, :focus') && !isCalm.matches;
    const at = moves ? Math.min(last, time % (last + REST)) : last;
    const look = `${at} ${canvas.clientWidth} ${devicePixelRatio}`;
    if (this.#drawn.get(id) === look) return;
    this.#drawn.set(id, look);
    canvas.dataset.frame = String(at);
    drawThumbnail(canvas, thumbnail, at, palette);
  }
}
