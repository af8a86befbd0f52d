/* Tier: test. */
/* gradlock/keep in a folder: what is found, what is refused, and what happens to records that are
 * damaged, foreign or newer, and where nothing can be stored. tests/engines/keep.test.js has the
 * same in IndexedDB, keep-kill.test.js kills. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { GradlockError, init } from 'gradlock';
import { KeepError, keep, list, persist, remove } from 'gradlock/keep';
import { NAME, STEPS, train, UNKEPT } from './keep-training.js';
import { says } from './messages.js';

// Node.js has Web Locks from 24 on, and runs that are opened twice would not write. Those are for
// tests/engines/keep.test.js.
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });

const home = fs.mkdtempSync(join(tmpdir(), 'gradlock-keep-'));
after(() => fs.rmSync(home, { recursive: true }));
const g = await init();
let folders = 0;
const newFolder = () => join(home, String(folders++));

/** The file of a record of the run 'x'. @param {string} folder @param {number} slot */
const fileOf = (folder, slot) => join(folder, `x.${slot}.gradlock`);

/** Opens a run whose errors are heard. @param {string} folder @param {string} [name] */
const open = async (folder, name = 'x') => {
  /** @type {KeepError[]} */
  const heard = [];
  const run = await keep(name, { folder, onError: (error) => heard.push(error) });
  return { run, heard };
};

/** The platform's own error of the last save. @param {{ error: KeepError | null }} run */
const causeOf = ({ error }) => /** @type {NodeJS.ErrnoException | undefined} */ (error?.cause);

/** A folder in which 'x' was saved twice: record 0 has 1 and record 1 has 2. */
const savedTwice = async () => {
  const folder = newFolder();
  const { run } = await open(folder);
  assert.equal(await run.save(Uint8Array.of(1, 1, 1, 1, 1), { epoch: 1 }), true);
  assert.equal(await run.save(Uint8Array.of(2, 2, 2, 2, 2), { epoch: 2 }), true);
  return folder;
};

/**
 * The digest of a record as src/js/keep/record.js describes it, written anew: two words.
 * @param {Uint8Array} bytes
 */
const digestOf = (bytes) => {
  /** @type {number[]} */
  const words = [];
  for (let i = 0; i + 4 <= bytes.length; i += 4) words.push(Buffer.from(bytes).readUInt32LE(i));
  for (let i = words.length * 4; i < bytes.length; i++) words.push(Number(bytes[i]));
  const lane = (
    /** @type {number} */ begin,
    /** @type {bigint} */ factor,
    /** @type {bigint} */ by,
  ) =>
    words.reduce((sum, word) => {
      const product = ((sum ^ BigInt(word)) * factor) & 0xffffffffn;
      return ((product << by) | (product >> (32n - by))) & 0xffffffffn;
    }, BigInt(begin));
  return [lane(bytes.length, 0x85ebca6bn, 13n), lane(0x9e3779b9, 0xc2b2ae35n, 17n)].map(Number);
};

/**
 * Write a record whose version is another, and whose digest is right.
 * @param {string} file
 * @param {number} version
 */
const setVersion = (file, version) => {
  const bytes = fs.readFileSync(file);
  bytes.writeUInt32LE(version, 8);
  const end = bytes.length - 8;
  digestOf(bytes.subarray(8, end)).forEach((word, i) => {
    bytes.writeUInt32LE(word, end + 4 * i);
  });
  fs.writeFileSync(file, bytes);
};

test('the last save is found later, with its note and its number', async () => {
  const folder = newFolder();
  const { run } = await open(folder);
  assert.deepEqual([run.name, run.found, run.problems, run.error], ['x', null, [], null]);
  assert.equal(run.isWriter, true);
  for (const epoch of [1, 2, 3, 4, 5]) {
    assert.equal(await run.save(Uint8Array.of(epoch, 0, 255), { epoch, text: 'ü\ud800' }), true);
    const { found, problems } = (await open(folder)).run;
    assert.deepEqual(problems, []);
    assert.deepEqual(found, {
      sequence: epoch,
      note: { epoch, text: 'ü\ud800' },
      state: Uint8Array.of(epoch, 0, 255),
    });
  }
  assert.equal(run.found, null, 'it is what was found when the run was opened');
});

