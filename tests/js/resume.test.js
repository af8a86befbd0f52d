/* Tier: test. Precisions: f32, f64. */
/* A training that is broken off after some epochs and goes on, in the same process or in another,
 * ends on the bits of one that never stopped: with random layers, states, schedules, callbacks and
 * locks between. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { saveModel } from 'gradlock/formats';
import { BROKEN_OFF, CASES, digestOf, EPOCHS, open } from './resume-cases.js';
import { STEADY } from './steady.js';

const folder = mkdtempSync(join(tmpdir(), 'gradlock-resume-'));
after(() => rmSync(folder, { recursive: true }));

/** Whole trainings, which save a model on the way. */
const whole = new Map();
for (const [i, [name, given]] of Object.entries(CASES).entries()) {
  const { nn, compile, fit } = await open(given, name);
  const net = given.build(nn);
  net.compile(compile);
  const checkpoint = nn.callbacks.modelCheckpoint({
    save(/** @type {any} */ model, /** @type {number} */ epoch) {
      if (epoch === BROKEN_OFF - 1) writeFileSync(`${folder}/${i}.safetensors`, saveModel(model));
    },
  });
  const { history } = await fit(net, 0, EPOCHS, [checkpoint]);
  whole.set(name, { digest: digestOf(net), history });
  const part = await open(given, name);
  const short = given.build(part.nn);
  short.compile(part.compile);
  await part.fit(short, 0, BROKEN_OFF);
  writeFileSync(`${folder}/${i}-ended.safetensors`, saveModel(short));
}

const script = fileURLToPath(new URL('./resume-run.js', import.meta.url));
const resumed = JSON.parse(
  execFileSync(process.execPath, [...process.execArgv, ...STEADY, script, folder], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }),
);

for (const [name, given] of Object.entries(CASES)) {
  for (const from of ['a checkpoint', 'a fit that ended']) {
    // Its end wrote the best weights back, as it should.
    if (/early/.test(name) && from !== 'a checkpoint') continue;
    test(`${name}: from ${from}, in another process, training goes on to the same bits`, () => {
      const { digest, history } = whole.get(name);
      const found = resumed[`${name} from ${from}`];
      assert.deepEqual(found.digest, digest);
      for (const [log, values] of Object.entries(history)) {
        assert.deepEqual(found.history[log], /** @type {any} */ (values).slice(BROKEN_OFF), log);
      }
    });
  }

  // What callbacks keep begins anew with every fit, as in Keras.
  if (/plateau|early/.test(name)) continue;
  test(`${name}: two fits end on the bits of one`, async () => {
    const { nn, compile, fit } = await open(given, name);
    const net = given.build(nn);
    net.compile(compile);
    await fit(net, 0, BROKEN_OFF);
    await fit(net, BROKEN_OFF, EPOCHS);
    assert.deepEqual(digestOf(net), whole.get(name).digest);
  });
}
