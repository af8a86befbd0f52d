/* Tier: test. */
// What has no effect is an error: an argument too many, an unknown option, an unknown property, an
// async function that nothing waits for. Objects and arguments are those of the hostile calls.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as gradlock from 'gradlock';
import * as external from 'gradlock/external';
import * as fit from 'gradlock/fit';
import * as formats from 'gradlock/formats';
import * as grid from 'gradlock/grid';
import { keep, list, persist, remove } from 'gradlock/keep';
import { layers } from 'gradlock/layers';
import { start, train, transfer } from 'gradlock/worker';
import { BASES } from '../hostile/bases.js';
import { makeFixture, publicMethods, targetsOf } from '../hostile/fixture.js';
import { OF_FORMATS, OF_MODELS, open, trained, writeFiles } from '../hostile/layers-cases.js';

/** @typedef {any} Any */
/** @typedef {{ name: string, call: (...args: Any[]) => Any, args: Any[], most?: number }} Case */

/** Methods that take any number of arguments, and the one that JSON.stringify gives a key. */
const ANY_NUMBER =
  /^(g\.einsum|optimizer\.excludeFromWeightDecay|parameters\.(un)?lock|.*\.toJSON)$/;
/** Objects with names of the caller's, or with data. */
const OWN_NAMES =
  /^(run\.save|colour|levelOf|parameters\.set|fits\.parameters|.*\.setState|.*\.locksFrom|writeSafetensors)$/;

const g = await gradlock.init();
const other = await gradlock.init();
const nn = open(g);
const net = trained(nn);
const files = writeFiles(g);
const kept = await keep('arguments', { folder: mkdtempSync(join(tmpdir(), 'gradlock-')) });

/** The error of a call, of its promise too. @param {() => Any} call @returns {Promise<Any>} */
const errorOf = async (call) => {
  try {
    await call();
    return null;
  } catch (error) {
    return error;
  }
};

