/* Files of HDF5 from strangers, written by tests/golden/foreign.py: those that name other files are
 * refused before any other file is opened, and few bytes do not become many. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { FormatError, init } from 'gradlock';
import { loadModel, loadWeights } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import * as virtual from 'h5wasm';
import * as real from 'h5wasm/node';

const FOLDER = new URL('../golden/formats/foreign/', import.meta.url);

/** @param {string} name */
const fixture = (name) => new Uint8Array(readFileSync(new URL(`${name}.h5`, FOLDER)));

/** What is said of a file; null: it is read. @type {Record<string, RegExp | null>} */
const FILES = {
  plain: null,
  many_attributes: null,
  chunked: null,
  compact: null,
  external: /layers\/dense\/vars\/0 keeps its values in another file/,
  virtual: /layers\/dense\/vars\/0 is a virtual dataset/,
  virtual_of_itself: /layers\/dense\/vars\/0 is a virtual dataset/,
  virtual_unlimited: /layers\/dense\/vars\/0 is a virtual dataset/,
  external_link: /layers\/dense\/vars\/0 is a link to "secret\.bin"/,
  external_group: /layers is a link to "secret\.bin"/,
  soft_link_out: /is a link to/,
  soft_link: /also is a link to "\/layers\/dense\/vars\/0"/,
  cycle: /layers\/dense\/again is linked twice/,
  cycle_of_root: /layers\/root is linked twice/,
  shared: /the weights do not match/,
  bomb: /unpacks to more than .* give a larger \{ maxBytes \}/,
  hollow: /unpacks to more than/,
  hollow_bytes: /unpacks to more than/,
  plugin: /compressed by a plugin/,
};

const make = async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  return nn.sequential([nn.dense({ units: 1, inputShape: [2] })]);
};

/** Our files in some folders. @param {string[]} folders */
const leftIn = (...folders) =>
  folders.flatMap((folder) =>
    readdirSync(folder).filter((name) => /^gradlock-\w+\.h5$/.test(name)),
  );

/**
 * Run something, and say which files h5wasm opened.
 * @param {any} FS
 * @param {() => Promise<void>} body
 */
const opensOf = async (FS, body) => {
  const { open } = FS;
  /** @type {string[]} */
  const paths = [];
  FS.open = (/** @type {string} */ path, /** @type {any[]} */ ...rest) => {
    paths.push(path);
    return open(path, ...rest);
  };
  try {
    await body();
  } finally {
    FS.open = open;
  }
  return new Set(paths);
};

test('every file of foreign.py has its claim here', () => {
  const names = readdirSync(FOLDER).map((name) => name.replace(/-\w+\.h5$/, ''));
  assert.deepEqual([...new Set(names)].sort(), Object.keys(FILES).sort());
});

for (const [kind, hdf5] of Object.entries({ h5wasm: virtual, 'h5wasm/node': real })) {
  for (const version of ['earliest', 'latest']) {
    for (const [name, message] of Object.entries(FILES)) {
      test(`${kind}: ${name}-${version} ${message ? 'is refused' : 'is read'}, and no other file is opened`, async () => {
        const model = await make();
        const { FS } = /** @type {any} */ (await hdf5.ready);
        const before = leftIn('.', tmpdir());
        const load = () => loadWeights(model, fixture(`${name}-${version}`), { hdf5 });
        const opened = await opensOf(FS, async () => {
          if (message === null) await load();
          else {
            await assert.rejects(load, (/** @type {any} */ error) => {
              assert.match(error.message, message);
              return error instanceof FormatError || name === 'shared';
            });
          }
        });
        assert.equal(opened.size, 1, [...opened].join());
        assert.match(String([...opened][0]), /gradlock-\w{20,}\.h5$/);
        assert.deepEqual(leftIn('.', tmpdir()), before, 'no file is left');
      });
    }
  }
}

test('what a file unpacks to may be raised by an option, and lowered', async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const model = nn.sequential([nn.dense({ units: 1, useBias: false, inputShape: [2 ** 23] })]);
  const file = fixture('bomb-latest');
  await loadWeights(model, file, { hdf5: virtual, maxBytes: 2 ** 25 });
  assert.equal(model.weights[0]?.data()[0], 0);
  await assert.rejects(
    loadWeights(model, file, { hdf5: virtual, maxBytes: 2 ** 25 - 1 }),
    FormatError,
  );
  await assert.rejects(loadModel(nn, fixture('plain-latest'), { maxBytes: 3 }), FormatError);
});

test('a weight under fifty names counts once towards maxBytes', async () => {
  const model = await make();
  for (const version of ['earliest', 'latest']) {
    const load = loadWeights(model, fixture(`shared-${version}`), { hdf5: virtual, maxBytes: 12 });
    await assert.rejects(load, /the weights do not match/);
  }
});
