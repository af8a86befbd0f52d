/** The teacher's list of links: its field, its progress, its table of results, as CSV too. */

import { tableToCsv } from '../state/csv.js';
import { MOST_LINKS, readLinkTable, readRun } from '../state/link-table.js';
import { sceneWords, strings } from '../strings/index.js';
import { button, fileButton, h, setAttribute, setText, tools } from './dom.js';
import { formatCount, formatNumber, someOf } from './format.js';
import { challengeWords, judgementText, scoreText } from './judgement.js';
import { download } from './share.js';

/** @typedef {import('../state/link-table.js').Entry} Entry */
/** @typedef {import('../state/judge.js').Finding} Finding */

/** The most characters of a dropped file. */
const MOST_TEXT = 20_000_000;

/** @typedef {{ name: string, finding: Finding | null, link: string }} Row */

export class CheckLinks {
  #field = h('textarea', { id: 'links', rows: 6, spellcheck: 'false', autocomplete: 'off' });
  #limit = h('select', { id: 'limit' });
  #note = h('p', { class: 'share-note note', role: 'status' });
  #bar = h('progress', { max: 1, value: 0, 'aria-labelledby': 'busy' });
  #busyText = h('p', { id: 'busy', class: 'progress-text' });
  #busy;
  #run;
  #save;
  #body = h('tbody');
  #table;
  /** @type {Row[]} */
  #rows = [];
  /** Runs that were dropped as files. @type {Entry[]} */
  #dropped = [];
  #intents;
  #isBusy = false;
  /** True if files came during a check: the next one starts at its end. */
  #isAskedAgain = false;
  /** True if a file since the last check was too large. */
  #hasRefused = false;
  /** What the check leaves out, in words; its result says it again. */
  #omitted = '';

