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
      const look = { type: 'button', class: 'card', 'data-scene': id };
      const title = h('span', { class: 'card-name' }, name);
      const text = h('span', { class: 'card-text' }, sentence);
      const card = h('button', { ...look, onclick: choose }, canvas, title, ' ', text);
      this.#cards.set(id, { card, canvas, drawn: '' });
      return h('li', {}, card);
    };
    const close = iconButton('close', strings.close, () => this.#dialog.close(), 'bare');
    const title = h('h2', { class: 'gallery-title', id: 'gallery-title' }, words.all);
    const head = h('div', { class: 'gallery-head row' }, title, close);
    const groups = groupedScenes.map(({ group, scenes }) => {
      const name = h('h3', { class: 'note', id: `group-${group}` }, words.groups[group]);
      const cards = h('ul', { class: 'cards' }, ...scenes.map(({ id }) => card(id)));
      return h('section', { 'aria-labelledby': `group-${group}` }, name, cards);
    });
    const body = h('div', { class: 'gallery-body' }, head, ...groups);
    this.#dialog = h('dialog', { class: 'gallery', 'aria-labelledby': 'gallery-title' }, body);
    // Only a click beside the dialog's content has the dialog itself as its target.
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
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
