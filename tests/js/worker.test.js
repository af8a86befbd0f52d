/* Tier: test. */
/* gradlock/worker in Node.js: a job ends on the bits of the same training without a worker, does
 * what the page asks for between two steps, and fails with the errors of the worker.
 * tests/engines/worker.test.js has the same in browsers. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { GradlockError, init, LockedElementError, OptionError } from 'gradlock';
import { loadModel, saveModel } from 'gradlock/formats';
import { keep, KeepError, list } from 'gradlock/keep';
import { layers } from 'gradlock/layers';
import { start, train, transfer, WorkerError } from 'gradlock/worker';
import { says } from './messages.js';
import { makeTasks } from './worker-tasks.js';

/** @typedef {import('gradlock/worker').Job} Job */

const home = mkdtempSync(join(tmpdir(), 'gradlock-worker-'));
after(() => rmSync(home, { recursive: true }));
let folders = 0;
const newFolder = () => join(home, String(folders++));

const makeHere = makeTasks({ init, layers, saveModel, loadModel });
const newWorker = (file = 'worker-node.js') => new Worker(new URL(file, import.meta.url));

/**
 * A job in a worker of its own, which ends with the test.
 * @param {any} context
 * @param {any} data
 * @param {any} [options]
 */
const begin = async (context, data, options) => {
  const worker = newWorker();
  context.after(() => worker.terminate());
  return start(worker, data, options);
};

const g = await init();
const x = g.random(1).normal([40, 4]).data();
const y = Float32Array.from({ length: 40 }, (_, i) => i % 3);
const NET = { kind: 'net', x, y, fit: { epochs: 5, batchSize: 8 } };

/**
 * The last state of the same training, here and without slices.
 * @param {any} data
 * @param {any} [found]
 */
const stateHere = async (data, found = null) => {
  const task = /** @type {any} */ (await makeHere(data, { found }));
  if (task.model) {
    // The file has the state of each callback, and a job has one of its own.
    await task.model.fit(task.x, task.y, { ...task.fit, callbacks: {} });
    return saveModel(task.model);
  }
  const { loss, optimizer, steps, batch, variables = loss.trainable } = task;
  if (!batch) optimizer.minimize(loss, { variables, steps });
  for (let step = 0; batch && step < steps; step++) {
    await batch(step);
    optimizer.minimize(loss, { variables });
  }
  return optimizer.toBytes({ variables, also: loss.runs === undefined ? [] : [loss] });
};

const TRAININGS = {
  'a loss with dropout, under Adam': { kind: 'noisy', steps: 3000 },
  'a loss with a batch for each step': { kind: 'batches', steps: 700 },
  'a loss whose batches are awaited': { kind: 'fetched', steps: 300 },
  'a loss that is a function': { kind: 'plain' },
  'a model with dropout and shuffling': NET,
};
for (const [what, data] of Object.entries(TRAININGS)) {
  test(`${what}: a job ends on the state of the same training without a worker, to the bit`, async (context) => {
    const job = await begin(context, data);
    const { state } = await job.result;
    assert.deepEqual(state, await stateHere(data));
  });
}

test('a second-order method ends where it does without a worker, and says why', async (context) => {
  const job = await begin(context, { kind: 'curve' });
  const curve = await job.result;
  const { loss, optimizer, steps } = /** @type {any} */ (
    await makeHere({ kind: 'curve' }, { found: null })
  );
  optimizer.minimize(loss, { steps });
  assert.deepEqual((await job.read('line')).values, loss.variables[0].data());
  assert.ok(curve.stopped === 'gradient' || curve.stopped === 'change', String(curve.stopped));
  assert.ok(curve.step < 50);
});

test('the result of a model has what fit gives', async (context) => {
  const { step, loss, stopped, history } = /** @type {any} */ (
    await (await begin(context, NET)).result
  );
  assert.deepEqual([step, loss, stopped], [25, history.loss[4], null]);
});

