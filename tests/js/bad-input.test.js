/* Bad values, shapes and places, wherever values, shapes and places are taken: the typed error, and
 * nothing changed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DisposedError,
  HandleError,
  IndexError,
  init,
  LockedElementError,
  OutOfMemoryError,
  ShapeError,
} from 'gradlock';
import { initWithin, refuses, settle } from './support.js';

const cyclic = /** @type {any[]} */ ([]);
cyclic.push(cyclic);

/** @type {[what: string, values: any, kind: Function, message: RegExp][]} */
const BAD_VALUES = [
  ['nothing', undefined, TypeError, /values must be a tensor, a number, .* got undefined/],
  ['null', null, TypeError, /got null/],
  ['a text', '1', TypeError, /got "1"/],
  ['a boolean', true, TypeError, /got true/],
  ['a bigint', 1n, TypeError, /got 1n/],
  ['an object', { length: 4 }, TypeError, /got an object/],
  ['a DataView', new DataView(new ArrayBuffer(16)), TypeError, /got a DataView/],
  ['an ArrayBuffer', new ArrayBuffer(16), TypeError, /got an ArrayBuffer/],
  ['a promise', Promise.resolve([1, 2]), TypeError, /got a Promise/],
  [
    'a BigInt64Array',
    new BigInt64Array(4),
    TypeError,
    /must hold numbers, got a BigInt64Array of length 4/,
  ],
  [
    'a text among numbers',
    [
      [1, 2],
      [3, '4'],
    ],
    TypeError,
    /values\[1\]\[1\] must be a number, got "4"/,
  ],
  [
    'a hole among numbers',
    [
      [1, 2],
      [3, undefined],
    ],
    TypeError,
    /values\[1\]\[1\] must be a number, got undefined/,
  ],
  ['a text among rows', [[1, 2], '34'], TypeError, /values\[1\] must be an array, got "34"/],
  [
    'a short row',
    [[1, 2], [3]],
    ShapeError,
    /values\[1\] has length 1, but values\[0\] has length 2/,
  ],
  [
    'a number among rows',
    [[1, 2], 3],
    ShapeError,
    /values\[1\] is 3 where its neighbours are arrays/,
  ],
  [
    'a row among numbers',
    [1, [2]],
    ShapeError,
    /values\[1\] is an array of length 1 where its neighbours are numbers/,
  ],
  [
    'a ragged depth',
    [
      [[1], [2]],
      [[3], [4, 5]],
    ],
    ShapeError,
    /values\[1\]\[1\] has length 2, but values\[0\]\[0\] has length 1/,
  ],
  ['too many axes', [[[[[[[[1]]]]]]]], ShapeError, /nested deeper than the highest rank, 7/],
  ['an array in itself', cyclic, ShapeError, /nested deeper/],
];

for (const [what, values, kind, message] of BAD_VALUES) {
  test(`${what} is no value for tensor, variable and assign`, async () => {
    const g = await init();
    settle(g);
    const x = g
      .variable(
        [
          [1, 2],
          [3, 4],
        ],
        { name: 'x' },
      )
      .lock([0]);
    refuses(g, [x], () => g.tensor(values), kind, message);
    refuses(g, [x], () => g.tensor(values, [2, 2]), kind, message);
    refuses(g, [x], () => g.variable(values), kind, message);
    refuses(g, [x], () => g.variable(values, { shape: [2, 2] }), kind, message);
    refuses(g, [x], () => x.assign(values), kind, message);
    refuses(g, [x], () => x.assign(values, { force: true }), kind, message);
  });
}

