/* Tier: test. */
/* Models from addresses and paths: what a manifest names is fetched from the server of model.json
 * only, a token goes nowhere else, and a page that stands for a file is named with its address. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { mock, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { FormatError, init, LoadError } from 'gradlock';
import {
  loadModel,
  loadWeights,
  readSafetensors,
  saveLayersModel,
  saveModel,
  writeSafetensors,
} from 'gradlock/formats';
import { layers } from 'gradlock/layers';

const make = async () => {
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const model = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
  return { nn, model, files: saveLayersModel(model) };
};

/**
 * What is fetched for a model.json at an address whose manifest has one path.
 * @param {string} url
 * @param {unknown} path
 * @param {object} [options]
 */
const ask = async (url, path, options = {}) => {
  const { nn, files } = await make();
  const json = JSON.parse(files['model.json']);
  json.weightsManifest[0].paths = [path];
  /** @type {string[]} */
  const asked = [];
  const fetch = async (/** @type {string} */ address) => {
    asked.push(address);
    const body = asked.length === 1 ? JSON.stringify(json) : files['group1-shard1of1.bin'];
    return new Response(/** @type {any} */ (body));
  };
  try {
    await loadModel(nn, url, { fetch, ...options });
  } catch (error) {
    assert.ok(asked.length <= 1, 'nothing was fetched behind a refusal');
    throw error;
  }
  return asked[1];
};

const HOME = 'https://a.example/m/v1/model.json';

/** Addresses: of model.json, in its manifest, fetched. @type {[string, string, string][]} */
const ADDRESSES = [
  [HOME, 'w.bin', 'https://a.example/m/v1/w.bin'],
  [`${HOME}?token=a/b#c`, 'w.bin', 'https://a.example/m/v1/w.bin?token=a/b'],
  [`${HOME}?token=a`, 'w.bin?x=1', 'https://a.example/m/v1/w.bin?x=1'],
  [`${HOME}?token=a`, 'sub/w.bin', 'https://a.example/m/v1/sub/w.bin?token=a'],
  [`${HOME}?token=a`, '../w.bin', 'https://a.example/m/w.bin'],
  [`${HOME}?token=a`, '/w.bin', 'https://a.example/w.bin'],
  [`${HOME}?token=a`, 'https://a.example/w.bin', 'https://a.example/w.bin'],
  ['file:///home/m/model.json', 'w 1.bin', 'file:///home/m/w%201.bin'],
  ['m/model.json', 'w 1.bin', 'm/w 1.bin'],
  ['../m/model.json?v=2', 'w.bin', '../m/w.bin?v=2'],
  ['model.json', 'sub/w.bin', 'sub/w.bin'],
];

for (const [url, path, expected] of ADDRESSES) {
  test(`path ${path} beside ${url} is ${expected}`, async () => {
    assert.equal(await ask(url, path), expected);
  });
}

/** @type {[string, unknown][]} */
const ELSEWHERE = [
  [`${HOME}?token=SECRET`, 'https://b.example/w.bin'],
  [`${HOME}?token=SECRET`, '//b.example/w.bin'],
  [`${HOME}?token=SECRET`, '\\\\b.example/w.bin'],
  [`${HOME}?token=SECRET`, 'https://a.example:444/m/v1/w.bin'],
  [`${HOME}?token=SECRET`, 'http://a.example/m/v1/w.bin'],
  [HOME, 'file:///etc/hosts'],
  [HOME, 'data:,x'],
  ['file:///home/m/model.json', '../w.bin'],
  ['file:///home/m/model.json', '%2e%2e/w.bin'],
  ['file:///home/m/model.json', '..%2fw.bin'],
  ['file:///home/m/model.json', '/etc/hosts'],
  ['file:///home/m/model.json', 'https://b.example/w.bin'],
  ['m/model.json', '../w.bin'],
  ['m/model.json', 'sub/../../w.bin'],
  ['m/model.json', '/etc/hosts'],
  ['m/model.json', '..\\w.bin'],
  ['model.json?token=SECRET', 'https://b.example/w.bin'],
  ['model.json', 'file:///etc/hosts'],
  [HOME, { toString: 1 }],
  [HOME, 'http://['],
];