test('a locked element keeps its bits while the rest trains, until it is freed', async (context) => {
  const job = await begin(context, { kind: 'endless' }, { paused: true });
  const before = await job.read('w');
  assert.deepEqual(
    [...before.locks.keys()].filter((i) => before.locks[i]),
    [4, 5, 6, 7],
  );
  assert.equal(await job.lock('w', [[5, 3]]), 0);
  await job.resume();
  await stepsOf(job, 50);
  await job.pause();
  const held = await job.read('w');
  const moved = [...held.values.keys()].filter((i) => held.values[i] !== before.values[i]);
  assert.deepEqual(
    moved,
    [...held.locks.keys()].filter((i) => !held.locks[i]),
  );
  assert.equal(moved.length, 19);
  const at = await job.trainOnly('w', { rows: [1] });
  assert.ok(at >= 50, `before step ${at}`);
  assert.ok((await job.unlock('b', 'all')) === at);
  await job.resume();
  await stepsOf(job, at + 50);
  await job.stop();
  const last = await job.read('w');
  const free = [...last.values.keys()].filter((i) => last.values[i] !== held.values[i]);
  assert.deepEqual(free, [4, 5, 6, 7]);
});

/** Waits until a job has taken so many steps. @param {Job} job @param {number} steps */
const stepsOf = async (job, steps) => {
  for await (const { step } of job.progress) if (step >= steps) return;
};

test('progress comes by an iterator, which ends with training, and by events', async (context) => {
  const job = await begin(context, { kind: 'noisy', steps: 20_000 }, { paused: true });
  /** @type {number[]} */
  const heard = [];
  job.addEventListener('progress', (event) => {
    heard.push(event.detail.step);
  });
  let ends = 0;
  job.addEventListener('end', () => ends++);
  await job.resume();
  /** @type {any[]} */
  const seen = [];
  for await (const report of job.progress) seen.push(report);
  const steps = seen.map(({ step }) => step);
  assert.deepEqual(
    [...new Set(steps)].sort((a, b) => a - b),
    steps,
    'each once, in order',
  );
  assert.equal(steps.at(-1), 20_000);
  assert.equal(heard.at(-1), 20_000);
  assert.equal(ends, 1);
  const { loss, elapsed, timeLeft } = seen.at(-1);
  assert.equal(loss, (await job.result).loss);
  assert.ok(elapsed > 0);
  assert.equal(timeLeft, 0);
  for await (const { step } of job.progress) assert.equal(step, 20_000, 'the last, once more');
});

test('a pause holds training between two steps, and it goes on to the same bits', async (context) => {
  const data = { kind: 'noisy', steps: 5000 };
  const job = await begin(context, data, { paused: true });
  for (let i = 0; i < 5; i++) {
    await job.resume();
    await job.pause();
    const [one, other] = [await job.read('w'), await job.read('w')];
    assert.deepEqual(one, other);
  }
  await job.resume();
  assert.deepEqual((await job.result).state, await stateHere(data));
  await job.pause(); // after the end, which is no reason to wait
  const brief = await begin(context, { kind: 'endless' }, { paused: true });
  const paused = brief.pause();
  await brief.resume();
  await paused;
  const net = await begin(
    context,
    { ...NET, fit: { ...NET.fit, yieldEvery: 'batch' } },
    { paused: true },
  );
  await net.pause();
  await net.resume();
  assert.deepEqual((await net.result).state, await stateHere(NET));
});

test('stop ends training, also a paused one, and the result says so', async (context) => {
  const job = await begin(context, { kind: 'endless' });
  await stepsOf(job, 10);
  await job.stop();
  assert.equal((await job.result).stopped, 'stop');
  const { step, state } = await job.result;
  assert.deepEqual(state, await stateHere({ kind: 'noisy', steps: step }));
  const paused = await begin(context, { kind: 'endless' }, { paused: true });
  await paused.stop();
  assert.deepEqual([(await paused.result).stopped, (await paused.result).step], ['stop', 0]);
  const net = await begin(context, { ...NET, fit: { epochs: 1e6, batchSize: 8 } });
  await stepsOf(net, 10);
  await net.stop();
  assert.equal((await net.result).stopped, 'signal');
});

test('options are set between two steps: all of them, or none', async (context) => {
  const job = await begin(context, { kind: 'endless' }, { paused: true });
  await assert.rejects(job.set({ clipNorm: 1, learningRate: -1 }), (error) => {
    assert.ok(error instanceof OptionError && error instanceof GradlockError);
    assert.match(/** @type {Error} */ (error).message, /learningRate/);
    return true;
  });
  await job.set({ learningRate: 0 });
  const before = await job.read('w');
  await job.resume();
  await stepsOf(job, 20);
  await job.stop();
  assert.deepEqual((await job.read('w')).values, before.values);
});