/** @type {[what: string, shape: any, kind: Function, message: RegExp][]} */
const BAD_SHAPES = [
  ['a number', 4, TypeError, /shape must be an array of sizes such as \[2, 3\], got 4/],
  ['a text', '4', TypeError, /got "4"/],
  ['null', null, TypeError, /got null/],
  ['a text as size', ['4'], TypeError, /shape\[0\] must be a number, got "4"/],
  ['a bigint as size', [4n], TypeError, /got 4n/],
  ['a NaN size', [Number.NaN], ShapeError, /shape\[0\] must be an integer from 0 .* got NaN/],
  ['a negative size', [2, -2], ShapeError, /shape\[1\] .* got -2/],
  ['a fractional size', [2.5], ShapeError, /got 2.5/],
  ['an infinite size', [Number.POSITIVE_INFINITY], ShapeError, /got Infinity/],
  ['a size of 2³²', [2 ** 32], ShapeError, /got 4294967296/],
  ['a size of 2³² + 4', [2 ** 32 + 4], ShapeError, /got 4294967300/],
  ['a product beyond 32 bits', [65536, 65536], ShapeError, /65536/],
  ['a product that wraps to 4', [2 ** 31, 2, 1, 4], ShapeError, /2147483648/],
  [
    'too many axes',
    [1, 1, 1, 1, 1, 1, 1, 4],
    ShapeError,
    /shape has 8 axes, the highest rank is 7/,
  ],
  ['another number of values', [2, 3], ShapeError, /\[2, ?3\]/],
  ['no axes', [], ShapeError, /\[\]/],
];

for (const [what, shape, kind, message] of BAD_SHAPES) {
  test(`${what} is no shape for 4 values`, async () => {
    const g = await init();
    settle(g);
    for (const values of [
      [1, 2, 3, 4],
      Float32Array.of(1, 2, 3, 4),
      [
        [1, 2],
        [3, 4],
      ],
    ]) {
      refuses(g, [], () => g.tensor(values, shape), kind, message);
      refuses(g, [], () => g.variable(values, { shape }), kind, message);
      if (!['no axes', 'another number of values'].includes(what)) {
        refuses(g, [], () => g.locks(shape, []), kind, message);
        refuses(g, [], () => g.reshape(values, shape), kind, /./);
      }
    }
  });
}

