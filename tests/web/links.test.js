/**
 * Links and files: whatever people bring and do comes back to the bit, and damaged parts are left
 * out.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { scene as twoByTwo } from '../../web/scenes/two-by-two/scene.js';
import { toText } from '../../web/state/codec.js';
import { fromFile, toFile } from '../../web/state/file.js';
import { WRITE } from '../../web/state/history.js';
import { fromLink, toFields, toLink } from '../../web/state/link.js';
import { isOwn, readNumbers, readPixels } from '../../web/state/own.js';
import { firstState, openingState, validate } from '../../web/state/state.js';
import { randomOf, sceneOf } from './runs.js';

/** @typedef {import('../../web/state/history.js').Event} Event */
/** @typedef {import('../../web/state/own.js').Own} Own */

const scene = sceneOf('own');

/** Bits of a row. @param {Float32Array} values */
const bitsOf = (values) => [...new Uint32Array(values.slice().buffer)];

/** What programs for chat and mail do to a link's hash. @type {Record<string, (hash: string) => string>} */
const PROGRAMS = {
  link: (hash) => hash,
  escaped: (hash) => encodeURIComponent(hash).replace(/%3D/g, '=').replace(/%26/g, '&'),
  escapedWhole: encodeURIComponent,
  escapedTwice: (hash) => encodeURIComponent(encodeURIComponent(hash)),
  ampersands: (hash) => hash.replaceAll('&', '&amp;'),
  ended: (hash) => `${hash})”.`,
};

/** Through a link that a program has changed, and through a file. @param {import('../../web/state/state.js').State} state */
const ways = (state) => ({
  ...Object.fromEntries(
    Object.entries(PROGRAMS).map(([way, change]) => [way, fromLink(change(toLink(state)))]),
  ),
  file: fromFile(toFile(state))?.candidate,
});

/** @param {Own} own @param {string} what */
function assertKept(own, what) {
  assert.ok(isOwn(own), what);
  const size = { rows: own.rows, cols: own.cols, selected: 0 };
  const state = { ...openingState(scene), own, ...size };
  for (const [way, candidate] of Object.entries(ways(state))) {
    const { state: back, problems } = validate(candidate ?? {}, openingState(scene));
    assert.deepEqual(problems, [], `${what}, ${way}`);
    assert.ok(back.own, `${what}, ${way}`);
    assert.deepEqual([back.own.rows, back.own.cols], [own.rows, own.cols], `${what}, ${way}`);
    assert.deepEqual(bitsOf(back.own.values), bitsOf(own.values), `${what}, ${way}`);
    assert.deepEqual(namesOf(back.own), namesOf(own), `${what}, ${way}`);
  }
}

/** @param {Own} own */
const namesOf = ({ rowNames, colNames }) => [rowNames, colNames];

/** A table, and the names of its rows and its columns. */
const NAMED = /** @type {[string, string[] | undefined, string[] | undefined][]} */ ([
  ['1,2\n3,4', undefined, undefined],
  ['a,b\n1,2\n3,4', undefined, ['a', 'b']],
  ['x,1,2\ny,3,4', ['x', 'y'], undefined],
  ['who;a;b\nx;1;2\ny;3;4', ['x', 'y'], ['a', 'b']],
  [';2019;2020\nx;1;2\ny;3;4', ['x', 'y'], ['2019', '2020']],
  ['a b\nx 1 2\ny 3 4', ['x', 'y'], ['a', 'b']],
  ['a,,c\n1,2,3\n4,5,6', undefined, ['a', '2', 'c']],
  ['"a, b","1 °C"\n1,2\n3,4', undefined, ['a, b', '1 °C']],
  [`&=#%+~,ü🔒\t${'e'.repeat(99)}\n1\t2\n3\t4`, undefined, ['&=#%+~,ü🔒', 'e'.repeat(32)]],
  ['toString __proto__\n1 2\n3 4', undefined, ['toString', '__proto__']],
  ['Title\n1\t2\n3\t4', undefined, undefined],
]);