test('pressure is the gradient at the locked elements, and the table of a model', async (context) => {
  const job = await begin(context, { kind: 'pair' }, { paused: true });
  await job.lock('x', { rows: [1] });
  assert.deepEqual(await job.pressure('x'), Float32Array.of(0, 0, -6, -8));
  const net = await begin(context, NET, { paused: true });
  await net.lock('base/kernel', 'all');
  const { rows, text } = await net.pressure({ by: 'weight' });
  assert.ok(rows.some((/** @type {any} */ { name, locked }) => name === 'base/kernel' && locked));
  assert.match(text, /base\/kernel/);
});

test('errors come over as what they are, with their causes', async (context) => {
  const job = await begin(context, { kind: 'calls' });
  assert.equal(await job.call('double', 4), 8);
  await assert.rejects(job.call('fail'), (/** @type {any} */ error) => {
    assert.ok(error instanceof LockedElementError && error instanceof GradlockError);
    assert.ok(error instanceof Error && !(error instanceof OptionError));
    assert.deepEqual([error.name, error.index, error.count], ['LockedElementError', [1], 1]);
    assert.equal(error.code, 'GLK_ERROR_LOCKED');
    assert.match(String(error.stack), /worker-tasks\.js/);
    return true;
  });
  await assert.rejects(job.call('native'), TypeError);
  await assert.rejects(job.call('cause'), (/** @type {any} */ error) => {
    assert.ok(error instanceof TypeError && error.cause instanceof RangeError);
    assert.deepEqual(
      [error.message, error.cause.message, error.cause.cause],
      ['outer', 'inner', 'text'],
    );
    return true;
  });
  assert.equal(await job.call('text').catch((error) => error), 'only text');
  await assert.rejects(job.call('unsendable'), { name: 'DataCloneError' });
  await assert.rejects(
    job.call('double', () => {}),
    { name: 'DataCloneError' },
  );
  await assert.rejects(job.assign('v', [1, 2]), { name: 'ShapeError' });
  assert.deepEqual(await job.assign('v', [1, 2, 4]), 0);
  assert.deepEqual((await job.read('v')).values, Float32Array.of(1, 2, 4));
});

test('a write to a locked element is refused, and changes nothing', async (context) => {
  const job = await begin(context, { kind: 'endless' }, { paused: true });
  const before = await job.read('w');
  const values = Float32Array.from(before.values, (value) => value + 1);
  await assert.rejects(job.assign('w', values), (/** @type {any} */ error) => {
    assert.ok(error instanceof LockedElementError);
    assert.deepEqual([error.index, error.count], [[1, 0], 4]);
    return true;
  });
  assert.deepEqual(await job.read('w'), before);
});

/** @type {[data: any, options: any, text: import('./messages.js').Text][]} */
const REFUSED = [
  [{ kind: 'nothing' }, {}, 'WorkerError: …must return { loss, optimizer }'],
  [{ kind: 'none' }, {}, 'WorkerError: '],
  [{ kind: 'loose' }, {}, 'WorkerError: …compile it, or give its variables'],
  [{ kind: 'refused' }, {}, 'OptionError: '],
  [{}, { evry: 3 }, "TypeError: …'evry'"],
  [{}, { every: 0.5 }, 'RangeError: …every'],
  [{ kind: 'pair' }, { keep: '' }, 'KeepError: …1 to 60 characters'],
  [{ kind: () => {} }, {}, 'DataCloneError: '],
];
test('start refuses what cannot be trained, options that are none, and what cannot be sent', async (context) => {
  for (const [data, options, text] of REFUSED) {
    await assert.rejects(begin(context, data, options), (/** @type {any} */ error) => {
      assert.ok(says(String(error), text), `${error}, expected ${text}`);
      if (error instanceof WorkerError) assert.equal(error.reason, 'task');
      return true;
    });
  }
});

