/* What errors say, one row a message: a call, the class of its error and its words. Ops and what
 * trains are in messages-ops.test.js, layers in messages-layers.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, HandleError, init } from 'gradlock';
import { assertMessages, named as byName } from './messages.js';
import { REFUSED } from './selection-table.js';
import { settle } from './support.js';

/** @typedef {import('./messages.js').Text} Text */

const g = await init();
const other = await init();
const square = [0, 1].map((i) => [2 * i + 1, 2 * i + 2]);
const x = g.variable(square, { name: 'x' }).lock([0]);
const named = g.variable([1, 2], { name: 'größe🙂'.repeat(20) }).lock([1]);
const gone = g.variable([1]);
gone.dispose();
settle(g);
const any = /** @type {any} */ (g);
const loose = /** @type {any} */ (x);

const cyclic = /** @type {any[]} */ ([]);
cyclic.push(cyclic);
const NAN = Number.NaN;
const buffer = new ArrayBuffer(16);

/** @type {[values: any, text: Text][]} */
const VALUES = [
  [undefined, 'TypeError: …values must be a tensor, a number, …got undefined'],
  [null, 'TypeError: …got null'],
  ['1', 'TypeError: …got "1"'],
  [true, 'TypeError: …got true'],
  [1n, 'TypeError: …got 1n'],
  [{ length: 4 }, 'TypeError: …got an object'],
  [new DataView(buffer), 'TypeError: …got a DataView'],
  [buffer, 'TypeError: …got an ArrayBuffer'],
  [Promise.resolve([1, 2]), 'TypeError: …got a Promise'],
  [new BigInt64Array(4), 'TypeError: …must hold numbers, got a BigInt64Array of length 4'],
  [[square[0], [3, '4']], 'TypeError: …values[1][1] must be a number, got "4"'],
  [[square[0], [3, undefined]], 'TypeError: …values[1][1] must be a number, got undefined'],
  [[square[0], '34'], 'TypeError: …values[1] must be an array, got "34"'],
  [[square[0], [3]], 'ShapeError: …values[1] has length 1, but values[0] has length 2'],
  [[square[0], 3], 'ShapeError: …values[1] is 3 where its neighbours are arrays'],
  [[1, [2]], 'ShapeError: …values[1] is an array of length 1 where its neighbours are numbers'],
  [[square, [[3], 4]], 'ShapeError: …values[1]'],
  [[[[[[[[[1]]]]]]]], 'ShapeError: …nested deeper than the highest rank, 7'],
  [cyclic, 'ShapeError: …nested deeper'],
];

/** @type {[shape: any, text: Text][]} */
const SHAPES = [
  [4, 'TypeError: …shape must be an array of sizes such as [2, 3], got 4'],
  ['4', 'TypeError: …got "4"'],
  [null, 'TypeError: …got null'],
  [['4'], 'TypeError: …shape[0] must be a number, got "4"'],
  [[4n], 'TypeError: …got 4n'],
  [[NAN], 'ShapeError: …shape[0] must be an integer from 0 …got NaN'],
  [[2, -2], 'ShapeError: …shape[1] …got -2'],
  [[2.5], 'ShapeError: …got 2.5'],
  [[Infinity], 'ShapeError: …got Infinity'],
  [[2 ** 32], 'ShapeError: …got 4294967296'],
  [[2 ** 32 + 4], 'ShapeError: …got 4294967300'],
  [[65536, 65536], 'ShapeError: …65536'],
  [[2 ** 31, 2, 1, 4], 'ShapeError: …2147483648'],
  [new Array(8).fill(1), 'ShapeError: …shape has 8 axes, the highest rank is 7'],
  [[2, 3], 'ShapeError: …[2, 3]'],
  [[], 'ShapeError: …[]'],
];

/** @type {[index: any, text: Text][]} */
const INDICES = [
  [undefined, 'TypeError: …index must be a number, got undefined'],
  ['0', 'TypeError: …got "0"'],
  [4, 'IndexError: …flat index 4 is out of range for shape [2, 2] of 4 elements'],
  [-99, 'IndexError: …flat index -99'],
  [0.5, 'IndexError: …got 0.5'],
  [NAN, 'IndexError: …got NaN'],
  [2 ** 32, 'IndexError: …4294967296'],
  [[0, 2], 'IndexError: …index [0, 2] is out of range for shape [2, 2]'],
  [[-99, 0], 'IndexError: …[-99, 0]'],
  [[0], 'ShapeError: …index [0] has 1 entries, shape [2, 2] has 2 axes'],
  [[0, '1'], 'TypeError: …index[1] must be a number, got "1"'],
];