test('a training that stops and goes on ends on the digest of one that does not', async () => {
  const { digest } = await train(g, UNKEPT);
  for (const stop of [1, 7, 20, STEPS - 1]) {
    const folder = newFolder();
    const stopped = (/** @type {number} */ step) => {
      if (step === stop) throw new Error('stop');
    };
    await assert.rejects(train(g, (await open(folder, NAME)).run, { stepped: stopped }), /stop/);
    const ended = await train(g, (await open(folder, NAME)).run);
    assert.deepEqual(ended, { from: 4 * Math.floor((stop - 1) / 4), digest });
  }
});

test('saves take their turns, and bytes that change after the call change nothing', async () => {
  const folder = newFolder();
  const { run } = await open(folder);
  const bytes = new Uint8Array(3);
  const saves = [1, 2, 3, 4, 5].map((i) => run.save(bytes.fill(i), i));
  bytes.fill(9);
  assert.deepEqual(await Promise.all(saves), [true, true, true, true, true]);
  const { found } = (await open(folder)).run;
  assert.deepEqual(found, { sequence: 5, note: 5, state: Uint8Array.of(5, 5, 5) });
});

test('bytes may be a part of a buffer, or shared, or none', async () => {
  const folder = newFolder();
  const { run } = await open(folder);
  const shared = new Uint8Array(new SharedArrayBuffer(8)).fill(3).subarray(1, 4);
  for (const state of [Buffer.from('abc'), shared, new Uint8Array(0)]) {
    assert.equal(await run.save(state), true);
    const { found } = (await open(folder)).run;
    assert.deepEqual([...(found?.state ?? [])], [...state]);
    assert.deepEqual([found?.note, found?.state.constructor], [null, Uint8Array]);
  }
});

test('a record is laid out as its file says', async () => {
  const bytes = fs.readFileSync(fileOf(await savedTwice(), 1));
  const size = bytes.readUInt32LE(12);
  assert.equal(String(bytes.subarray(0, 8)), 'glk-keep');
  assert.equal(bytes.readUInt32LE(8), 1);
  assert.deepEqual(JSON.parse(String(bytes.subarray(16, 16 + size))), {
    name: 'x',
    sequence: 2,
    note: { epoch: 2 },
  });
  assert.deepEqual([...bytes.subarray(16 + size, -8)], [2, 2, 2, 2, 2]);
  const end = bytes.length - 8;
  const words = [bytes.readUInt32LE(end), bytes.readUInt32LE(end + 4)];
  assert.deepEqual(words, digestOf(bytes.subarray(8, end)));
});

test('a record with any byte damaged, or cut anywhere, gives way to the one before, and says so', async () => {
  const folder = await savedTwice();
  const whole = fs.readFileSync(fileOf(folder, 1));
  const draws = g.random(62);
  /** @type {[what: string, bytes: Uint8Array][]} */
  const damaged = [];
  for (let i = 0; i < whole.length; i++) {
    const flipped = Uint8Array.from(whole);
    const bit = Math.floor(draws.uniform([]).item() * 8);
    flipped[i] = Number(flipped[i]) ^ (1 << bit);
    damaged.push([`byte ${i}, bit ${bit}`, flipped], [`cut at ${i}`, whole.subarray(0, i)]);
  }
  damaged.push(['a byte more', Buffer.concat([whole, Buffer.of(0)])]);
  assert.ok(damaged.length > 100);
  for (const [what, bytes] of damaged) {
    fs.writeFileSync(fileOf(folder, 1), bytes);
    const { run, heard } = await open(folder);
    assert.deepEqual([run.found?.sequence, run.found?.note], [1, { epoch: 1 }], what);
    assert.equal(run.problems.length, 1, what);
    const [problem] = run.problems;
    assert.equal(problem?.reason, 'damaged', what);
    assert.match(
      String(problem),
      /^KeepError: record 1 of 'x' is damaged: .*; save 1 is used instead$/,
    );
    assert.deepEqual(heard, run.problems);
  }
  const { run } = await open(folder);
  assert.equal(await run.save(Uint8Array.of(3)), true, 'it is overwritten');
  const again = (await open(folder)).run;
  assert.deepEqual([again.found?.sequence, again.problems], [2, []]);
});

test('two damaged top bits do not cancel each other', async () => {
  const folder = newFolder();
  const { run } = await open(folder);
  await run.save(new Uint8Array(64));
  await run.save(new Uint8Array(64));
  const whole = fs.readFileSync(fileOf(folder, 1));
  for (const far of [4, 8, 16, 32]) {
    const flipped = Uint8Array.from(whole);
    for (const at of [27, 27 + far]) flipped[at] = Number(flipped[at]) ^ 0x80;
    fs.writeFileSync(fileOf(folder, 1), flipped);
    assert.equal((await open(folder)).run.problems[0]?.reason, 'damaged', `${far} bytes apart`);
  }
});