/** Every public method and exported function, with arguments that it takes. @returns {Case[]} */
const cases = () => {
  const f = makeFixture(g, other);
  const targets = /** @type {Record<string, Any>} */ (targetsOf(f));
  const found = publicMethods(f)
    .filter((name) => !name.endsWith('='))
    .map((name) => {
      const [target = '', key = ''] = name.split('.');
      const method = targets[target][key];
      const most = target === 'distributions' ? undefined : method.length;
      const call = (/** @type {Any[]} */ ...args) => targets[target][key](...args);
      return { name, call, args: BASES[name]?.(f) ?? [], most };
    });
  const layer = nn.dense({ units: 2 });
  const ofLayer = { apply: [[[1, 2]], {}], computeOutputShape: [[null, 2], {}] };
  const callbacks = nn.callbacks;
  const objects = /** @type {[string, Any, Record<string, Any[]>][]} */ ([
    [
      'net',
      net,
      Object.fromEntries(Object.entries(OF_MODELS).map(([k, args]) => [k, args(nn, net, files)])),
    ],
    ['layer', layer, ofLayer],
    [
      'callbacks',
      callbacks,
      {
        earlyStopping: [{}],
        reduceLROnPlateau: [{}],
        modelCheckpoint: [{ save: () => {} }],
        terminateOnNaN: [],
      },
    ],
    [
      'nn',
      nn,
      {
        dense: [{ units: 1 }],
        lstm: [{ units: 1 }],
        input: [{ shape: [1] }],
        sequential: [{ layers: [] }],
        lambda: [(/** @type {Any} */ x) => x, {}],
        modelFromJSON: [files.json, {}],
      },
    ],
  ]);
  for (const [target, object, args] of objects) {
    for (const [key, given] of Object.entries(args)) {
      if (typeof object[key] !== 'function') continue;
      found.push({
        name: `${target}.${key}`,
        call: (...all) => object[key](...all),
        args: given,
        most: object[key].length,
      });
    }
  }
  for (const [name, args] of Object.entries(OF_FORMATS)) {
    found.push({
      name,
      call: /** @type {Any} */ (formats)[name],
      args: args(nn, net, files),
      most: undefined,
    });
  }
  const bytes = formats.writeSafetensors({ w: g.tensor([1]) });
  const functions = /** @type {[string, Any, Any[]][]} */ ([
    ['init', gradlock.init, [{}]],
    ['init of gradlock/external', external.init, [{}]],
    ['layers', layers, [g, {}]],
    ['fitting', fit.fitting, [g]],
    ['readSafetensors', formats.readSafetensors, [bytes]],
    ['writeSafetensors', formats.writeSafetensors, [{}, {}]],
    ['pytorchMapping', formats.pytorchMapping, [net, ['0', '2']]],
    ['saveDelta', formats.saveDelta, [net, files.model, {}]],
    ['applyDelta', formats.applyDelta, [net, files.model, {}]],
    ['keep', keep, ['arguments', {}]],
    ['list', list, [{}]],
    ['remove', remove, ['arguments', {}]],
    ['persist', persist, []],
    ['start', start, [{ postMessage() {} }, null, {}]],
    ['train', train, [() => {}, {}]],
    ['transfer', transfer, [1, []]],
    [
      'run.save',
      (/** @type {Any[]} */ ...all) => /** @type {Any} */ (kept).save(...all),
      [new Uint8Array(1), {}],
    ],
    ['colour', grid.colour, [[1], 1, grid.makePalette(true), new Uint32Array(1)]],
    ['levelOf', grid.levelOf, [1, 1, { zero: 0 }]],
    ['makePalette', grid.makePalette, [true, 'diverging']],
    ['formatInput', grid.formatInput, [1]],
    ['formatNumber', grid.formatNumber, [1]],
    ['formatValue', grid.formatValue, [1, 2]],
    ['parseNumber', grid.parseNumber, ['1']],
    ['powerOfTen', grid.powerOfTen, [1]],
    ...['edit', 'refresh', 'restyle'].map((key) => [
      key,
      /** @type {Any} */ (grid.GradlockGrid.prototype)[key],
      [],
    ]),
  ]);
  for (const [name, call, args] of functions) found.push({ name, call, args, most: undefined });
  return found;
};