  /**
   * @param {HTMLElement} host
   * @param {{ check: (entries: Entry[], limit: number) => void, cancel: () => void, openLink: (link: string) => string }} intents
   *   openLink returns the address of a link in this demo
   */
  constructor(host, intents) {
    this.#intents = intents;
    const words = strings.teach;
    this.#run = button(words.run, () => this.#start(), 'is-accent');
    this.#save = button(words.csv, () => this.#download());
    const cancel = button(strings.cancel, () => {
      this.#isAskedAgain = false;
      intents.cancel();
    });
    const limits = Object.entries(words.limits);
    this.#limit.append(...limits.map(([value, label]) => h('option', { value }, label)));
    this.#busy = h('div', { class: 'busy stack' }, this.#busyText, this.#bar, tools(cancel));
    const heads = Object.values(words.columns).map((name) => h('th', { scope: 'col' }, name));
    const table = h('table', {}, h('thead', {}, h('tr', {}, ...heads)), this.#body);
    const look = { class: 'table-room', role: 'region', 'aria-label': words.table, tabindex: 0 };
    this.#table = h('div', look, table);
    const accept = '.csv,.txt,.json,text/*,application/json';
    this.#busy.hidden = this.#table.hidden = this.#save.hidden = true;
    host.append(
      h('h2', { class: 'note' }, words.links),
      h('label', { for: 'links' }, words.field),
      this.#field,
      h('p', { class: 'hint' }, words.fieldHint),
      tools(
        this.#run,
        fileButton(words.file, accept, (files) => this.take(files), true),
        button(words.clearLinks, () => this.#clear()),
        h('label', { class: 'check row' }, words.limit, this.#limit),
      ),
      this.#note,
      this.#busy,
      this.#table,
      tools(this.#save),
    );
  }

  /** Takes dropped files. @param {File[]} files */
  async take(files) {
    for (const file of files) {
      if (file.size > MOST_TEXT) {
        this.#hasRefused = true;
        continue;
      }
      const text = await file.text();
      const run = readRun(file.name, text);
      if (run) this.#dropped.push(run);
      else this.#field.value = `${this.#field.value.trimEnd()}\n${text}`.trimStart();
    }
    if (this.#isBusy) this.#isAskedAgain = true;
    else this.#start();
  }

  #start() {
    if (this.#isBusy) return;
    const words = strings.teach;
    const { entries, left, unread } = readLinkTable(this.#field.value);
    const all = [...entries, ...this.#dropped].slice(0, MOST_LINKS);
    const extra = left + entries.length + this.#dropped.length - all.length;
    this.#list(all);
    const omitted = [
      this.#hasRefused ? words.tooLarge : '',
      extra ? words.tooMany(formatCount(extra), formatCount(MOST_LINKS)) : '',
      unread.length ? words.unread(formatCount(unread.length), someOf(unread)) : '',
    ];
    this.#omitted = omitted.filter(Boolean).join(' ');
    this.#hasRefused = false;
    this.#isBusy = all.length > 0;
    setText(this.#note, this.#isBusy ? this.#omitted : `${words.empty} ${this.#omitted}`.trim());
    if (this.#isBusy) this.#intents.check(all, Number(this.#limit.value) * 1000);
  }

  #clear() {
    if (this.#isBusy) return;
    this.#field.value = '';
    this.#dropped = [];
    this.#list([]);
    setText(this.#note, '');
  }

  /** Lists entries without a result. @param {Entry[]} entries */
  #list(entries) {
    this.#rows = entries.map(({ name, link }) => ({ name, link, finding: null }));
    this.#body.replaceChildren(...this.#rows.map((row, at) => this.#rowOf(row, at)));
    this.#table.hidden = this.#save.hidden = entries.length === 0;
  }

  /** @param {number} at @param {Finding} finding */
  show(at, finding) {
    const row = this.#rows[at];
    row.finding = finding;
    const [before, after] = [this.#body.children[at], this.#rowOf(row, at)];
    const hadFocus = before.contains(document.activeElement);
    before.replaceWith(after);
    if (hadFocus) after.querySelector('a')?.focus();
  }

  /** @param {number} at the link that is replayed @param {number} done of it, from 0 to 1 */
  progress(at, done) {
    const { length } = this.#rows;
    this.#busy.hidden = false;
    setAttribute(this.#run, 'aria-disabled', 'true');
    setAttribute(this.#bar, 'value', ((at + done) / Math.max(1, length)).toFixed(4));
    setText(this.#busyText, strings.teach.busy(formatCount(at + 1), formatCount(length)));
  }

  end() {
    const hadFocus = this.#busy.contains(document.activeElement);
    this.#busy.hidden = true;
    this.#run.removeAttribute('aria-disabled');
    if (hadFocus) this.#run.focus();
    this.#isBusy = false;
    if (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      this.#start();
      return;
    }
    const all = this.#rows.length;
    const of = (/** @type {string} */ verdict) =>
      this.#rows.filter(({ finding }) => finding?.verdict === verdict).length;
    const [ok, wrong] = [of('true'), of('false')];
    const rest = formatCount(all - ok - wrong);
    const done = strings.teach.done(formatCount(all), formatCount(ok), formatCount(wrong), rest);
    setText(this.#note, `${done} ${this.#omitted}`.trim());
  }

  /** @param {Row} row @param {number} at */
  #rowOf(row, at) {
    const [name, ...others] = this.#cellsOf(row, at);
    const link = h('td');
    // A saved run has no link.
    if (row.link) {
      const href = this.#intents.openLink(row.link);
      link.append(h('a', { href, target: '_blank', rel: 'noopener' }, strings.teach.open));
    }
    const verdict = row.finding?.verdict ?? 'waiting';
    const cells = [h('th', { scope: 'row' }, name), ...others.map((text) => h('td', {}, text))];
    return h('tr', { 'data-verdict': verdict }, ...cells, link);
  }

  /** The texts of a row, but the link. @param {Row} row @param {number} at @returns {string[]} */
  #cellsOf({ name, finding }, at) {
    const words = strings.teach;
    const shown = name || String(at + 1);
    if (!finding) return [shown, '', '', '', '', '', words.waiting, '', ''];
    const { state, proof, time, challenge } = finding;
    const locked = proof && words.locked(formatCount(proof.locked), formatCount(proof.cells));
    const moved = proof?.drift.moved ? `, ${words.moved(formatCount(proof.drift.moved))}` : '';
    return [
      shown,
      state ? sceneWords(state.scene).name : '',
      state
        ? `${strings.settings.rules[state.optimizer.rule]} ${state.optimizer.learningRate}`
        : '',
      proof ? formatCount(proof.step) : state ? formatCount(state.step) : '',
      locked ? locked + moved : '',
      proof ? formatNumber(proof.loss) : '',
      this.#verdictOf(finding, at),
      challenge ? challengeText(challenge) : '',
      (time / 1000).toFixed(1),
    ];
  }

  /** @param {Finding} finding @param {number} at */
  #verdictOf({ verdict, why, differences, proof }, at) {
    const words = strings.teach;
    const reasons = differences.map(({ part, claimed, found }) =>
      words.differs(words.parts[part], String(claimed).slice(0, 40), String(found)),
    );
    if (why) reasons.push(words.reasons[why.reason](why.detail.slice(0, 200)));
    const isTwin = (/** @type {Row} */ { finding }) => finding?.proof?.digest === proof?.digest;
    const twin = proof ? this.#rows.slice(0, at).findIndex(isTwin) : -1;
    if (twin >= 0) reasons.push(words.same(formatCount(twin + 1)));
    return [words.verdicts[verdict], reasons.join('; ')].filter(Boolean).join(': ');
  }

  #download() {
    const rows = this.#rows.map((row, at) => [...this.#cellsOf(row, at), row.link]);
    const csv = tableToCsv([Object.values(strings.teach.columns), ...rows]);
    download(new Blob([csv], { type: 'text/csv' }), 'gradlock-check.csv');
  }
}

/** @param {NonNullable<Finding['challenge']>} challenge */
function challengeText({ id, judgement }) {
  if (!judgement) return strings.teach.noChallenge;
  const { name } = challengeWords(id);
  const text = 'score' in judgement ? scoreText(id, judgement.score) : judgementText(id, judgement);
  return `${name}: ${text}`;
}
