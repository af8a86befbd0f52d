/* The reference as it was built into build/site/docs: nothing in it leads nowhere, everything
 * public is in it, with its example, and nothing else. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import * as gradlock from 'gradlock';
import * as formats from 'gradlock/formats';
import * as fits from 'gradlock/fit';
import * as keeping from 'gradlock/keep';
import * as working from 'gradlock/worker';
import { readExamples } from '../../docs/reference/examples.mjs';
import { readOps } from '../../docs/reference/ops.mjs';
import { OBJECTS } from '../../docs/reference/pages.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const site = join(root, 'build/site');
const docs = join(site, 'docs');

/** @param {string} html */
const decode = (html) =>
  html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#(?:39|x27);/g, "'")
    .replace(/&amp;/g, '&');

/** What a reader sees of HTML. @param {string} html */
const textOf = (html) => decode(html.replace(/<br\/?>/g, '\n').replace(/<[^>]*>/g, ''));

/** Every page of the reference, by its path in build/site. */
const pages = new Map(
  readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html') && !name.startsWith('media/'))
    .map((name) => [`docs/${name}`, readFileSync(join(docs, name), 'utf8')]),
);
/** @param {string} html */
const idsOf = (html) =>
  new Set(Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id]) => decode(id)));
const ids = new Map(Array.from(pages, ([path, html]) => [path, idsOf(html)]));

/**
 * Why a link does not lead anywhere, if it does not.
 * @param {string} from A page.
 * @param {string} link
 */
const objectionTo = (from, link) => {
  if (/^(https?|mailto):/.test(link)) return undefined;
  if (/^([a-z]+:|\/)/i.test(link)) return 'is not relative';
  const [address = '', anchor = ''] = link.split('#');
  const [path = ''] = address.split('?');
  const target = path === '' ? from : normalize(join(dirname(from), decodeURI(path)));
  if (relative(site, join(site, target)).startsWith('..')) return 'leads out of the site';
  if (!existsSync(join(site, target)) || target.endsWith('/')) return 'leads to no file';
  const known = ids.get(target);
  // A picture's parts are checked by who draws it.
  if (anchor && known && !known.has(decodeURIComponent(anchor)))
    return 'leads to no place on its page';
  return undefined;
};

/**
 * The part of a page that documents a method: from its heading to the next.
 * @param {string} path
 * @param {string} name
 */
const memberOf = (path, name) => {
  const html = pages.get(path) ?? '';
  const start = html.search(
    new RegExp(`<h[23] class="tsd-anchor-link" id="${name.toLowerCase()}(-1)?">`),
  );
  if (start < 0) return undefined;
  const end = html.indexOf('<section class="tsd-panel tsd-member">', start);
  return textOf(html.slice(start, end < 0 ? undefined : end));
};

const searchData = () => {
  const [, packed] = readFileSync(join(docs, 'assets/search.js'), 'utf8').match(/"([^"]+)"/) ?? [];
  /** @type {{ index: object, rows: { name: string, url: string, parent?: string }[] }} */
  const data = JSON.parse(inflateSync(Buffer.from(String(packed), 'base64')).toString());
  return data;
};
const search = () => searchData().rows;

/** What the search of the pages finds for words, best first. */
const openSearch = () => {
  const load = createRequire(join(root, 'build/reference/package.json'));
  const lunr = /** @type {any} */ (load('lunr'));
  const { rows, index } = searchData();
  const opened = lunr.Index.load(index);
  return (/** @type {string} */ words) =>
    /** @type {{ ref: string }[]} */ (opened.search(words)).flatMap(
      ({ ref }) => rows[Number(ref)] ?? [],
    );
};

test('every link, picture, script and style of every page is there, at any address of the site', () => {
  assert.ok(pages.size > 150, `there are only ${pages.size} pages`);
  const wrong = [];
  let count = 0;
  for (const [from, html] of pages) {
    for (const [, , link] of html.matchAll(/\s(href|src)="([^"]*)"/g)) {
      count++;
      const objection = objectionTo(from, decode(link));
      if (objection) wrong.push(`${from}: ${link} ${objection}`);
    }
  }
  assert.ok(count > 3000, `there are only ${count} links`);
  assert.deepEqual(wrong, []);
});