/**
 * Rows of arguments, each for some calls.
 * @param {[any, Text][]} rows
 * @param {Record<string, (given: any) => unknown>} calls
 */
const each = (rows, calls) =>
  rows.flatMap(([given, text]) =>
    Object.entries(calls).map(
      ([name, call]) => /** @type {const} */ ([`${name} of ${text}`, () => call(given), text]),
    ),
  );

test('values that are none say where, and change nothing', () => {
  const calls = {
    tensor: (/** @type {any} */ values) => g.tensor(values),
    'tensor with a shape': (/** @type {any} */ values) => g.tensor(values, [2, 2]),
    variable: (/** @type {any} */ values) => g.variable(values, { shape: [2, 2] }),
    assign: (/** @type {any} */ values) => x.assign(values, { force: true }),
  };
  assertMessages(g, [x], each(VALUES, calls));
});

test('shapes that do not fit say which size, and change nothing', () => {
  const calls = {
    tensor: (/** @type {any} */ shape) => g.tensor([1, 2, 3, 4], shape),
    variable: (/** @type {any} */ shape) => g.variable(square, { shape }),
  };
  assertMessages(g, [x], each(SHAPES, calls));
  const ofLocks = (/** @type {any} */ shape) => g.locks(shape, []);
  assertMessages(g, [x], each(SHAPES.slice(0, -2), { locks: ofLocks }));
});

test('indices that are none say which, and change nothing', () => {
  const fix = (/** @type {any} */ index) => x.fix(index, 9);
  assertMessages(g, [x], each(INDICES, { fix, has: (index) => x.locks.has(index) }));
});

const SELECTED = [0, 1].map((i) => [0, 1, 2].map((k) => 3 * i + k - 2));
test('selections that are none say why, wherever one is taken, and change nothing', () => {
  const w = g.variable(SELECTED, { name: 'w' }).lock([0, 3]);
  const calls = {
    lock: (/** @type {any} */ selection) => w.lock(selection),
    trainOnly: (/** @type {any} */ selection) => w.trainOnly(selection),
    and: (/** @type {any} */ selection) => w.locks.and(selection),
  };
  assertMessages(g, [w], each(REFUSED, calls));
  const isOfPlaces = (/** @type {[any, Text]} */ [given]) =>
    given !== undefined && typeof given !== 'function';
  const ofPlaces = REFUSED.filter(isOfPlaces).filter(([given]) => !given?.topK && !given?.where);
  assertMessages(g, [w], each(ofPlaces, { locks: (given) => g.locks([2, 3], given) }));
  w.dispose();
});

const saved = g.locks([40], [3, 9]).toBytes();
const packed = Buffer.from(saved).toString('base64');
const wider = Buffer.from(g.locks([41]).toBytes()).toString('base64');
const v1 = { version: 1, shape: [40] };

/** Changed bytes and cuts: tests/c/test_lockset_bytes.c. @type {[saved: any, text: Text][]} */
const SAVED = [
  [saved.with(9, saved[9] ^ 1), 'FormatError: …lock set'],
  [saved.slice(0, -1), 'FormatError: …lock set'],
  [{ ...v1, packed: packed.slice(0, 8) }, 'FormatError: …lock set'],
  [{ ...v1, packed: wider }, 'FormatError: …another shape'],
  [null, 'TypeError: …got null'],
];

test('saved lock sets that are damaged or of another shape say so', () => {
  assertMessages(g, [x], each(SAVED, { locksFrom: (given) => g.locksFrom(given) }));
  const ofOther = { ...v1, packed };
  assertMessages(
    g,
    [x],
    each([[ofOther, 'ShapeError: …[40] does not fit']], { lock: (given) => x.lock(given) }),
  );
});

const half = { topK: { k: 1 } };
const ramp = (/** @type {any} */ k) => ({ lock: { topK: { k } } });