test('start refuses what is no worker, and says of a worker that it cannot be loaded', async () => {
  for (const wrong of [null, 'worker.js', {}]) {
    await assert.rejects(start(/** @type {any} */ (wrong)), {
      name: 'TypeError',
      message: /Worker/,
    });
  }
  await assert.rejects(start(newWorker('no-such-file.js')), (/** @type {any} */ error) => {
    assert.ok(error instanceof WorkerError && error instanceof GradlockError);
    assert.equal(error.reason, 'load');
    assert.match(error.message, /no-such-file/);
    return true;
  });
  await assert.rejects(
    train(async () => ({ calls: {} })),
    { reason: 'task', message: /for workers/ },
  );
  await assert.rejects(train(/** @type {any} */ (null)), TypeError);
});

test('a name that no variable has, or several, is told with the names there are', async (context) => {
  const job = await begin(context, { kind: 'pair' }, { paused: true });
  const expected = {
    name: 'WorkerError',
    reason: 'name',
    message: /no variables 'y', it has 0: 'x'/,
  };
  await assert.rejects(job.lock('y', 'all'), expected);
  await assert.rejects(job.lock(1, 'all'), { reason: 'name', message: /no variables '1'/ });
  await assert.rejects(job.call('x'), { reason: 'name', message: /its calls: none/ });
  assert.throws(() => job.source('y'), expected);
});

test('the end of a worker is told to all that waits for it', async () => {
  for (const end of ['job', 'worker', 'exit']) {
    const worker = newWorker();
    const job = await start(worker, { kind: 'endless' }, { paused: true });
    const other = await start(worker, { kind: 'calls' });
    const ended = { name: 'WorkerError', reason: 'ended' };
    const iterated = assert.rejects(stepsOf(job, 1), ended);
    const result = assert.rejects(job.result, ended);
    if (end === 'job') job.terminate();
    else if (end === 'worker') await worker.terminate();
    else await assert.rejects(other.call('exit'), ended);
    await Promise.all([iterated, result]);
    await assert.rejects(other.call('double', 1), ended);
    await assert.rejects(start(worker, { kind: 'calls' }), ended);
    await assert.rejects(job.lock('w', 'all'), ended);
    await assert.rejects(job.resume(), ended);
  }
});

test('an error in mid-training ends the job, which says so and can still be read', async (context) => {
  const job = await begin(context, { kind: 'net', x, y, fit: { batchSize: 8, epochs: -1 } });
  await assert.rejects(job.result, { name: 'OptionError' });
  await assert.rejects(stepsOf(job, 1), { name: 'OptionError' });
  assert.equal((await job.read('head/bias')).values.length, 3);
});

test('several jobs of one worker know nothing of each other', async (context) => {
  const worker = newWorker();
  context.after(() => worker.terminate());
  const data = [{ kind: 'noisy', steps: 900 }, { kind: 'batches', steps: 300 }, NET];
  const jobs = await Promise.all(data.map((one) => start(worker, one)));
  const results = await Promise.all(jobs.map(({ result }) => result));
  for (const [i, one] of data.entries()) assert.deepEqual(results[i]?.state, await stateHere(one));
});

test('buffers change hands if that is asked for', async (context) => {
  const values = Float32Array.from(x);
  await begin(context, { ...NET, x: values }, { transfer: [values.buffer], paused: true });
  assert.equal(values.length, 0);
  const job = await begin(context, { kind: 'calls' });
  const bytes = new Float64Array(8);
  await assert.rejects(job.call('none', transfer(bytes, [bytes.buffer])));
  assert.equal(bytes.length, 0);
});

test('a grid shows a job live, and locks and sets its elements', async (context) => {
  const job = await begin(context, { kind: 'pair' }, { paused: true });
  const source = /** @type {any} */ (job.source('x'));
  assert.deepEqual([source.rows, source.cols, source.name], [2, 2, 'x']);
  assert.deepEqual([...source.values()], [0, 0, 0, 0]);
  const [version, locksVersion] = [source.version(), source.locksVersion()];
  source.setLocks([1], true);
  assert.deepEqual([...source.locks()], [0, 1, 0, 0], 'at once');
  assert.notEqual(source.locksVersion(), locksVersion);
  source.setValue(2, 7);
  assert.deepEqual((await job.read('x')).values, Float32Array.of(0, 0, 7, 0));
  assert.deepEqual([...source.values()], [0, 0, 7, 0]);
  assert.notEqual(source.version(), version);
  const refused = new Promise((resolve) => {
    job.addEventListener('refused', (event) => resolve(event.detail));
  });
  source.setValue(1, 3);
  assert.ok((await refused) instanceof LockedElementError);
  await job.resume();
  await job.result;
  assert.deepEqual([...source.values()], [1, 0, 3, 4]);
  assert.deepEqual([...source.locks()], [0, 1, 0, 0]);
});