test('values that do not fit the variable are refused by assign', async () => {
  const g = await init();
  settle(g);
  const x = g.variable(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { name: 'x' },
  );
  for (const values of [
    7,
    [1, 2, 3],
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    new Float32Array(5),
    g.tensor([1]),
  ]) {
    refuses(
      g,
      [x],
      () => x.assign(values),
      ShapeError,
      /values: shape .* does not fit shape \[2, 3\] \(6 values\)/,
    );
  }
  assert.deepEqual(x.assign(Float32Array.of(6, 5, 4, 3, 2, 1)).array(), [
    [6, 5, 4],
    [3, 2, 1],
  ]);
  assert.deepEqual(x.assign([1, 2, 3, 4, 5, 6]).array(), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test('options that are misspelt or of another type are refused', async () => {
  const g = await init();
  settle(g);
  const x = /** @type {any} */ (g.variable([1, 2]));
  const any = /** @type {any} */ (g);
  refuses(
    g,
    [x],
    () => any.variable([1], null),
    TypeError,
    /variable options must be an object with shape, name, trainable, got null/,
  );
  refuses(g, [x], () => any.variable([1], [1]), TypeError, /got an array of length 1/);
  refuses(g, [x], () => any.variable([1], { train: false }), TypeError, /have no 'train'/);
  refuses(g, [x], () => any.variable([1], { name: 3 }), TypeError, /name must be a string, got 3/);
  refuses(
    g,
    [x],
    () => any.variable([1], { trainable: 1 }),
    TypeError,
    /trainable must be true or false, got 1/,
  );
  refuses(
    g,
    [x],
    () => x.assign([3, 4], true),
    TypeError,
    /assign options must be an object with force, got true/,
  );
  refuses(
    g,
    [x],
    () => x.assign([3, 4], { force: 1 }),
    TypeError,
    /force must be true or false, got 1/,
  );
  refuses(g, [x], () => any.tidy(3), TypeError, /tidy takes a function, got 3/);
});

/** @type {[what: string, index: any, kind: Function, message: RegExp][]} */
const BAD_INDICES = [
  ['nothing', undefined, TypeError, /index must be a number, got undefined/],
  ['a text', '0', TypeError, /got "0"/],
  [
    'a flat index too large',
    4,
    IndexError,
    /flat index 4 is out of range for shape \[2, 2\] of 4 elements/,
  ],
  ['a negative flat index too low', -99, IndexError, /flat index -99/],
  ['a fractional flat index', 0.5, IndexError, /got 0.5/],
  ['NaN', Number.NaN, IndexError, /got NaN/],
  ['2³²', 2 ** 32, IndexError, /4294967296/],
  [
    'an index out of range',
    [0, 2],
    IndexError,
    /index \[0, 2\] is out of range for shape \[2, 2\]/,
  ],
  ['a negative index too low', [-99, 0], IndexError, /\[-99, 0\]/],
  [
    'an index of another rank',
    [0],
    ShapeError,
    /index \[0\] has 1 entries, shape \[2, 2\] has 2 axes/,
  ],
  ['a text in an index', [0, '1'], TypeError, /index\[1\] must be a number, got "1"/],
];

for (const [what, index, kind, message] of BAD_INDICES) {
  test(`${what} is no place for fix and has`, async () => {
    const g = await init();
    settle(g);
    const x = g
      .variable([
        [1, 2],
        [3, 4],
      ])
      .lock([0]);
    refuses(g, [x], () => x.fix(index, 9), kind, message);
    refuses(g, [x], () => x.locks.has(index), kind, message);
  });
}

test('fix takes a number and nothing else', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2]);
  for (const value of ['1', null, undefined, 1n, [1], true]) {
    refuses(
      g,
      [x],
      () => x.fix(0, /** @type {any} */ (value)),
      TypeError,
      /value must be a number/,
    );
  }
});

test('getters that throw, dispose the variable or dispose everything change nothing', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2], { name: 'x' }).lock([1]);
  /** @param {() => unknown} effect */
  const trap = (effect) => {
    const values = [9, 2];
    Object.defineProperty(values, 0, { get: () => (effect() === undefined ? 9 : 0) });
    return values;
  };
  const fail = () => {
    throw new RangeError('enough');
  };
  refuses(g, [x], () => x.assign(trap(fail)), RangeError, /enough/);
  refuses(g, [x], () => x.lock(trap(fail)), RangeError, /enough/);
  refuses(g, [x], () => g.tensor(trap(fail)), RangeError, /enough/);
  const { objects } = g.memory();
  const y = g.variable([1, 2], { name: 'y' });
  assert.throws(() => y.assign(trap(() => y.dispose())), DisposedError);
  const z = g.variable([1, 2], { name: 'z' });
  assert.throws(
    () =>
      z.fix(
        trap(() => z.dispose()),
        1,
      ),
    ShapeError,
  );
  z.dispose();
  assert.equal(g.memory().objects, objects);
  const doomed = await init();
  const w = doomed.variable([1, 2]);
  assert.throws(() => w.assign(trap(() => doomed.dispose())), DisposedError);
  assert.throws(() => doomed.tensor(trap(() => undefined)), DisposedError);
});

test('an array that grows or shrinks while it is read is refused', async () => {
  const g = await init();
  const values = [
    [1, 2],
    [3, 4],
  ];
  Object.defineProperty(values[0], 1, { get: () => values[1].pop() });
  assert.throws(() => g.tensor(values), ShapeError);
  const growing = [1, 2];
  Object.defineProperty(growing, 0, { get: () => growing.push(5) });
  assert.throws(() => g.tensor(growing), ShapeError);
});