/** @type {[what: string, spoil: (file: string) => unknown, reason: string, message: RegExp][]} */
const SPARED = [
  ['of version 2', (file) => setVersion(file, 2), 'newer', /has version 2, .* update gradlock/],
  [
    'of another program',
    (file) => fs.writeFileSync(file, 'step,loss\n1,0.5\n'),
    'foreign',
    /was not written by gradlock\/keep/,
  ],
  [
    'of another run',
    (file) => fs.copyFileSync(file.replace('x.1', 'X.0'), file),
    'foreign',
    /belongs to the run 'X'/,
  ],
];

for (const [what, spoil, reason, message] of SPARED) {
  test(`a record ${what} gives way to the one before, and is never overwritten`, async () => {
    const folder = await savedTwice();
    await (await open(folder, 'X')).run.save(Uint8Array.of(7));
    const file = fileOf(folder, 1);
    spoil(file);
    const before = fs.readFileSync(file);
    const { run, heard } = await open(folder);
    assert.equal(run.found?.sequence, 1);
    assert.deepEqual([run.problems.map((one) => one.reason), run.isWriter], [[reason], false]);
    assert.match(String(run.problems[0]), message);
    assert.equal(await run.save(Uint8Array.of(3)), false);
    assert.equal(run.error?.reason, reason);
    assert.equal(heard.length, 2);
    assert.deepEqual(fs.readFileSync(file), before);
    await remove('x', { folder });
    const anew = (await open(folder)).run;
    assert.deepEqual([anew.found, await anew.save(Uint8Array.of(3))], [null, true]);
  });
}

test('records of which none is good are an error that changes nothing, until they are removed', async () => {
  for (const slots of [[0, 1], [1]]) {
    const folder = await savedTwice();
    if (slots.length === 1) fs.rmSync(fileOf(folder, 0));
    for (const slot of slots) fs.truncateSync(fileOf(folder, slot), 30);
    const before = fs.readdirSync(folder);
    await assert.rejects(open(folder), (error) => {
      assert.ok(error instanceof KeepError && error instanceof GradlockError);
      assert.deepEqual(
        [error.name, error.reason, error.code],
        ['KeepError', 'damaged', 'GLK_ERROR_KEEP'],
      );
      assert.match(error.message, /is damaged: .*remove\('x'\) begins anew/);
      return true;
    });
    assert.deepEqual(fs.readdirSync(folder), before);
    await remove('x', { folder });
    assert.equal((await open(folder)).run.found, null);
  }
});

test('no clock is asked: the higher number is newer, whatever dates files have', async (t) => {
  const folder = newFolder();
  t.mock.timers.enable({ apis: ['Date'], now: 2e12 });
  const { run } = await open(folder);
  await run.save(Uint8Array.of(1));
  t.mock.timers.setTime(0);
  await run.save(Uint8Array.of(2));
  fs.utimesSync(fileOf(folder, 0), 4e9, 4e9);
  fs.utimesSync(fileOf(folder, 1), 0, 0);
  assert.deepEqual([...((await open(folder)).run.found?.state ?? [])], [2]);
});

/** @param {string} code */
const failure = (code) => Object.assign(new Error(`${code}: of the disk`), { code });

/**
 * Lets a function of the file system fail.
 * @param {import('node:test').TestContext} t
 * @param {'open' | 'rename' | 'mkdir'} name
 * @param {string} code
 */
const fail = (t, name, code) =>
  t.mock.method(fs.promises, name, async () => Promise.reject(failure(code)));

/** @type {[code: string, name: 'open' | 'rename', reason: string, message: RegExp][]} */
const UNSAVED = [
  ['ENOSPC', 'open', 'full', /'x' was not saved: the storage is full: remove\(\) runs/],
  ['EDQUOT', 'rename', 'full', /the storage is full/],
  ['EROFS', 'open', 'blocked', /storage is not allowed here/],
  ['EACCES', 'rename', 'blocked', /storage is not allowed here/],
  ['EIO', 'open', 'failed', /'x' was not saved: EIO: of the disk/],
];

