/* Tier: test. */
/* The examples in the documentation of methods, which editors and the reference show: each
 * method has one, and what it shows is what comes out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import * as formats from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { findWrong, format, readExamples } from './doc-examples.js';

const examples = await readExamples(fileURLToPath(new URL('../../', import.meta.url)));

/**
 * Methods of an object's own class and, of an instance, of the ops.
 * @param {any} object
 * @param {string} name
 */
const methodsOf = (object, name) => {
  const found = new Set();
  const own = Object.getPrototypeOf(object);
  for (
    let level = name === 'g' ? Object.getPrototypeOf(own) : own;
    level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const method of Object.getOwnPropertyNames(level)) {
      if (method !== 'constructor') found.add(`${name}.${method}`);
    }
  }
  return [...found];
};

test('every op, loss, initializer, schedule and optimizer has an example, which shows what it gives', async () => {
  const g = await init();
  const methods = [
    ...methodsOf(g, 'g'),
    .../** @type {const} */ (['losses', 'initializers', 'schedules', 'optimizers']).flatMap(
      (name) => methodsOf(g[name], `g.${name}`),
    ),
  ];
  assert.ok(methods.length > 140, `only ${methods.length} methods were found`);
  const shown = examples.filter(({ lines }) => lines.some((line) => line.shown !== undefined));
  const without = methods.filter((name) => !shown.some(({ method }) => method === name));
  assert.deepEqual(without, [], 'no @example in build/types, which `make build` makes anew');
  const alien = shown.filter(
    ({ method, lines }) =>
      /^(g|nn)\.(?!disposeKey)/.test(method) &&
      !lines.some(({ code }) => code.includes(`${method}(`)),
  );
  assert.deepEqual(
    alien.map(({ method }) => method),
    [],
    'these examples call something else',
  );
});

test('every method that makes layers or models has an example, under one of its names', async () => {
  /** @type {any} */
  const nn = layers(await init());
  const shown = new Set(
    examples
      .filter(({ method, lines }) => lines.some(({ code }) => code.includes(`${method}(`)))
      .map(({ method }) => method),
  );
  /** What a method makes, by what it says of an option that nothing has. @param {string} name */
  const classOf = (name) => {
    try {
      nn[name]({ noSuchOption: 1 });
    } catch (error) {
      return String(error).match(/(\w+) has no option/)?.[1] ?? name;
    }
    return name;
  };
  const names = [
    ...Object.keys(nn),
    ...Object.getOwnPropertyNames(Object.getPrototypeOf(nn)),
  ].filter((name) => !['constructor', 'callbacks', 'Layer'].includes(name));
  assert.ok(names.length > 60, `only ${names.length} methods were found`);
  const covered = new Set(names.filter((name) => shown.has(`nn.${name}`)).map(classOf));
  assert.deepEqual(
    names.filter((name) => !covered.has(classOf(name))),
    [],
  );
});

test('comments of an example show what the line gives, to the last digit of an f32', async () => {
  assert.deepEqual(
    await findWrong(examples, /** @type {any} */ (init), /** @type {any} */ (layers), formats),
    [],
  );
});

test('numbers are shown with as many digits as tell them from the f32 beside them', () => {
  assert.equal(format([0.1, Math.fround(0.1), 1 / 3, -0]), '[0.1, 0.1, 0.33333333, -0]');
  assert.equal(format([Number.NaN, [1e-7, 'text']]), "[NaN, [1e-7, 'text']]");
  const next = new Float32Array(new Uint32Array([0x3dcccccf]).buffer)[0];
  assert.equal(format(next), '0.10000002');
});