test('the names of a table come back as they were read, by link and by file', () => {
  for (const [text, rowNames, colNames] of NAMED) {
    const result = readNumbers(text);
    assert.ok('own' in result, `${text}: ${JSON.stringify(result)}`);
    assert.deepEqual(namesOf(result.own), [rowNames, colNames], text);
    assertKept(result.own, text);
  }
});

test('damaged names are dropped, and the numbers stay', () => {
  const result = readNumbers('a,b\n1,2\n3,4');
  assert.ok('own' in result);
  const [rows, cols] = [2, 2];
  const link = toLink({ ...openingState(scene), own: result.own, rows, cols, selected: 0 });
  for (const names of ['', '%', 'AAAA', toText(new TextEncoder().encode('null'))]) {
    const damaged = fromLink(link.replace(/names=[^&]*/, `names=${names}`));
    const { state, problems } = validate(damaged ?? {}, openingState(scene));
    assert.deepEqual(problems, [], names);
    assert.deepEqual(bitsOf(/** @type {Own} */ (state.own).values), bitsOf(result.own.values));
    assert.deepEqual(namesOf(/** @type {Own} */ (state.own)), [undefined, undefined]);
  }
  for (const colNames of [['a'], ['a', ''], ['a', 1], ['a', 'b'.repeat(33)], 'ab', {}])
    assert.ok(!isOwn({ ...result.own, colNames }), JSON.stringify(colNames));
});

test('300 random tables come back to the bit, those that no person would write too', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = randomOf(seed);
    const side = () => 2 + Math.floor(random() ** 3 * 60);
    const [rows, cols] = [side(), side()];
    const size = 10 ** Math.floor(random() * 8 - 4);
    const values = Float32Array.from({ length: rows * cols }, () => {
      const kind = random();
      if (kind < 0.05) return -0;
      if (kind < 0.1) return 2 ** -149;
      if (kind < 0.15) return 3.4028234663852886e38;
      if (kind < 0.2) return Number.NaN;
      return size * (2 * random() - 1);
    });
    assertKept({ rows, cols, values }, `seed ${seed}`);
  }
});

test('an image’s cells are its brightness, from black to white, however transparent it is', () => {
  const colours = [
    [0, 0, 0],
    [255, 255, 255],
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [9, 9, 9],
  ];
  const { values } = readPixels(
    Uint8ClampedArray.from(colours.flatMap((one) => [...one, 7])),
    3,
    2,
  );
  // The weights of Rec. 709.
  const greys = [0, 255, 54, 182, 18, 9];
  assert.deepEqual(
    [...values],
    greys.map((grey) => Math.fround(grey / 127.5 - 1)),
  );
});

test('a table whose base64 has an x in it was lost before, and its old link is read now', () => {
  const values = Float32Array.of(0.05, -0.5, 0.75, 0.25);
  // As the demo wrote it before it could read it.
  const text = '2x2xfzcxMPQAAAL8AAEA_AACAPg';
  const old = fromLink(`scene=own&own=${text}`);
  const { state, problems } = validate(old ?? {}, openingState(scene));
  assert.deepEqual(problems, []);
  assert.deepEqual(bitsOf(/** @type {Own} */ (state.own).values), bitsOf(values));
});