const KILLS = Number(process.env.KILLS ?? 6);
/** @type {Record<string, { data: any, every: number, most: number }>} */
const KEPT = {
  'a loss': { data: { kind: 'noisy', steps: 400 }, every: 7, most: 300 },
  'a model': { data: { ...NET, fit: { epochs: 30, batchSize: 8 } }, every: 2, most: 100 },
};
for (const [what, { data, every, most }] of Object.entries(KEPT)) {
  test(`${what} that is kept ends on the same bits, however often its worker is ended`, async () => {
    const folder = newFolder();
    const draws = g.random(64);
    let from = 0;
    for (let i = 0; i < KILLS; i++) {
      const job = await start(newWorker(), data, { keep: { name: 'x', folder }, every });
      const { step = 0, epoch = step } = job.kept?.found ?? {};
      assert.ok(epoch >= from, 'it never goes back');
      from = epoch;
      const until = Math.floor(draws.uniform([]).item() * most);
      await Promise.race([stepsOf(job, until), job.result]);
      await job.pause();
      job.terminate();
      await assert.rejects(job.call('any'), { reason: 'ended' });
    }
    const job = await start(newWorker(), data, { keep: { name: 'x', folder }, every });
    const { state } = await job.result;
    assert.deepEqual(state, await stateHere(data));
    job.terminate();
    const again = await start(newWorker(), data, { keep: { name: 'x', folder } });
    assert.deepEqual((await again.result).state, state, 'what has ended is not trained again');
    again.terminate();
    assert.deepEqual(await list({ folder }), ['x']);
  });
}

/** @type {Record<string, { data: any, every?: number, expected: number[] }>} */
const SAVES = {
  'after so many steps': {
    data: { kind: 'noisy', steps: 110 },
    every: 25,
    expected: [25, 50, 75, 100, 110],
  },
  'after a second, if no steps are given': {
    data: { kind: 'ticking', steps: 250 }, // of 10 ms
    expected: [100, 200, 250],
  },
};
for (const [what, { data, every, expected }] of Object.entries(SAVES)) {
  test(`a save is due ${what}, and the job says what was saved`, async (context) => {
    const keep = { name: 'x', folder: newFolder() };
    const job = await begin(context, data, { keep, every, paused: true });
    /** @type {(number | undefined)[]} */
    const saves = [];
    job.addEventListener('keep', () => saves.push(job.kept?.last?.step));
    await job.resume();
    await job.result;
    assert.deepEqual(saves, expected);
    const last = { step: expected.at(-1) };
    assert.deepEqual(job.kept, { found: null, last, isWriter: true, error: null });
  });
}

test('training goes on where nothing can be kept, and the job says why', async (context) => {
  const data = { kind: 'noisy', steps: 50 };
  const keeping = { name: 'x', folder: '/dev/null/x' };
  const job = await begin(context, data, { keep: keeping, every: 20 });
  assert.deepEqual((await job.result).state, await stateHere(data));
  const error = /** @type {any} */ (job.kept?.error);
  assert.ok(error instanceof KeepError && error instanceof GradlockError, String(error));
  assert.equal(job.kept?.isWriter, false);
});

test('a state that was kept of another training is refused, and stays', async (context) => {
  const folder = newFolder();
  const run = await keep('x', { folder });
  await run.save(Uint8Array.of(1, 2, 3), { step: 3 });
  await run.close();
  const options = { keep: { name: 'x', folder } };
  await assert.rejects(begin(context, { kind: 'noisy' }, options), { name: 'FormatError' });
  const again = await keep('x', { folder });
  assert.deepEqual([again.found?.note, again.isWriter], [{ step: 3 }, true]);
});