/** @type {[policy: any, text: Text][]} */
const POLICIES = [
  [undefined, 'TypeError: …policy'],
  ['topK', 'TypeError: …policy'],
  [{ every: 2 }, 'TypeError: …either lock or trainOnly'],
  [{ lock: half, trainOnly: half }, 'TypeError: …either'],
  [{ lock: half, evry: 2 }, "TypeError: …no 'evry'"],
  [{ lock: [0] }, 'TypeError: …selects by one of topK'],
  [{ lock: { ...half, where: { below: 1 } } }, 'TypeError: …topK,where'],
  [{ lock: half, every: 0 }, 'OptionError: …every must be an integer from 1'],
  [{ lock: half, every: '2' }, 'TypeError: …every must be a number'],
  [{ lock: half, step: 2 ** 32 }, 'OptionError: …step'],
  [ramp(9), 'OptionError: …k is 9'],
  [ramp({ from: 0, to: 9, steps: 2 }), 'OptionError: …k is 9'],
  [ramp({ from: 0, to: 1, steps: 0 }), 'OptionError: …k.steps'],
  [ramp({ from: 0, steps: 2 }), 'TypeError: …k.to must be a number'],
  [{ lock: { topK: { k: 1, by: 'gradient', gradient: 1 } } }, 'OptionError: …takes no gradient'],
  [{ lock: { random: { k: 1 } } }, 'TypeError: …seed'],
  [{ lock: { random: { k: 1, seed: g.random(1) } } }, 'TypeError: …'],
  [{ at: [], lock: [] }, 'OptionError: …at least one'],
  [{ at: 3, lock: ['all'] }, 'TypeError: …arrays of steps'],
  [{ at: [0, 1], lock: ['all'] }, 'OptionError: …2 steps and 1'],
  [{ at: [2, 1], lock: ['all', []] }, 'OptionError: …must ascend'],
  [{ at: [0], lock: [[9]] }, 'IndexError: …flat index 9'],
  [{ at: [0], lock: ['all'], every: 2 }, "TypeError: …no 'every'"],
];

test('policies that are none say why, and change nothing', () => {
  const v = g.variable(new Float32Array(8)).lock([1]);
  v.locks.holder('policy').lock([2]).clear(); // holders have their memory
  assertMessages(g, [v], each(POLICIES, { lockPolicy: (policy) => v.lockPolicy(policy) }));
  assert.deepEqual(v.locks.holders, []);
});

