/* Files that are damaged or made up, for every reader of gradlock/formats: cut at every byte, every
 * bit turned, parts moved, headers and topologies changed by their structure. Whatever comes: a
 * typed error, and then nothing has changed and nothing is left; or a model that is sound. What
 * memory a call may take is limited, as a file may ask for much. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { GradlockError, init } from 'gradlock';
import {
  applyDelta,
  loadModel,
  loadWeights,
  readSafetensors,
  saveDelta,
  saveLayersModel,
  saveModel,
  writeSafetensors,
} from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import * as h5wasm from 'h5wasm';
import { drawer } from './draw.js';
import { changeJSON } from './json.js';

/** @typedef {import('gradlock/layers').BatchNormalization} BatchNormalization */
/** @typedef {import('gradlock/layers').Dense} Dense */

/** Most that WebAssembly's memory may come to. */
const MOST_BYTES = 512e6;

/** What the engine says of values that nobody checked. */
const UNCHECKED =
  /Cannot (read|set|convert|destructure|create|mix)|is not (a function|iterable|a constructor)|undefined|null \(reading|Invalid (typed array|array|string|count)|out of bounds|Maximum call stack/;

/** @param {string} name */
export const fixture = (name) =>
  new Uint8Array(readFileSync(new URL(`../golden/formats/${name}`, import.meta.url)));

/** @typedef {(n: number) => number} Draw */

/** A file of a header and bytes. @param {string} header @param {Uint8Array} data @param {number} [off] */
const fileOf = (header, data, off = 0) => {
  const text = new TextEncoder().encode(header);
  const file = new Uint8Array(8 + text.length + data.length);
  new DataView(file.buffer).setUint32(0, Math.max(0, text.length + off), true);
  file.set(text, 8);
  file.set(data, 8 + text.length);
  return file;
};

/** @param {Uint8Array} file */
const partsOf = (file) => {
  const length = new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  const header = new TextDecoder().decode(file.slice(8, 8 + length));
  return { header, data: file.subarray(8 + length) };
};

/**
 * A safetensors file with another header, or one of its words of JSON changed inside.
 * @param {Uint8Array} file
 * @param {Draw} draw
 */
const changeHeader = (file, draw) => {
  const { header, data } = partsOf(file);
  const json = JSON.parse(header);
  const words = Object.keys(json.__metadata__ ?? {}).filter((key) =>
    /^[[{]/.test(json.__metadata__[key]),
  );
  const way = draw(8);
  if (way < 3 && words.length > 0) {
    const key = String(words[draw(words.length)]);
    json.__metadata__[key] = JSON.stringify(changeJSON(JSON.parse(json.__metadata__[key]), draw));
    return fileOf(JSON.stringify(json), data);
  }
  if (way === 3) return fileOf(header.replace('{', '{"x":{},"x":{},'), data);
  if (way === 4) return fileOf(`${header}${' '.repeat(draw(9))}`, data, draw(9) - 4);
  if (way === 5) return fileOf('['.repeat(draw(100_000)), data);
  return fileOf(JSON.stringify(changeJSON(json, draw)), data);
};

/**
 * Bytes with some turned, cut out, doubled or put elsewhere.
 * @param {Uint8Array} file
 * @param {Draw} draw
 */
export const changeBytes = (file, draw) => {
  const bytes = file.slice();
  const way = draw(5);
  const [a, b] = [draw(bytes.length), draw(bytes.length)].sort((x, y) => x - y);
  if (way === 0) return bytes.slice(0, a);
  if (way === 1) return new Uint8Array([...bytes.slice(0, a), ...bytes.slice(b)]);
  if (way === 2) return new Uint8Array([...bytes.slice(0, b), ...bytes.slice(a)]);
  for (let n = 1 + draw(4); n > 0; n--) {
    bytes[draw(bytes.length)] = way === 3 ? draw(256) : Number([0, 1, 127, 128, 255][draw(5)]);
  }
  return bytes;
};

/** @param {any} model */
const stateOf = (model) =>
  JSON.stringify(
    model.weights.map((/** @type {any} */ weight) => [
      ...new Uint32Array(weight.data().buffer),
      weight.locks.count,
    ]),
  );

/**
 * One instance, a model to load into, and the files that it begins with.
 * @param {any} [hdf5] h5wasm.
 */
export const openFuzzer = async (hdf5 = h5wasm) => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const model = nn.sequential([
    nn.dense({ units: 4, inputShape: [3], activation: 'relu', name: 'base' }),
    nn.batchNormalization({ name: 'norm' }),
    nn.dense({ units: 2, activation: 'softmax', name: 'head' }),
  ]);
  model.compile({ optimizer: 'adam', loss: 'mse' });
  model.trainOnBatch([[1, 2, 3]], [[0, 1]]);
  /** @type {Dense} */ (model.getLayer('head')).kernel.lock([1]);
  const own = saveModel(model);
  const base = saveModel(model, { optimizer: false });
  /** @type {BatchNormalization} */ (model.getLayer('norm')).gamma.assign([1, 2, 3, 4]);
  const delta = saveDelta(model, base);
  await loadWeights(model, base);
  const tfjs = saveLayersModel(model);
  /** What was tried; and what the last that was refused was refused with. */
  const accepted = { files: 0, refused: 0, reason: /** @type {unknown} */ (null) };

  /**
   * Hold one call to the rules.
   * @param {string} what
   * @param {() => any} call What it makes is disposed by `undo`.
   * @param {(made: any) => void} undo
   */
  const attempt = async (what, call, undo) => {
    const before = { objects: g.memory().objects, state: stateOf(model) };
    accepted.files++;
    try {
      undo(await call());
    } catch (error) {
      accepted.refused++;
      accepted.reason = error;
      const { message, stack } = /** @type {Error} */ (error);
      const isTyped = error instanceof GradlockError || error instanceof TypeError;
      assert.ok(isTyped, `${what}: ${stack}`);
      const isRaw = error instanceof TypeError && UNCHECKED.test(message);
      assert.ok(!isRaw, `${what}: ${stack}`);
      assert.equal(stateOf(model), before.state, `${what}: the model changed: ${message}`);
    }
    assert.equal(g.memory().objects, before.objects, `${what}: objects are left`);
    assert.ok(g.memory().wasmBytes < MOST_BYTES, `${what}: ${g.memory().wasmBytes} bytes`);
  };

  /** @param {string} what @param {any} source */
  const tryModel = (what, source) =>
    attempt(
      `loadModel ${what}`,
      () => loadModel(nn, source, { hdf5 }),
      (made) => {
        made.optimizer?.dispose();
        made.dispose();
      },
    );

  /** @param {string} what @param {any} source */
  const tryWeights = (what, source) =>
    attempt(
      `loadWeights ${what}`,
      () => loadWeights(model, source, { hdf5, force: true }),
      () => void 0,
    );

  /**
   * Weights for the model of a file of Keras, which stays as it was where they are refused.
   * @param {string} what
   * @param {Uint8Array} bytes
   * @param {string} topology Its name.
   */
  const tryWeightsOf = (what, bytes, topology) =>
    attempt(
      `loadWeights ${what}`,
      async () => {
        const made = await loadModel(nn, fixture(topology), { hdf5 });
        const state = stateOf(made);
        try {
          await loadWeights(made, bytes, { hdf5 });
        } catch (error) {
          assert.equal(stateOf(made), state, `${what}: the model changed`);
          throw error;
        } finally {
          made.optimizer?.dispose();
          made.dispose();
        }
      },
      () => void 0,
    );

  /** Bytes that are a safetensors file are the same file when they are written. @param {string} what @param {Uint8Array} bytes */
  const tryTensors = async (what, bytes) => {
    await attempt(
      `readSafetensors ${what}`,
      () => {
        const { tensors, metadata } = readSafetensors(bytes);
        for (const tensor of tensors.values()) tensor.toFloat32();
        const again = readSafetensors(writeSafetensors(tensors, metadata));
        assert.deepEqual(
          [...again.tensors].sort().map(([name, { shape, bytes: own }]) => [name, shape, [...own]]),
          [...tensors].sort().map(([name, { shape, bytes: own }]) => [name, shape, [...own]]),
        );
      },
      () => void 0,
    );
  };

  /** @param {string} what @param {Uint8Array} bytes */
  const tryDelta = (what, bytes) =>
    attempt(
      `applyDelta ${what}`,
      () => applyDelta(model, bytes, { force: true }),
      (made) => made.remove({ force: true }),
    );

  const small = { dtypes: fixture('dtypes.safetensors'), delta };
  const zips = { dense: fixture('dense.keras'), deflated: fixture('deflated.keras') };

  /** All cuts and all bits of small files: in order, so that every run is the same. */
  const everyByte = async (/** @type {number} */ step) => {
    for (const [name, file] of Object.entries(small)) {
      const tries = name === 'delta' ? [tryTensors, tryDelta] : [tryTensors];
      for (let at = 0; at < file.length; at += step) {
        for (const run of tries) {
          await run(`${name} cut at ${at}`, file.subarray(0, at));
          const turned = file.slice();
          turned[at] = Number(turned[at]) ^ (1 << (at % 8));
          await run(`${name} with bit ${at % 8} of byte ${at} turned`, turned);
        }
      }
    }
    const { deflated } = zips;
    for (let at = 0; at < deflated.length; at += step) {
      await tryModel(`deflated.keras cut at ${at}`, deflated.subarray(0, at));
    }
  };

  /** One random input. @param {number} seed */
  const once = async (seed) => {
    const draw = drawer(seed);
    const what = `seed ${seed}`;
    switch (draw(8)) {
      case 0:
        return tryTensors(what, changeHeader(small.dtypes, draw));
      case 1:
        return tryModel(what, changeHeader(own, draw));
      case 2:
        return tryModel(what, changeBytes(own, draw));
      case 3:
        return tryWeights(what, changeHeader(base, draw));
      case 4:
        return tryDelta(what, draw(2) ? changeHeader(delta, draw) : changeBytes(delta, draw));
      case 5:
        return tryModel(what, changeBytes(draw(2) ? zips.dense : zips.deflated, draw));
      case 6: {
        const bytes = tfjs['group1-shard1of1.bin'];
        const shard = draw(3) ? bytes : changeBytes(bytes, draw);
        const modelJson = changeJSON(JSON.parse(tfjs['model.json']), draw);
        const source = { modelJson, shards: { 'group1-shard1of1.bin': shard } };
        return draw(2) ? tryModel(what, source) : tryWeights(what, source);
      }
      default:
        return tryModel(what, new TextEncoder().encode(tfjs['model.json'].slice(0, draw(3000))));
    }
  };

  /** As loaded without a change, all succeed. */
  const check = async () => {
    const before = { ...accepted };
    await tryTensors('dtypes', small.dtypes);
    for (const file of [own, base, zips.dense, zips.deflated]) await tryModel('whole', file);
    await tryWeights('whole', base);
    await tryDelta('whole', delta);
    assert.equal(accepted.refused, before.refused, 'a whole file was refused');
  };

  return {
    ...{ check, everyByte, once, tryModel, tryWeightsOf, accepted },
    dispose: () => g.dispose(),
  };
};