test('the demo links to the reference, each of its pages to the demo, and the offline file to nothing', () => {
  assert.match(readFileSync(join(site, 'index.html'), 'utf8'), /href="\.\/docs\/index\.html"/);
  for (const [path, html] of pages) {
    const up = '../'.repeat(path.split('/').length - 1);
    assert.ok(html.includes(`<a href="${up}index.html">Demo</a>`), path);
  }
  const offline = readFileSync(join(root, 'build/gradlock-demo.html'), 'utf8');
  assert.doesNotMatch(offline, /docs\/index\.html/);
});

test('every op, loss, initializer, schedule, optimizer and layer stands on a page with its example and what that gave', async () => {
  const examples = await readExamples(root);
  assert.ok(examples.length > 140, `there are only ${examples.length} examples`);
  const missing = [];
  for (const { method, lines } of examples) {
    const [, top, object, name = ''] = method.match(/^(?:(g|nn)\.)?(?:(\w+)\.)?(\w+)$/) ?? [];
    if (name === 'disposeKey') continue;
    const path =
      top === 'nn'
        ? 'docs/js/Layers-1.html'
        : top && object && `docs/js/${object[0].toUpperCase()}${object.slice(1)}.html`;
    const places = path
      ? [path]
      : [...pages.keys()].filter((page) => /^docs\/(ops|js)\//.test(page));
    const shown = lines.map(({ code, shown }) => (shown === undefined ? code : shown));
    const found = places.some((place) => {
      const text = memberOf(place, name)?.replace(/\s+/g, ' ');
      return text && shown.every((line) => text.includes(line.replace(/\s+/g, ' ')));
    });
    if (!found) missing.push(method);
  }
  assert.deepEqual(missing, [], `the reference lacks ${missing}: make it anew by \`make docs\``);
});

test('every function, type and constant of gradlock.h has its place among the pages of C', () => {
  const header = readFileSync(join(root, 'src/c/include/gradlock.h'), 'utf8').replace(
    /\/\*[\s\S]*?\*\//g,
    '',
  );
  const declared = [
    ...Array.from(header.matchAll(/\b(glk_\w+)\s*\([^;{]*\)\s*;/g), ([, name]) => name),
    ...Array.from(header.matchAll(/^(?:typedef [^{;]*\b|} )(glk_\w+);/gm), ([, name]) => name),
    ...Array.from(header.matchAll(/^#define (GLK_\w+) /gm), ([, name]) => name),
  ];
  assert.ok(declared.length > 110, `only ${declared.length} names were found`);
  const c = [...pages].filter(([path]) => path.startsWith('docs/c/'));
  const places = new Set(c.flatMap(([path]) => [...(ids.get(path) ?? [])]));
  assert.deepEqual(
    declared.filter((name) => !places.has(name.toLowerCase())),
    [],
  );
  const text = c.map(([, html]) => textOf(html)).join('\n');
  const values = Array.from(
    header.matchAll(/^ {2}(GLK_\w+)(?: = \d+)?,?\s*$/gm),
    ([, name]) => name,
  );
  assert.ok(values.length > 60, `only ${values.length} values of enums were found`);
  assert.deepEqual(
    values.filter((name) => !text.includes(name)),
    [],
  );
});

test('the search finds every op, every class and every name of C, each at a place that is there', async () => {
  const rows = search();
  const wrong = rows.filter(({ url }) => objectionTo('docs/index.html', url) !== undefined);
  assert.deepEqual(wrong, []);
  const names = new Set(rows.map(({ name }) => name));
  const examples = await readExamples(root);
  const wanted = [
    ...examples
      .map(({ method }) => method.split('.').at(-1) ?? '')
      .filter((name) => name !== 'disposeKey'),
    ...Object.keys(gradlock).filter((name) => name !== 'default'),
    ...['Variable', 'LockSet', 'glk_locks_watch', 'glk_status', 'GLK_MAX_RANK'],
  ];
  const missing = wanted.filter((name) => !names.has(name));
  assert.deepEqual(missing, [], `the search lacks ${missing}: make it anew by \`make docs\``);
});

test('no internals stand in the JavaScript reference: no class that is not met, no name of C or of the bridge to it', () => {
  const types = [
    'types.d.ts',
    'layers.d.ts',
    'formats.d.ts',
    'fit.d.ts',
    'keep.d.ts',
    'worker.d.ts',
    'tfjs.d.ts',
    'grid.d.ts',
  ]
    .map((name) => readFileSync(join(root, 'build/types', name), 'utf8'))
    .join('\n');
  const factory = readFileSync(join(root, 'build/types/layers/factory.d.ts'), 'utf8');
  const known = new Set([
    // What methods of layers() give and take.
    ...(factory.match(/^export type \{ ([^}]*) \};$/m)?.[1] ?? '').split(', '),
    ...Array.from(factory.matchAll(/^export interface (\w+)/gm), ([, name]) => name),
    ...Array.from(types.matchAll(/^export type (\w+)/gm), ([, name]) => name),
    ...Object.keys(gradlock),
    ...Object.keys(formats),
    ...Object.keys(fits),
    ...Object.keys(keeping),
    ...Object.keys(working),
    ...OBJECTS.keys(),
    ...['Lbfgs', 'LevenbergMarquardt', 'GradlockGrid'],
  ]);
  let count = 0;
  for (const [path, html] of pages) {
    if (!/^docs\/(js|ops)\//.test(path)) continue;
    const text = textOf(html.slice(html.indexOf('col-content'), html.indexOf('col-sidebar')));
    assert.doesNotMatch(
      text,
      /\bglk_|\bBridge\b|\bInstance\b|\bWebAssembly exports\b|#private|@internal|\bToolkit\b|\bFactory\b/,
      path,
    );
    const name = path.replace(/^docs\/\w+\/|\.html$/g, '');
    if (/<p class="receiver">(Class|Interface)<\/p>/.test(html)) {
      count++;
      assert.ok(
        known.has(name),
        `${name} is a class that nobody meets; add a base class to INSIDE of docs/reference/pages.mjs`,
      );
    }
  }
  assert.ok(count > 20, `there are only ${count} classes`);
});

test('the search ranks a guide and the interface before a decision', () => {
  const found = openSearch();
  for (const words of ['lock', 'gradient', 'freeze layers', 'pressure', 'optimizer', 'mask']) {
    const ranked = found(words);
    const first = (/** @type {RegExp} */ path) => ranked.findIndex(({ url }) => path.test(url));
    const decision = first(/^decisions\//);
    if (decision < 0) continue;
    assert.ok(first(/^guide\//) >= 0 && first(/^guide\//) < decision, `${words}: guide`);
    const api = first(/^(js|ops|c)\//);
    assert.ok(api >= 0 && api < decision, `${words}: interface`);
  }
});

test('the search finds lock or trainOnly by the words that people type', () => {
  const found = openSearch();
  for (const words of ['freeze', 'frozen', 'partial', 'requires_grad', 'fine-tune']) {
    const first = found(words).slice(0, 10); // as many as the page shows
    const isOurs = (/** @type {{ name: string }} */ { name }) => /^(lock|trainOnly)$/.test(name);
    assert.ok(
      first.some(isOurs),
      `${words}: ${first.map(({ parent, name }) => `${parent}.${name}`)}`,
    );
  }
});

test('the table of ops has every public op of C, with what it computes', async () => {
  const text = textOf(pages.get('docs/c/table-of-ops.html') ?? '');
  const ops = (await readOps(root)).filter(({ isPublic }) => isPublic);
  assert.ok(ops.length > 100);
  for (const { name, doc } of ops) {
    assert.match(text, new RegExp(`^\\s*${name}\\b`, 'm'), name);
    assert.ok(doc.length > 1, name);
  }
  assert.match(pages.get('docs/guide/c.html') ?? '', /href="[^"]*table-of-ops\.html"/);
});