/** @type {[() => unknown, Text][]} */
const OPTIONS = [
  [
    () => any.variable([1], null),
    'TypeError: …variable options must be an object with shape, name',
  ],
  [() => any.variable([1], [1]), 'TypeError: …got an array of length 1'],
  [() => any.variable([1], { train: false }), "TypeError: …have no 'train'"],
  [() => any.variable([1], { name: 3 }), 'TypeError: …name must be a string, got 3'],
  [() => any.variable([1], { trainable: 1 }), 'TypeError: …trainable must be true or false, got 1'],
  [() => loose.assign(square, true), 'TypeError: …assign options must be an object'],
  [() => loose.assign(square, { force: 1 }), 'TypeError: …force must be true or false, got 1'],
  [() => any.tidy(3), 'TypeError: …tidy takes a function, got 3'],
  [() => x.assign(7), 'ShapeError: …values: shape …does not fit shape [2, 2] (4 values)'],
  [() => x.assign([1, 2, 3]), 'ShapeError: …values: shape …does not fit shape [2, 2] (4 values)'],
  [() => x.assign([[1, 2, 3, 4]]), 'ShapeError: …does not fit shape [2, 2] (4 values)'],
  [() => x.assign(new Float32Array(5)), 'ShapeError: …does not fit shape [2, 2] (4 values)'],
  [() => x.assign(g.tensor([1])), 'ShapeError: …does not fit shape [2, 2] (4 values)'],
  [() => loose.fix(0, '1'), 'TypeError: …value must be a number'],
  [() => loose.fix(0, [1]), 'TypeError: …value must be a number'],
  [() => x.fix([0, 1, 2], 2), 'ShapeError: …give a flat index or one index for each'],
  [
    () => x.assign([9, 2, 3, 4]),
    "LockedElementError: …1 locked element of Variable 'x' [2, 2], the",
  ],
  [() => named.assign([1, 3]), `LockedElementError: …${named.name}`],
  [() => g.valueAndGrad(() => g.add(1, 1), [named]), 'GradientError: …größe🙂größe'],
  [() => gone.data(), 'DisposedError: …Variable is gone'],
  [() => other.add(x, 1), 'HandleError: …another gradlock instance'],
  [() => g.add(Object.create(x), 1), 'TypeError: …expected a gradlock object itself'],
  [() => new Proxy(x, {}).shape, 'TypeError: …expected a gradlock object itself'],
  [() => x.lock(other.tensor(square)), 'HandleError: …another gradlock instance'],
  [() => x.lock({ mask: other.tensor(square) }), 'HandleError: …another'],
  [() => x.lock(x), 'TypeError: …zeros and ones only, entry 1 of the Variable'],
  [() => x.lock(named.locks), 'ShapeError: …the lock set of Variable …does not fit shape [2, 2]'],
  [() => g.locks([2, 2], (v) => v > 0), 'TypeError: …needs values'],
  [() => g.locks([2, 2], { topK: { k: 1 } }), 'TypeError: …needs values'],
  [() => named.lock({ cols: [0] }), 'ShapeError: …{ axis, indices }'],
  [() => x.locks.holder(''), 'OptionError: …name must have 1 to 63 bytes'],
  [() => x.locks.holder('€'.repeat(22)), 'OptionError: …name must have 1 to 63 bytes'],
  [() => x.locks.holder('a\0b'), 'OptionError: …name must have 1 to 63 bytes'],
  [() => loose.locks.holder(3), 'TypeError: …name must be a string'],
  [() => g.locks([3]).holder('a'), 'TypeError: …belongs to no variable'],
  [() => g.locks([3]).holders, 'TypeError: …no holders'],
  [() => g.locks([3]).onChange(() => {}), 'TypeError: …no listeners'],
  [() => g.compile(() => g.sum(x.lock([0]))), 'RecordingError: …'],
  [() => x.scatterNdUpdate([[3, 0]], [1]), 'IndexError: …scatterNdUpdate: indices[0,0] is 3'],
  [() => x.scatterNdUpdate([0], x), "GradlockError: …'x' would be read while it is written"],
  [() => loose.scatterNdUpdate([[0]]), 'TypeError: …updates must be …got undefined'],
  [() => loose.scatterNdUpdate('all', [1]), 'TypeError: …indices must be …got "all"'],
  [() => loose.scatterNdAdd([[0]], [1], { duplicates: 'last' }), "TypeError: …no 'duplicates'"],
  [() => g.compile(() => g.sum(x.scatterNdUpdate([[0, 0]], [1]))), 'RecordingError: …'],
  [() => any.choose(x, { topK: { k: 1 } }), 'TypeError: …takes an array'],
  [() => any.choose([x, [1]], { topK: { k: 1 } }), 'TypeError: …tensors[1] must be'],
  [() => any.choose([x], 'all'), 'TypeError: …one of topK, where and random'],
  [
    () => any.choose([x, named], { topK: { k: 9 } }),
    'OptionError: …0 to 6, the number of elements',
  ],
  [() => any.choose([named, x, x], { topK: { k: 1 } }), 'GradlockError: …tensors[2] is tensors[1]'],
  [() => any.locksFrom({ version: 2, shape: [4], indices: [] }), 'FormatError: …version 2'],
  [() => any.locksFrom({ version: '1', shape: [4], packed: '' }), 'FormatError: …version "1"'],
  [() => any.locksFrom({ version: 1, shape: [4], packed: '#' }), 'FormatError: …base64'],
  [
    () => any.locksFrom({ version: 1, shape: [4], packed: 3 }),
    'TypeError: …packed must be a string',
  ],
  [() => any.locksFrom({ version: 1, shape: [4.5], packed: '' }), 'ShapeError: …shape[0]'],
  [() => any.locksFrom({ version: 1, shape: [4] }), 'TypeError: …selection must be'],
  [() => any.locksFrom({}), 'TypeError: …locksFrom takes'],
  [() => any.locksFrom('GLKL'), 'TypeError: …got "GLKL"'],
];

test('options and objects that do not fit say which, and change nothing', () => {
  assertMessages(g, [x, named], byName(OPTIONS));
});

test('an error has a class, a name and a code that minifying does not change', () => {
  const code = 'GLK_ERROR_HANDLE';
  assert.throws(() => other.add(x, 1), { constructor: HandleError, name: 'HandleError', code });
  assert.equal(Object.getPrototypeOf(DisposedError), HandleError);
});