for (const [url, path] of ELSEWHERE) {
  test(`path ${JSON.stringify(path)} beside ${url} is not fetched`, async () => {
    await assert.rejects(ask(url, path), FormatError);
  });
}

test('an option allows other servers, which do not get the token', async () => {
  const options = { crossOrigin: true };
  const url = 'https://b.example/w.bin';
  assert.equal(await ask(`${HOME}?token=SECRET`, url, options), url);
  assert.equal(await ask('m/model.json?token=SECRET', url, options), url);
  await assert.rejects(ask(HOME, url, { crossOrigin: 1 }), TypeError);
});

const PAGE = '<!doctype html><html><title>Sign in</title></html>';
/** What a server says instead of a model. @type {Record<string, () => Response>} */
const ANSWERS = {
  'a page': () => new Response(PAGE, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  'a page of no type': () => new Response(`\ufeff\n ${PAGE.toUpperCase()}`),
  'no such file': () => new Response('', { status: 404 }),
  'an error page': () => new Response(PAGE, { status: 500 }),
  nothing: () => {
    throw new TypeError('failed to fetch');
  },
};

for (const [what, answer] of Object.entries(ANSWERS)) {
  test(`an address that answers with ${what} is a LoadError that names it without its token`, async () => {
    const { nn, model, files } = await make();
    const url = 'https://a.example/m/model.json';
    /** @param {any} error */
    const isNamed = (error) =>
      error instanceof LoadError &&
      error.message.includes('https://a.example/m/') &&
      !error.message.includes('SECRET') &&
      error.url.startsWith('https://a.example/m/');
    const fetch = async () => answer();
    await assert.rejects(loadModel(nn, `${url}?token=SECRET`, { fetch }), isNamed);
    await assert.rejects(loadWeights(model, `${url}?token=SECRET`, { fetch }), isNamed);
    let asked = 0;
    const later = async () => (asked++ === 0 ? new Response(files['model.json']) : answer());
    await assert.rejects(loadModel(nn, `${url}?token=SECRET`, { fetch: later }), isNamed);
  });
}

/** A folder with both kinds of files of a model, whose name an address must escape. */
const makeFolder = async () => {
  const made = await make();
  const folder = fs.mkdtempSync(join(tmpdir(), 'gradlock 50%41#a?b-'));
  for (const [name, data] of Object.entries(made.files)) fs.writeFileSync(join(folder, name), data);
  fs.writeFileSync(join(folder, 'own.safetensors'), saveModel(made.model));
  return { ...made, folder };
};

test('a path or a file: URL is read, in every form, with the shards next to it', async () => {
  const { nn, model, folder } = await makeFolder();
  const [kernel] = model.weights;
  for (const name of ['model.json', 'own.safetensors']) {
    const path = join(folder, name);
    const near = relative(process.cwd(), path);
    for (const source of [path, near, pathToFileURL(path), pathToFileURL(path).href]) {
      const loaded = await loadModel(nn, source);
      assert.deepEqual(loaded.weights[0].data(), kernel.data(), String(source));
      loaded.weights[0].assign([[9]]);
      await loadWeights(loaded, source, {
        mapping: (file) => file.replace(/^.*\//, `${loaded.layers[0]?.name}/`),
      });
      assert.deepEqual(loaded.weights[0].data(), kernel.data(), String(source));
    }
  }
  fs.rmSync(folder, { recursive: true });
});

test('a path that cannot be read is a LoadError that names the file and why', async () => {
  const { nn, folder } = await makeFolder();
  const none = pathToFileURL(join(folder, 'none.keras')).href;
  /** @type {[name: string, message: RegExp][]} */
  const cases = [
    [
      'none.keras',
      /could not be read from file:.*: ENOENT: .*none\.keras'; give the path of a file/,
    ],
    ['', /: EISDIR: .*; give the path of a file, such as model.json/],
    ['model.json', /: ENOENT: .*group1-shard1of1\.bin/],
  ];
  fs.rmSync(join(folder, 'group1-shard1of1.bin'));
  for (const [name, message] of cases) {
    await assert.rejects(
      loadModel(nn, join(folder, name)),
      (/** @type {any} */ error) => error instanceof LoadError && message.test(error.message),
    );
  }
  await assert.rejects(loadModel(nn, none), (/** @type {any} */ error) => error.url === none);
  fs.rmSync(folder, { recursive: true });
});

test('a path stays an address in pages, and where there is no file system it is one', async () => {
  const { nn, files } = await make();
  /** @type {string[]} */
  const asked = [];
  mock.method(globalThis, 'fetch', async (/** @type {string} */ url) => {
    asked.push(url);
    return new Response(
      url.endsWith('.json') ? files['model.json'] : files['group1-shard1of1.bin'],
    );
  });
  const properties = /** @type {[object, string, unknown][]} */ ([
    [globalThis, 'location', new URL('https://a.example/p/')],
    [process, 'versions', {}],
  ]);
  for (const [object, key, value] of properties) {
    const own = Object.getOwnPropertyDescriptor(object, key);
    Object.defineProperty(object, key, { value, configurable: true });
    try {
      await loadModel(nn, 'm/model.json');
    } finally {
      if (own) Object.defineProperty(object, key, own);
      else Reflect.deleteProperty(object, key);
    }
  }
  mock.restoreAll();
  const shard = 'm/group1-shard1of1.bin';
  assert.deepEqual(asked, ['m/model.json', `https://a.example/p/${shard}`, 'm/model.json', shard]);
});

test('a manifest of a server cannot name files of this computer, whatever the options', async () => {
  for (const url of [HOME, 'm/model.json']) {
    await assert.rejects(ask(url, 'file:///etc/hosts', { crossOrigin: true }), FormatError);
  }
});

test('synchronous readers take a path or a file: URL as they take its bytes', async (context) => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'gradlock-'));
  context.after(() => fs.rmSync(folder, { recursive: true }));
  const path = join(folder, 'w.safetensors');
  fs.writeFileSync(path, writeSafetensors({ w: { shape: [2], data: [1, 2] } }));
  const url = pathToFileURL(path);
  for (const source of [path, url, url.href, fs.readFileSync(path)]) {
    assert.deepEqual([...(readSafetensors(source).tensors.get('w')?.data ?? [])], [1, 2]);
  }
});