test('every edit comes back to the bit, by link and by file', () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = randomOf(seed);
    const value = () =>
      [-0, 1e21, -3.4e38, 2 ** -149, 1 / 3, 0, -1e-7, random()][Math.floor(8 * random())];
    /** @type {Event[]} */
    const kinds = [
      { step: 1, do: 'assign', index: 1, value: value() },
      { step: 1, do: 'hold', cells: [0, 2] },
      { step: 2, do: WRITE, values: [value(), value()] },
      { step: 2, do: 'release' },
      { step: 3, do: 'prune', fraction: random() || 0.5 },
      { step: 4, do: 'unprune' },
      { step: 4, do: 'locks', mask: Uint8Array.of(1, 2, 1) },
      { step: 4, do: 'switch', to: random() < 0.5 ? 'lock' : 'mask' },
    ];
    const settings = {
      rule: /** @type {const} */ ('adamW'),
      learningRate: 999_999 * random(),
      momentum: random(),
      weightDecay: random() * 1e-9,
    };
    kinds.push({ step: 5, do: 'optimizer', settings });
    const rival = { ...settings, rule: /** @type {const} */ ('nesterov') };
    const look = {
      logLoss: random() < 0.5,
      ...(random() < 0.5 && { beside: /** @type {const} */ ('rule'), rival }),
    };
    const state = {
      ...openingState(twoByTwo),
      ...look,
      events: kinds,
      step: 9,
      optimizer: settings,
    };
    for (const [way, candidate] of Object.entries(ways(state))) {
      const { state: back, problems } = validate(candidate ?? {}, openingState(twoByTwo));
      assert.deepEqual(problems, [], `seed ${seed}, ${way}`);
      // deepEqual of strict assert tells −0 from 0.
      assert.deepEqual(back, state, `seed ${seed}, ${way}`);
    }
  }
});

test('an edit that cannot be replayed is left out and counted, and the others stay', () => {
  const good = ['3a1,0.5', '5lAAQ', '7a2,-0', '9p0.5'];
  for (const bad of [
    '4a1,Infinity',
    '4a1,1e400',
    '4a99,1',
    '4q',
    '',
    '4a1,x',
    '4p7',
    '4p1',
    '4p0',
    '4a4,1',
    '10000001r',
    '4lAA',
    '2u',
  ]) {
    const log = [good[0], bad, ...good.slice(1)].join('~');
    const { state, problems } = validate(
      fromLink(`scene=two-by-two&log=${log}`) ?? {},
      openingState(twoByTwo),
    );
    const all = validate(
      fromLink(`scene=two-by-two&log=${good.join('~')}`) ?? {},
      openingState(twoByTwo),
    );
    assert.deepEqual(all.problems, []);
    assert.equal(all.state.events.length, good.length);
    assert.deepEqual(state.events, all.state.events, bad);
    assert.deepEqual(
      problems.map(({ field, left }) => [field, left]),
      [['events', 1]],
      bad,
    );
  }
});

test('a file’s exact state is ignored if any part of it is damaged, and the rest is read', () => {
  const state = openingState(twoByTwo);
  const mask = Uint8Array.of(0, 1, 1, 0);
  const values = Float32Array.of(1, -0, 3, Number.NaN);
  const saved = {
    step: 3,
    settings: state.optimizer,
    mask,
    bytes: new Uint8Array(40),
    held: null,
    since: null,
  };
  const checkpoint = {
    ...{ main: saved, rival: { ...saved, held: { values, mask } }, events: 1, dragged: [1, 2] },
    pruned: [{ cells: mask, main: values, rival: values }],
  };
  const text = toFile(state, checkpoint);
  assert.deepEqual(fromFile(text)?.checkpoint, checkpoint);
  const { candidate } = /** @type {NonNullable<ReturnType<typeof fromFile>>} */ (fromFile(text));
  let count = 0;
  /** Damages every text and number in turn. @param {any} file @param {any} part */
  const damage = (file, part) => {
    for (const [name, good] of Object.entries(part)) {
      if (name === 'settings') continue;
      if (typeof good === 'object' && good !== null) damage(file, good);
      const isText = typeof good === 'string';
      for (const bad of isText ? ['!', `${good}BBBB`] : typeof good === 'number' ? [-1, 0.5] : []) {
        if (name === 'bytes' && bad !== '!') continue; // The library reads these.
        part[name] = bad;
        const what = `${name}: ${bad}`;
        assert.deepEqual(fromFile(JSON.stringify(file)), { candidate, checkpoint: null }, what);
        count++;
      }
      part[name] = good;
    }
  };
  const file = JSON.parse(text);
  damage(file, file.checkpoint);
  assert.equal(count, 28);
  for (const [cells, isRead] of /** @type {const} */ ([
    [1024 ** 2, true],
    [1024 ** 2 + 1, false],
  ])) {
    const main = { ...saved, mask: new Uint8Array(cells) };
    const large = toFile(state, { ...checkpoint, main, rival: null, dragged: [], pruned: [] });
    assert.equal(fromFile(large)?.checkpoint !== null, isRead, `${cells} cells`);
  }
});

