/* Hostile values: what a careless or malicious caller may hand in wherever something is taken. Each is made anew. */

/** @typedef {import('./fixture.js').Fixture} Fixture */

/** What hostile code throws; it must come out as it went in. */
export class Mine extends Error {}
export const mine = new Mine('mine');

const fail = () => {
  throw mine;
};

/** A nested array that does something whenever it is looked at. @param {(key: PropertyKey) => void} act */
const acting = (act) =>
  new Proxy(
    [
      [1, 2],
      [3, 4],
    ],
    {
      get: (target, key, receiver) => {
        act(key);
        return Reflect.get(target, key, receiver);
      },
    },
  );

/** @param {(turn: number) => unknown} lengthOf */
const ofLength = (lengthOf) => {
  let turn = 0;
  return new Proxy([1, 2, 3, 4], {
    get: (target, key, receiver) =>
      key === 'length' ? lengthOf(turn++) : Reflect.get(target, key, receiver),
  });
};

/** @param {number} bytes @param {any} Kind */
const detached = (bytes, Kind) => {
  const array = new Kind(new ArrayBuffer(bytes));
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
};

/** @param {number} depth */
const nested = (depth) => {
  /** @type {unknown} */
  let value = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
};

/** @type {Record<string, (f: Fixture) => unknown>} */
export const HOSTILE = {
  undefined: () => undefined,
  null: () => null,
  NaN: () => Number.NaN,
  '-0': () => -0,
  '-1': () => -1,
  0.5: () => 0.5,
  '1e9': () => 1e9,
  '2^32': () => 2 ** 32,
  '2^53': () => 2 ** 53,
  Infinity: () => Number.POSITIVE_INFINITY,
  'a BigInt': () => 1n,
  true: () => true,
  'an empty text': () => '',
  'a text': () => 'x',
  'a text of a number': () => '1',
  __proto__: () => '__proto__',
  constructor: () => 'constructor',
  toString: () => 'toString',
  'a long text': () => 'x'.repeat(100_000),
  'a lone surrogate': () => '\ud800',
  'a symbol': () => Symbol('s'),
  'an object': () => ({}),
  'an object without prototype': () => Object.create(null),
  'an object that cannot be printed': () => ({ toString: 1, valueOf: null }),
  'an array': () => [],
  'a ragged array': () => [[1, 2], [3]],
  'an array in itself': () => {
    /** @type {unknown[]} */
    const list = [1];
    list[0] = list;
    return list;
  },
  'an object in itself': () => {
    /** @type {any} */
    const object = {};
    return Object.assign(object, { self: object, shape: object, variables: [object] });
  },
  'a sparse array': () => {
    const list = [];
    list[3] = 1;
    return list;
  },
  'an array that says it is long': () => {
    const list = [1];
    list.length = 2 ** 32 - 1;
    return list;
  },
  'a deep array': () => nested(5000),
  'a Date': () => new Date(0),
  'a pattern': () => /x/,
  'a Map': () => new Map([[0, 1]]),
  'a Set': () => new Set([0]),
  'a promise': () => Promise.resolve(1),
  'a boxed number': () => Object(1),
  'a boxed text': () => Object('all'),
  'a DataView': () => new DataView(new ArrayBuffer(8)),
  'an ArrayBuffer': () => new ArrayBuffer(8),
  'detached reals': () => detached(16, Float32Array),
  'detached bytes': () => detached(64, Uint8Array),
  'shared reals': () => new Float32Array(new SharedArrayBuffer(16)),
  'shared bytes': () => new Uint8Array(new SharedArrayBuffer(600)),
  'reals shrunk away': () => {
    const buffer = new /** @type {any} */ (ArrayBuffer)(16, { maxByteLength: 64 });
    const reals = new Float32Array(buffer, 8, 2);
    buffer.resize(4);
    return reals;
  },
  'reals that may grow': () =>
    new Float32Array(new /** @type {any} */ (ArrayBuffer)(16, { maxByteLength: 64 })),
  BigInt64Array: () => new BigInt64Array(4),
  'three bytes': () => new Uint8Array(3),
  'many bytes': () => new Uint8Array(5000).fill(71),
  'a list that throws': () => new Proxy([], { get: fail }),
  'an object that throws': () => new Proxy({}, { get: fail, ownKeys: fail, has: fail }),
  'options that throw': () => Object.defineProperty({}, 'shape', { get: fail, enumerable: true }),
  'a list that grows': () => ofLength((turn) => Math.min(2 + turn, 40)),
  'a list that shrinks': () => ofLength((turn) => Math.max(4 - turn, 0)),
  'a list of no length': () => ofLength((turn) => [4, Number.NaN, -1, 1e9, 2][turn % 5]),
  'a list that disposes the variable': (f) => acting(() => f.x.dispose()),
  'a list that locks': (f) => acting(() => f.x.lock('all')),
  'a list that assigns': (f) =>
    acting(() =>
      f.x.assign(
        [
          [9, 9],
          [9, 9],
        ],
        { force: true },
      ),
    ),
  'a list that records': (f) => acting(() => f.g.compile(() => f.g.sum(f.t)).dispose()),
  'a list that grows memory': (f) => acting(() => f.g.tensor(new Float32Array(1 << 16)).dispose()),
  'options that dispose': (f) => ({
    get shape() {
      f.x.dispose();
      return [2, 2];
    },
    get variables() {
      f.optimizer.dispose();
      f.program.dispose();
      return [f.x];
    },
    get steps() {
      f.program.dispose();
      return 1;
    },
    get rows() {
      f.x.dispose();
      return [0];
    },
    get also() {
      f.optimizer.dispose();
      return [];
    },
  }),
  'a number that disposes': (f) => ({
    [Symbol.toPrimitive]: () => {
      f.x.dispose();
      return 1;
    },
  }),
  'a function that throws': () => fail,
  'an async function': () => async () => 1,
  'an async function that throws': () => async () => fail(),
  'a generator function': () =>
    function* () {
      yield 1;
    },
  'a class': () => class {},
  'a function of nothing': () => () => {},
  'a function of NaN': () => () => Number.NaN,
  'a function of a throwing object': () => () => new Proxy({}, { get: fail }),
  'a function that recurses without end': () => {
    /** @returns {unknown} */
    const recurse = () => [recurse()];
    return recurse;
  },
  'a function that disposes the variable': (f) => () => {
    f.x.dispose();
    return f.g.sum(f.t);
  },
  'a function that disposes everything': (f) => () => {
    const sum = f.g.sum(f.g.square(f.x));
    for (const one of [f.x, f.optimizer, f.program]) one.dispose();
    return sum;
  },
  'a function that disposes its result': (f) => () => {
    const sum = f.g.sum(f.x);
    sum.dispose();
    return sum;
  },
  'a function of a dead tensor': (f) => () => f.deadTensor,
  'a function of a foreign tensor': (f) => () => f.foreignTensor,
  'a function that compiles': (f) => () => f.g.compile(() => f.g.sum(f.x)).run(),
  'a function that tapes': (f) => () => f.g.tape(() => f.g.sum(f.x)).value,
  'a function that trains': (f) => () => {
    f.optimizer.minimize(f.program, { variables: [f.x] });
    return f.g.sum(f.x);
  },
  'a function that locks': (f) => () => {
    f.x.lock('all');
    return f.g.sum(f.g.square(f.x));
  },
  'a function that assigns': (f) => () => {
    f.x.assign(
      [
        [0, 0],
        [0, 0],
      ],
      { force: true },
    );
    return f.g.sum(f.g.square(f.x));
  },
  'a function that restores a state': (f) => () => {
    f.optimizer.setState(f.optimizer.toBytes());
    return f.g.sum(f.x);
  },
  'a function that reads': (f) => () => {
    f.g.square(f.x).array();
    return f.g.sum(f.x);
  },
  'a function of many ops': (f) => () => {
    let sum = f.x;
    for (let i = 0; i < 300; i++) sum = f.g.add(sum, f.x);
    return f.g.sum(sum);
  },
  'the instance': (f) => f.g,
  'an optimizer': (f) => f.optimizer,
  'a solver': (f) => f.lbfgs,
  'a program': (f) => f.program,
  'a tape': (f) => f.tape,
  'a variable': (f) => f.x,
  'a tensor': (f) => f.t,
  'a lock set': (f) => f.locks,
  'a holder': (f) => f.drag,
  'a generator': (f) => f.generator,
  'a dead tensor': (f) => f.deadTensor,
  'a dead variable': (f) => f.deadVariable,
  'a dead program': (f) => f.deadProgram,
  'a foreign tensor': (f) => f.foreignTensor,
  'a foreign variable': (f) => f.foreignVariable,
  'an object made of a variable': (f) => Object.create(f.x),
  'a Proxy of a variable': (f) => new Proxy(f.x, {}),
  'a tensor without a handle': (f) => Object.create(Object.getPrototypeOf(f.t)),
  'a variable thrice': (f) => [f.x, f.x, f.x],
  'a list with a dead one': (f) => [f.deadTensor, f.x],
  'a list with a foreign one': (f) => [f.x, f.foreignVariable],
  'a list of NaN': () => [Number.NaN, Number.NaN],
  'a negative list': () => [-1, -2],
  'a large list': () => [2 ** 32, 2 ** 32],
  'a large shape': () => [65_536, 65_536],
  fractions: () => [0.5, 1.5],
  'a long list': () => new Array(100).fill(1),
  'a list of texts': () => ['0', '1'],
  'a mixed list': (f) => [
    [f.x, 1],
    [null, 'x'],
  ],
};