test('a locked element is guarded against every way to write', async () => {
  const g = await init();
  settle(g);
  const x = g.variable([1, 2], { name: 'x' }).lock([1]);
  for (const values of [[1, 3], Float32Array.of(1, 3), g.tensor([1, 3])]) {
    refuses(
      g,
      [x],
      () => x.assign(values),
      LockedElementError,
      /1 locked element of Variable 'x' \[2\], the first at \[1\]/,
    );
  }
});

test('long names, and names beyond ASCII, are kept whole', async () => {
  const g = await init();
  const name = 'größe🙂'.repeat(20);
  const x = g.variable([1], { name }).lock('all');
  assert.equal(x.name, name);
  assert.throws(
    () => x.assign([2]),
    (error) => error instanceof LockedElementError && error.message.includes(name),
  );
  assert.throws(() => g.valueAndGrad(() => g.add(1, 1), [x]), /größe🙂/);
});

test('running out of memory is OutOfMemoryError, changes nothing, and leaves everything usable', async () => {
  const g = await initWithin(512);
  settle(g);
  const side = 1024;
  const x = g.variable(new Float32Array(side * side), { shape: [side, side], name: 'x' });
  const adam = g.optimizers.adam();
  const big = new Float32Array(9 << 20);
  /** @type {(() => unknown)[]} */
  const calls = [
    () => g.tensor(big),
    () => g.variable(big),
    () => x.lock(new Uint8Array(x.size)).assign(big, { force: true }),
    () => g.tidy(() => Array.from({ length: 20 }, () => g.add(x, 1))),
    () =>
      g.compile(() => g.sum(g.exp(g.add(x, g.reshape(g.slice(x, 0, 16), [16, 1, side]))))).run(),
    () =>
      adam.minimize(() => g.sum(Array.from({ length: 20 }).reduce((y) => g.exp(y), g.mul(x, 0)))),
  ];
  const [tensor, variable, assign, tidy] = calls;
  for (const call of [tensor, variable, tidy]) {
    refuses(g, [x, adam], call, OutOfMemoryError, /./);
  }
  assert.throws(assign, ShapeError);
  for (const call of calls.slice(4)) {
    const { objects } = g.memory();
    assert.throws(
      call,
      (error) => error instanceof OutOfMemoryError && error.code === 'GLK_ERROR_OUT_OF_MEMORY',
      String(call),
    );
    assert.ok(g.memory().objects <= objects + 1);
  }
  adam.minimize(() => g.sum(g.square(g.sub(g.slice(x, [0, 0], [2, 2]), 1))));
  assert.ok(x.data()[0] > 0 && x.data()[2] === 0);
});

test('an error is an Error, a GradlockError, and has a name and a code that minifying does not change', async () => {
  const g = await init();
  const x = g.variable([1]).lock('all');
  const other = await init();
  /** @type {[() => unknown, string, string][]} */
  const cases = [
    [() => g.tensor([1], [2]), 'ShapeError', 'GLK_ERROR_SHAPE'],
    [() => x.fix(1, 1), 'IndexError', 'GLK_ERROR_INDEX'],
    [() => other.add(x, 1), 'HandleError', 'GLK_ERROR_HANDLE'],
    [() => x.assign([2]), 'LockedElementError', 'GLK_ERROR_LOCKED'],
    [
      () => g.compile(() => /** @type {any} */ (g.compile(() => x))),
      'RecordingError',
      'GLK_ERROR_RECORDING',
    ],
    [() => g.valueAndGrad(() => g.add(1, 1), [x]), 'GradientError', 'GLK_ERROR_GRADIENT'],
    [() => g.optimizers.sgd({ learningRate: -1 }), 'OptionError', 'GLK_ERROR_OPTION'],
  ];
  for (const [call, name, code] of cases) {
    assert.throws(call, { name, code });
    assert.throws(call, (error) => error instanceof Error && String(error).startsWith(`${name}: `));
  }
  assert.equal(Object.getPrototypeOf(DisposedError), HandleError);
});