for (const [code, name, reason, message] of UNSAVED) {
  test(`${code} of ${name} is told, costs no record, and the next save tries again`, async (t) => {
    const folder = await savedTwice();
    const { run, heard } = await open(folder);
    const mock = fail(t, name, code);
    for (const _ of [1, 2]) assert.equal(await run.save(Uint8Array.of(3)), false);
    assert.deepEqual([run.error?.reason, heard.length], [reason, 2]);
    assert.match(String(run.error), message);
    assert.equal(causeOf(run)?.code, code);
    mock.mock.restore();
    assert.deepEqual(fs.readdirSync(folder), ['x.0.gradlock', 'x.1.gradlock']);
    assert.equal((await open(folder)).run.found?.sequence, 2);
    assert.deepEqual([await run.save(Uint8Array.of(5)), run.error], [true, null]);
    assert.deepEqual([...((await open(folder)).run.found?.state ?? [])], [5]);
  });
}

test('a disk that is really full, as /dev/full is, is told, and training ends as it would have', async () => {
  if (!fs.existsSync('/dev/full')) return; // Linux has it; the mocks above are for all systems.
  const folder = newFolder();
  const { run, heard } = await open(folder);
  for (const slot of [0, 1]) {
    fs.symlinkSync('/dev/full', `${fileOf(folder, slot)}.${process.pid}.tmp`);
  }
  const { digest } = await train(g, UNKEPT);
  assert.equal(await run.save(Uint8Array.of(1)), false);
  assert.equal(causeOf(run)?.code, 'ENOSPC');
  assert.equal(heard[0]?.reason, 'full');
  assert.equal((await train(g, run)).digest, digest);
});

test('a run says when it opens and at each save that nothing may be stored, and training goes on', async (t) => {
  const { digest } = await train(g, UNKEPT);
  const mock = fail(t, 'mkdir', 'EACCES');
  const { run, heard } = await open(newFolder());
  assert.deepEqual([run.problems.map(({ reason }) => reason), run.isWriter], [['blocked'], false]);
  assert.equal((await train(g, run)).digest, digest);
  assert.equal(heard.length, 11);
  mock.mock.restore();
  assert.equal(
    await run.save(Uint8Array.of(1)),
    false,
    'what it could not read it never overwrites',
  );
});

test('errors that nobody listens to are warnings on the console', async (t) => {
  const folder = await savedTwice();
  fs.truncateSync(fileOf(folder, 1), 30);
  const { mock } = t.mock.method(console, 'warn', () => {});
  await keep('x', { folder });
  const [call] = mock.calls;
  assert.equal(mock.callCount(), 1);
  assert.match(String(call?.arguments[0]), /^KeepError: record 1 of 'x' is damaged/);
});

test('list has every name once, sorted; remove takes its two records and leaves all else', async () => {
  const folder = newFolder();
  assert.deepEqual(await list({ folder }), []);
  await remove('nothing', { folder });
  const names = ['b.1', 'a', 'Ä/../*?"<>|:', '日本', 'b', '%41', 'x'.repeat(60)];
  for (const name of names) {
    const { run } = await open(folder, name);
    for (const _ of [1, 2]) assert.equal(await run.save(Uint8Array.of(1)), true);
  }
  const others = [
    'b.csv',
    'b.2.gradlock',
    'b.0.gradlock.bak',
    '%E0%A4%A.0.gradlock',
    'b.1.0.gradlock',
  ];
  for (const name of others) fs.writeFileSync(join(folder, name), 'mine');
  assert.deepEqual(await list({ folder }), [...names].sort());
  const count = fs.readdirSync(folder).length;
  assert.equal(count, 2 * names.length + others.length);
  await remove('b', { folder });
  assert.equal(fs.readdirSync(folder).length, count - 2);
  for (const name of others) assert.ok(fs.existsSync(join(folder, name)), name);
  assert.ok(!(await list({ folder })).includes('b'));
});

test('files left by killed writes go when their run is opened, and no other file does', async () => {
  const folder = await savedTwice();
  const left = ['x.0.gradlock.77.tmp', 'x.1.gradlock.8.tmp'];
  const others = ['y.0.gradlock.77.tmp', 'x.tmp', 'x.0.gradlock.tmp'];
  for (const name of [...left, ...others]) fs.writeFileSync(join(folder, name), '');
  await open(folder);
  for (const name of left) assert.ok(!fs.existsSync(join(folder, name)), name);
  for (const name of others) assert.ok(fs.existsSync(join(folder, name)), name);
});