test('−0 in a field of a link or a file is 0, which leads to the same run', () => {
  const optimizer = { ...openingState(twoByTwo).optimizer, learningRate: 0 };
  const state = { ...openingState(twoByTwo), optimizer, seed: 0, speed: 0, step: 0 };
  const minus = { optimizer: { ...optimizer, learningRate: -0 }, seed: -0, speed: -0, step: -0 };
  const read = validate({ ...state, ...minus }, openingState(twoByTwo));
  assert.deepEqual(read, { state, problems: [] });
});

test('no scene calls a choice as links call a field', () => {
  for (const one of scenes) {
    const { choices, ...rest } = { ...openingState(one), beside: /** @type {const} */ ('rule') };
    const locks = Uint8Array.of(0, 1);
    const own = { rows: 2, cols: 2, values: new Float32Array(4), rowNames: ['a', 'b'] };
    const events = [{ step: 0, do: /** @type {const} */ ('unprune') }];
    const full = { ...rest, choices: {}, logLoss: false, locks, zeros: locks, own, events };
    const reserved = Object.keys(toFields(full));
    const clash = Object.keys(choices).filter((name) => [...reserved, 'checkpoint'].includes(name));
    assert.deepEqual(clash, [], one.id);
  }
});

test('choices come back whatever is in their names', () => {
  const state = openingState(scenes[0]);
  const choiceOf = (/** @type {any} */ candidate) => candidate?.choices.mark;
  const choices = { mark: 'a&b=c%26+ d#~,x' };
  assert.equal(choiceOf(fromLink(toLink({ ...state, choices }))), choices.mark);
  assert.equal(choiceOf(fromFile(toFile({ ...state, choices }))?.candidate), choices.mark);
});

test('a state that goes through a link comes back the same', () => {
  for (const scene of scenes) {
    const state = {
      ...openingState(scene),
      seed: 12345,
      step: 77,
    };
    const cells = cellsOf(layoutOf(scene, state));
    const maskOf = (/** @type {(i: number) => boolean} */ is) =>
      Uint8Array.from({ length: cells }, (_, i) => Number(is(i)));
    // Locks of none, all, the first, the last, every third cell; zeros in reverse order.
    const masks = [
      ...[null, maskOf(() => false), maskOf(() => true), maskOf((i) => i === 0)],
      ...[maskOf((i) => i === cells - 1), maskOf((i) => i % 3 === 1)],
    ];
    for (const [i, locks] of masks.entries()) {
      const whole = { ...state, locks, zeros: masks[masks.length - 1 - i] };
      const { state: back, problems } = validate(fromLink(toLink(whole)) ?? {}, firstState());
      assert.deepEqual(problems, []);
      assert.deepEqual(back, whole);
    }
  }
});

test('Digits opens with an image locked, and older links of it with none', () => {
  const opening = openingState(sceneOf('digits'));
  for (const shown of [firstState(), opening]) {
    const locksOf = (/** @type {string} */ link) =>
      validate(fromLink(link) ?? {}, shown).state.locks;
    assert.deepEqual(locksOf('scene=digits'), opening.locks);
    assert.deepEqual(locksOf(toLink(opening)), opening.locks);
    assert.equal(locksOf(toLink({ ...opening, locks: null })), null);
  }
});