test('public functions and methods refuse an argument too many', async () => {
  const wrong = [];
  let count = 0;
  for (const { name, call, args, most = args.length } of cases()) {
    if (ANY_NUMBER.test(name)) continue;
    const given = [...args];
    while (given.length < most) given.push(undefined);
    const error = await errorOf(() => call(...given, 'too many'));
    count++;
    const says = new RegExp(`takes (at most )?${most || 'no'} arguments?, got`);
    const isSaid = error instanceof TypeError && says.test(error.message);
    if (!isSaid) wrong.push(`${name}: ${error}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 350, `${count} calls`);
});

test('options refuse a key that they do not have, and name the right one', async () => {
  const wrong = [];
  let count = 0;
  for (const { name, args } of cases()) {
    if (OWN_NAMES.test(name)) continue;
    for (const [position, given] of args.entries()) {
      const isOptions = given?.constructor === Object && typeof given.postMessage !== 'function';
      if (!isOptions) continue;
      // Made anew each time: what came before may have disposed what it is called on.
      const fresh = cases().find((one) => one.name === name);
      if (!fresh) continue;
      const changed = [...fresh.args];
      changed[position] = { ...changed[position], unknownKey: 1 };
      const error = await errorOf(() => fresh.call(...changed));
      count++;
      const isSaid = error instanceof Error && /unknownKey/.test(error.message);
      if (!isSaid) wrong.push(`${name}, argument ${position}: ${error}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 80, `${count} calls`);
});

test('objects refuse a property that they do not have, in sloppy code too, and say what to write', () => {
  const w = g.variable([[1, 2]], { name: 'w' });
  const adam = g.optimizers.adam();
  const layer = nn.dense({ units: 2, name: 'head' });
  const table = /** @type {[Any, string, RegExp][]} */ ([
    [w, 'requires_grad', /'w'.* has no property 'requires_grad': lock\('all'\) freezes it/],
    [w, 'data', /data of Variable 'w'.* cannot be set: assign\(values\) writes/],
    [w, 'shape', /shape of Variable 'w'.* cannot be set/],
    [w, 'colour', /'w'.* has no property 'colour'$/],
    [w, 'trainable', /lock\('all'\) freezes it/],
    [w.locks, 'count', /count of .* cannot be set/],
    [g.compile(() => g.sum(w)), 'steps', /has no property 'steps'/],
    [adam, 'lr', /has no property 'lr': did you mean learningRate\?/],
    [adam, 'betas', /did you mean beta1 and beta2\?/],
    [adam, 'minimize', /minimize of .* cannot be set/],
    [layer, 'requires_grad', /head \(Dense\) has no property 'requires_grad': trainable = false/],
    [layer, 'aktivation', /head \(Dense\) has no property 'aktivation'/],
    [net, 'stopTrainin', /has no property 'stopTrainin': did you mean stopTraining\?/],
    [net, 'lock', /lock of .* cannot be set/],
  ]);
  const sloppy = new Function('object', 'key', 'object[key] = 1');
  for (const [object, key, message] of table) {
    assert.throws(() => sloppy(object, key), { name: 'TypeError', message });
    assert.throws(() => Object.assign(object, { [key]: 1 }), { name: 'TypeError', message });
  }
  class Own extends nn.Layer {
    static className = 'Own';
  }
  assert.equal(
    Object.assign(new Own(), { mine: 1 }).mine,
    1,
    'classes of users may have their own',
  );
});

test('weights of a layer that is not built say so', () => {
  const layer = nn.dense({ units: 2 });
  assert.throws(() => layer.kernel.lock('all'), /has no kernel yet: give it an inputShape/);
  layer.ensureBuilt([null, 3]);
  assert.deepEqual(layer.kernel.shape, [3, 2]);
  const plain = nn.dense({ units: 2, useBias: false });
  plain.ensureBuilt([null, 3]);
  assert.equal(plain.bias, undefined);
});

test('async functions are refused where nothing waits for them', async () => {
  const w = g.variable([1, 2]);
  const later = /** @type {Any} */ (async () => g.sum(w));
  const hidden = () => Promise.resolve(false);
  const sgd = g.optimizers.sgd();
  const program = g.compile(() => g.sum(g.square(w)));
  const steps = (/** @type {Any} */ onStep) => sgd.minimize(program, { steps: 2, onStep });
  const before = w.digest();
  const table = /** @type {[string, () => Any, RegExp][]} */ ([
    ['onStep', () => steps(async () => false), /onStep must not be async/],
    ['compile', () => g.compile(later), /async/],
    ['tidy', () => g.tidy(later), /async/],
    ['tape', () => g.tape(later), /async/],
    ['a loss', () => sgd.minimize(later), /async|promise/i],
    ['grad', () => g.grad(later)([1]), /async|promise/i],
    ['a predicate', () => w.lock(later), /must return true or false/],
    ['a filter', () => net.lock(later), /a filter of weights must not be async/],
    ['a rate', () => g.optimizers.sgd({ learningRate: later }).minimize(program), /Promise/],
    ['print', () => net.summary({ print: async () => {} }), /print must not be async/],
    ['a lambda', () => nn.lambda(later).apply([[1]]), /Promise|tensor/],
    ['a custom gradient', () => g.customGrad(later)(w), /Promise|value/],
  ]);
  for (const [name, call, message] of table) {
    const error = await errorOf(() => call());
    assert.match(String(error), message, name);
  }
  assert.equal(w.digest(), before);
  assert.throws(() => steps(hidden), /onStep must not be async/);
});