test('a model is kept only if the task says how it is saved', async (context) => {
  const options = { keep: { name: 'x', folder: newFolder() } };
  const job = await begin(context, { ...NET, isSaved: false }, options);
  await assert.rejects(job.result, { reason: 'task', message: /save: \(\) => saveModel/ });
});

test('changes that the page made during a pause are saved at the end', async (context) => {
  const folder = newFolder();
  const options = { keep: { name: 'x', folder }, paused: true };
  const job = await begin(context, { kind: 'endless' }, options);
  await job.resume();
  await stepsOf(job, 100);
  await job.pause();
  await job.lock('w', [[5, 3]]);
  await job.stop();
  job.terminate();
  const again = await begin(context, { kind: 'endless' }, options);
  assert.equal((await again.read('w')).locks[23], 1);
});

test('messages of the user’s own are not taken for the library’s, on either side', async (context) => {
  const worker = newWorker();
  context.after(() => worker.terminate());
  for (const message of [null, undefined, 0, 'hello', { gradlock: 1 }]) worker.postMessage(message);
  const job = await start(worker, { kind: 'calls' });
  for (const message of [null, undefined, 'start']) worker.postMessage(message);
  assert.equal(await job.call('double', 2), 4);
});

test('an error that nothing caught in a worker of Node.js is the cause of its end', async (context) => {
  const job = await begin(context, { kind: 'calls' });
  void job.call('crash').catch(() => {});
  await assert.rejects(job.call('wait'), (/** @type {any} */ error) => {
    assert.ok(error instanceof WorkerError);
    const cause = /** @type {Error} */ (error.cause);
    assert.deepEqual([error.reason, cause.message], ['ended', 'nobody catches this']);
    return true;
  });
});

test('a kept job goes on after a pause at whose end a save is due', async (context) => {
  const data = { kind: 'jumping', steps: 500 };
  const options = { keep: { name: 'x', folder: newFolder() }, paused: true };
  const job = await begin(context, data, options);
  await job.call('jump');
  await job.resume();
  assert.deepEqual((await job.result).state, await stateHere({ kind: 'noisy', steps: 500 }));
});

test('a worker of Node.js takes many jobs without a warning, and one without train() is told', async (context) => {
  const warned = context.mock.method(process, 'emitWarning', () => {});
  const worker = newWorker();
  context.after(() => worker.terminate());
  for (let i = 0; i < 12; i++) await start(worker, { kind: 'calls' });
  assert.equal(warned.mock.callCount(), 0);
  const silent = new Worker('', { eval: true });
  await assert.rejects(start(silent), { reason: 'load', message: /ended without train/ });
});

for (const [what, data] of Object.entries({ loss: { kind: 'noisy', steps: 5 }, model: NET })) {
  test(`a ${what} takes as many steps a second as its pace allows, which changes no bit`, async (context) => {
    const job = await begin(context, data, { pace: 0.001 }); // a step in a thousand seconds
    await stepsOf(job, 1);
    for (let i = 0; i < 3; i++) {
      assert.equal(await job.lock(0, []), 1, 'the second step is far away');
    }
    assert.equal(await job.pace(Number.POSITIVE_INFINITY), 1);
    assert.deepEqual((await job.result).state, await stateHere(data));
  });
}

test('a job at a low pace stops and pauses at once', async (context) => {
  const job = await begin(context, { kind: 'endless' }, { pace: 0.001 });
  await stepsOf(job, 1);
  await job.pause();
  await job.resume();
  await job.stop();
  assert.ok((await job.result).step <= 2);
});

test('a pace that is none, and unknown options of a task and of train, are refused by name', async (context) => {
  for (const pace of [0, -1, Number.NaN, '60', null]) {
    const job = begin(context, { kind: 'endless' }, { pace });
    await assert.rejects(job, /pace must be a number of steps a second above 0, got/);
  }
  const reason = /a task with a loss has no 'step': did you mean steps\?/;
  await assert.rejects(begin(context, { kind: 'misspelt' }), reason);
  await assert.rejects(
    train(/** @type {any} */ (() => {}), /** @type {any} */ ({ keeps: 1 })),
    /options have no 'keeps': did you mean keep\?/,
  );
});
