/** The inspector: shows all data of one cell. */

import { strings } from '../strings/index.js';
import { button, h, icon, relabel, setAttribute, setText } from './dom.js';
import { formatBits, formatCount, formatNumber } from './format.js';
import { partAt } from '../scenes/layout.js';

/** The grids, and names of them, their rows and columns. @typedef {Pick<import('./board.js').Opening, 'layout' | 'gridNames' | 'rowNames' | 'colNames'>} Named */

const words = strings.inspector;

export class Inspector {
  #where = h('span', { class: 'where' });
  #toggle;
  #list = h('dl', { class: 'facts' });
  /** @type {Map<string, HTMLElement>} */
  #facts = new Map();
  /** @type {Named} */
  #named = { layout: [], gridNames: {}, rowNames: {}, colNames: {} };

  /** @param {HTMLElement} host @param {{ toggle: () => void, edit: () => void }} intents */
  constructor(host, { toggle, edit }) {
    this.#toggle = button([icon('lock'), h('span')], toggle, 'lock-toggle');
    host.append(
      h('h2', { class: 'note' }, words.label, ' ', this.#where),
      h('div', { class: 'row' }, this.#toggle, button(words.edit, edit)),
      this.#list,
    );
  }

  /** @param {Named} named */
  open(named) {
    this.#named = named;
    this.#list.replaceChildren();
    this.#facts.clear();
  }

  /**
   * @param {number} index
   * @param {import('./grid.js').GridModel} model
   * @param {import('../engine/protocol.js').CellReport | null} report of that cell, or null until it comes
   */
  draw(index, model, report) {
    const isLocked = model.mask[index] === 1;
    const value = model.values[index];
    const { layout, gridNames, rowNames, colNames } = this.#named;
    const { name, cols, offset } = partAt(layout, index);
    const at = index - offset;
    const [row, col] = [Math.floor(at / cols), at % cols];
    const named = [rowNames[name]?.[row], colNames[name]?.[col]].filter(Boolean);
    const element = named.length > 1 ? named.join(', ') : words.where(row + 1, col + 1);
    const grid = layout.length > 1 ? `${gridNames[name]}, ` : '';
    setText(this.#where, grid + element);
    setAttribute(this.#toggle, 'aria-pressed', String(isLocked));
    setAttribute(this.#toggle, 'title', isLocked ? words.lockedHint : words.freeHint);
    relabel(this.#toggle, isLocked ? 'lock' : 'lock-open', isLocked ? words.locked : words.free);

    /** @type {[string, string][]} */
    const facts = [
      [words.value, formatNumber(value)],
      [words.bits, formatBits(value)],
    ];
    if (model.target) facts.push([words.goal, formatNumber(model.target[index])]);
    if (report) {
      const { gradient, gradientHeld } = words;
      facts.push([isLocked ? gradientHeld : gradient, formatNumber(report.gradient)]);
      for (const slot of report.slots) {
        facts.push([words.slots[slot.name] ?? slot.name, formatNumber(slot.value)]);
      }
      if (report.next) {
        const { step, memory, decay } = report.next;
        facts.push([words.next, formatNumber(step)], [words.memory, formatNumber(memory)]);
        facts.push([words.decay, formatNumber(decay)]);
      }
      facts.push([words.clock, words.steps(formatCount(report.clock), report.clock === 1)]);
    }
    this.#show(facts, report !== null);
  }

  /** @param {[string, string][]} facts @param {boolean} isComplete true if all other facts are removed */
  #show(facts, isComplete) {
    const names = facts.map(([name]) => name);
    const isOutdated = [...this.#facts.keys()].some((name) => !names.includes(name));
    if (isComplete && isOutdated) {
      this.#list.replaceChildren();
      this.#facts.clear();
    }
    for (const [name, text] of facts) {
      let fact = this.#facts.get(name);
      if (!fact) {
        fact = h('dd');
        this.#facts.set(name, fact);
        this.#list.append(h('div', { class: 'fact row' }, h('dt', {}, name), fact));
      }
      setText(fact, text);
    }
  }
}
