/**
 * All scenes as cards with small pictures, in a dialog. That of the card that is pointed at, or has
 * the focus, moves, but where motion is not wanted.
 */

import { groupedScenes } from '../scenes/index.js';
import { sceneWords, strings } from '../strings/index.js';
import { h, iconButton } from './dom.js';
import { drawThumbnail, loadThumbnails } from './thumbnails.js';

/** The time between two frames, and how many times as long the last one stays. */
const [PACE, REST] = [160, 8];

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

export class Gallery {
  /** @type {HTMLDialogElement} */
  #dialog;
  /** Cards, and what each canvas shows: its frame, its size, its colours. @type {Map<string, { card: HTMLElement, canvas: HTMLCanvasElement, drawn: string }>} */
  #cards = new Map();
  #palette;

  /** @param {HTMLElement} host @param {{ open: (scene: string) => void, palette: () => import('gradlock/grid').Palette }} intents */
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
      this.#cards.set(id, { card, canvas, drawn: '' });
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
    this.#move(await loadThumbnails().catch(() => ({})));
  }

  /** Draws the pictures again and again while the dialog is open. @param {Awaited<ReturnType<typeof loadThumbnails>>} thumbnails */
  #move(thumbnails) {
    if (!this.#dialog.open) return;
    const palette = this.#palette();
    const time = Math.floor(performance.now() / PACE);
    for (const [id, shown] of this.#cards) {
      const { card, canvas } = shown;
      const thumbnail = thumbnails[id];
      if (!thumbnail) continue;
      const last = thumbnail.frames.length - 1;
      const moves = card.matches(':hover, :focus') && !isCalm.matches;
      const at = moves ? Math.min(last, time % (last + REST)) : last;
      const size = `${canvas.clientWidth} ${devicePixelRatio}`;
      const look = `${at} ${size} ${palette.css[palette.zero]}`;
      if (shown.drawn === look) continue;
      shown.drawn = look;
      canvas.dataset.frame = String(at);
      drawThumbnail(canvas, thumbnail, at, palette);
    }
    requestAnimationFrame(() => this.#move(thumbnails));
  }
}