test('readers that take no path say what to pass instead', async () => {
  const { nn, files } = await make();
  const json = Buffer.from(files['model.json']);
  const modelJson = JSON.parse(files['model.json']);
  /** @type {[() => unknown, RegExp][]} */
  const cases = [
    [
      () => readSafetensors('https://a.example/a.safetensors'),
      /, got "https:.*": read the file first, by readFileSync or fetch/,
    ],
    [
      () => readSafetensors('none/a.safetensors'),
      /readSafetensors: the file could not be read: ENOENT.*; give the path of a file/,
    ],
    [
      () => loadModel(nn, json),
      /path or address of model\.json, .* shards: \{ "group1-shard1of1\.bin": bytes \}/,
    ],
    [
      () => loadModel(nn, { modelJson, shards: /** @type {any} */ ([json]) }),
      /shards must be an object such as .*, got an array of length 1/,
    ],
    [
      () => loadModel(nn, { modelJson, shards: {}, weightData: json }),
      /give weightData or shards, not both/,
    ],
    [
      () =>
        loadModel(nn, {
          modelJson,
          shards: { 'group1-shard1of1.bin': Buffer.from('404: Not Found') },
        }),
      /a shard is a text, "404: Not Found"/,
    ],
    [
      () => loadModel(nn, json, { fetch: /** @type {any} */ (3) }),
      /fetch must be a function, got 3/,
    ],
    [() => loadModel(nn, json, { maxBytes: -1 }), /maxBytes must be a number from 0 up, got -1/],
  ];
  for (const [call, message] of cases) await assert.rejects(async () => call(), message);
});