test('close lets saves that had begun end, and nothing is saved after it', async () => {
  const folder = newFolder();
  const { run } = await open(folder);
  const save = run.save(Uint8Array.of(1));
  await run.close();
  assert.deepEqual([await save, run.isWriter], [true, false]);
  await assert.rejects(run.save(Uint8Array.of(2)), { name: 'KeepError', reason: 'closed' });
  assert.equal((await open(folder)).run.found?.sequence, 1);
});

test('persist is true where nothing evicts files', async () => {
  assert.equal(await persist(), true);
});

/** @type {any} */
const loose = { keep, list, remove };
const circle = /** @type {any} */ ({});
circle.circle = circle;

/** @type {[call: (run: any) => unknown, text: import('./messages.js').Text][]} */
const REFUSED = [
  [() => loose.keep(), 'TypeError: …must be a string, got …undefined'],
  [() => loose.keep(''), 'KeepError: …1 to 60 characters'],
  [() => loose.keep('x'.repeat(61)), 'KeepError: …1 to 60 characters'],
  [() => loose.remove('日'.repeat(30)), 'KeepError: '],
  [() => loose.keep('\ud800'), 'KeepError: '],
  [() => loose.keep('x', { foldr: 'y' }), "TypeError: …no 'foldr': did you mean folder"],
  [() => loose.keep('x', null), 'TypeError: …must be an object with folder'],
  [() => loose.list({ folder: 5 }), 'TypeError: …folder must be a string, got …number'],
  [() => loose.list({ folder: '' }), 'TypeError: '],
  [() => loose.keep('x', { wait: 1 }), 'TypeError: …wait must be a boolean'],
  [() => loose.keep('x', { onError: 'log' }), 'TypeError: …onError must be a function'],
  [() => loose.remove('x', { wait: true }), "TypeError: …no 'wait'"],
  [(run) => run.save({ version: 1 }), 'TypeError: …as a Uint8Array, such as optimizer.toBytes()'],
  [(run) => run.save(new ArrayBuffer(4)), 'TypeError: '],
  [(run) => run.save(new Uint8Array(1), () => {}), 'TypeError: …note must be JSON'],
  [(run) => run.save(new Uint8Array(1), circle), 'TypeError: '],
];

test('keep, list, remove and save refuse bad input and change nothing', async () => {
  const folder = await savedTwice();
  const { run } = await open(folder);
  const seen = () => [...fs.readdirSync('.'), ...fs.readdirSync(folder)];
  const before = seen();
  for (const [call, text] of REFUSED) {
    await assert.rejects(
      async () => call(run),
      (error) => says(String(error), text) || assert.fail(`${call}: ${error}, expected ${text}`),
    );
    assert.deepEqual(seen(), before, text);
    assert.equal((await open(folder)).run.found?.sequence, 2);
  }
  assert.equal(await run.save(Uint8Array.of(1)), true);
  assert.equal((await open(folder)).run.found?.sequence, 3);
});

test('a database in a realm without a navigator, as in Node.js 20, is used as it is', async (t) => {
  const { indexedDB, navigator } = globalThis;
  t.after(() => Object.assign(globalThis, { indexedDB }));
  t.after(() =>
    Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true }),
  );
  const refuse = () => {
    throw new DOMException('not here', 'SecurityError');
  };
  Object.assign(globalThis, { indexedDB: { open: refuse } });
  Object.defineProperty(globalThis, 'navigator', { value: undefined, configurable: true });
  const { run } = await open(newFolder());
  assert.deepEqual(
    run.problems.map(({ reason }) => reason),
    ['blocked'],
  );
});

test('a transaction that is aborted is told by its error, or by that of its last request', async (t) => {
  const { indexedDB } = globalThis;
  t.after(() => Object.assign(globalThis, { indexedDB }));
  const full = new DOMException('no room', 'QuotaExceededError');
  for (const [error, ofRequest] of [
    [full, null],
    [null, full],
  ]) {
    const request = { error: ofRequest };
    const records = { getAllKeys: () => request };
    const begin = () => {
      const transaction = { error, objectStore: () => records, onabort: () => {} };
      queueMicrotask(() => transaction.onabort());
      return transaction;
    };
    const open = () => {
      const opened = { result: { transaction: begin, close() {} }, onsuccess: () => {} };
      queueMicrotask(() => opened.onsuccess());
      return opened;
    };
    Object.assign(globalThis, { indexedDB: { open } });
    const { problems } = await keep('x');
    assert.deepEqual(
      problems.map(({ reason, cause }) => [reason, cause]),
      [['full', full]],
    );
  }
});
