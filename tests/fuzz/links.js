/* Links and saved runs of the demo that are damaged or made up: characters, fields and values of
 * JSON change at random. Whatever comes: a run that is sound, whose link leads to the same run, or
 * nothing; no reader throws. */
import assert from 'node:assert/strict';
import { findScene } from '../../web/scenes/index.js';
import { readGuessCodes } from '../../web/state/guess-code.js';
import { fromHandIn } from '../../web/state/hand-in.js';
import { fromFile, toFile } from '../../web/state/file.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { isOwn, readNumbers } from '../../web/state/own.js';
import { readPoints } from '../../web/state/points.js';
import { readLinkTable } from '../../web/state/link-table.js';
import { firstState, MAX_SIDE, validate } from '../../web/state/state.js';
import { oldLinks } from '../web/old-links.js';
import { drawer } from './draw.js';
import { changeJSON } from './json.js';

/** @typedef {(n: number) => number} Draw */

const FEW = 1024;
/** What stands where another text belongs. */
const ODD = ['', '-0', 'NaN', 'Infinity', '1e309', '9'.repeat(30), '2x', '%', '%00', '~', ',', 'i'];
ODD.push(
  '0.1234567',
  '3.4e38',
  '1e-45',
  '-1.5',
  '7',
  'toString',
  '__proto__',
  '1,2,3',
  '128x128xf',
  'AAAA',
  'é',
  '\ud800',
  '=',
  '&',
  '#',
  '"',
);

/** @param {Draw} draw @param {readonly string[]} list */
const oneOf = (draw, list) => String(list[draw(list.length)]);

/** A link, whose parts are fields, and those lists. @param {string} link @param {string} other @param {Draw} draw */
const changeLink = (link, other, draw) => {
  const separator = oneOf(draw, ['&', '&', '~', ',', '=', 'x']);
  const parts = link.split(separator);
  const at = draw(parts.length);
  const way = draw(6);
  if (way === 0) parts.splice(at, 1);
  else if (way === 1) parts.splice(at, 0, oneOf(draw, parts));
  else if (way === 2) parts[at] = oneOf(draw, other.split(separator));
  else if (way === 3) parts[at] = oneOf(draw, ODD);
  else if (way === 4) parts[at] = parts[at].slice(0, draw(parts[at].length + 1));
  else {
    const from = draw(parts[at].length + 1);
    const text = draw(3) ? String.fromCharCode(33 + draw(94)) : '';
    parts[at] = parts[at].slice(0, from) + text + parts[at].slice(from + draw(2));
  }
  return parts.join(separator);
};

/** A file with the exact state of its end. @param {string} link */
const fileOf = (link) => {
  const { state } = validate(fromLink(link) ?? {}, firstState());
  const cells = 4;
  const mask = Uint8Array.of(0, 1, 1, 0);
  const main = { step: 3, settings: state.optimizer, mask, bytes: new Uint8Array(40), held: null };
  const held = { values: new Float32Array(cells), mask };
  const pruned = [{ cells: mask, main: new Float32Array(cells), rival: null }];
  const checkpoint = { events: 1, main, rival: { ...main, held }, dragged: [1, 2], pruned };
  return toFile(state, /** @type {any} */ (checkpoint));
};

/** @param {Record<string, unknown> | null} candidate @param {string} what */
const assertSound = (candidate, what) => {
  const { state, problems } = validate(candidate ?? {}, firstState());
  const { scene, rows, cols, own } = state;
  assert.ok(findScene(scene), `${what}: a scene`);
  assert.ok(rows >= 1 && rows <= MAX_SIDE && cols >= 1 && cols <= MAX_SIDE, `${what}: a size`);
  assert.ok(own === null || own === undefined || isOwn(own), `${what}: own values`);
  const link = toLink(state);
  for (const again of [fromLink(link), fromFile(toFile(state))?.candidate]) {
    const back = validate(again ?? {}, firstState());
    assert.deepEqual(back.problems, [], `${what}: what was read is written without problems`);
    assert.deepEqual(back.state, state, `${what}: the link leads to the same run`);
  }
  return problems.length === 0;
};

export class LinkFuzzer {
  /** Texts that were read, and those that were read without a problem. */
  count = { texts: 0, whole: 0 };
  #links = Object.values(oldLinks).map(({ link }) => link);

  /** @param {number} seed */
  once(seed) {
    const draw = drawer(seed);
    let link = oneOf(draw, this.#links);
    for (let n = 1 + draw(3); n > 0; n--) link = changeLink(link, oneOf(draw, this.#links), draw);
    const isWhole = assertSound(fromLink(link), `link, seed ${seed}`);
    for (const read of [fromHandIn, readGuessCodes, readLinkTable, readNumbers, readPoints]) {
      read(`${link.slice(0, FEW)}\n#${link}`);
    }
    const text = JSON.stringify(changeJSON(JSON.parse(fileOf(oneOf(draw, this.#links))), draw));
    const cut = draw(8) ? text : text.slice(0, draw(text.length));
    const file = fromFile(cut);
    assertSound(file?.candidate ?? null, `file, seed ${seed}`);
    const { main } = file?.checkpoint ?? {};
    assert.ok(!main || main.mask.length <= MAX_SIDE ** 2, `file, seed ${seed}: cells`);
    this.count.texts += 2;
    this.count.whole += Number(isWhole);
  }
}
