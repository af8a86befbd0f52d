/* Builds the reference into build/site/docs: the pages of docs/, the JavaScript reference from
 * the published types, the C reference from gradlock.h. One site of plain files that works under
 * any path. `make docs` runs a copy of it in build/reference, where what it imports is
 * installed. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { load as loadMissingExports } from 'typedoc-plugin-missing-exports';
import * as formats from '../../build/npm/formats.js';
import { init } from '../../build/npm/index.js';
import { layers } from '../../build/npm/layers.js';
import { findWrong, readExamples } from './examples.mjs';
import { readHeader } from './header.mjs';
import { OPS_PAGE, opsPage, readOps } from './ops.mjs';
import { BOOSTS, CATEGORIES, matter, PAGES, PARTS } from './pages.mjs';
import { formOf } from './stackblitz.mjs';
import { applyTheme } from './theme.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const work = join(root, 'build/reference');
const out = join(root, 'build/site/docs');
const own = join(root, 'docs/reference');

/** @param {string} path @param {string} text */
const put = async (path, text) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

/**
 * The published declarations, with names of types as names: TypeScript's declarations say `type A =
 * import('./a').A`, which is another type to TypeDoc.
 */
const prepareTypes = async () => {
  const from = join(root, 'build/types');
  const files = (await readdir(from, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
  /** @type {string[]} */
  const families = [];
  for (const file of files) {
    const text = await readFile(join(from, file), 'utf8');
    const named = text.replace(
      /^export type (\w+)(?:<.*>)? = import\((['"])(.*?)\2\)\.(\w+)(?:<\w+>)?;$/gm,
      (_, name, _quote, path, source) => {
        const pair = source === name ? name : `${source} as ${name}`;
        return `import { ${pair} } from '${path}'; export { ${name} };`;
      },
    );
    const open = named
      .replaceAll('[disposeKey]', '[Symbol.dispose]')
      // Functions are written as constants.
      .replace(
        /\/\*\*\n((?: \*(?!\/).*\n)+) \*\/\n(?=export (?:declare )?const \w+: (?:<.*?>)?\()/g,
        (_, words) =>
          `/**\n${`${words} * @`.replace(' * @', ' * @function\n * @').slice(0, -4)} */\n`,
      )
      // A default export would be called that.
      .replace(/^export default class (\w+)/m, 'export declare class $1')
      .replace(/^import ([A-Z]\w+) from/gm, 'import { $1 } from')
      // Options of one rule beside those of all are shown where they are used.
      .replace(/^(export type Own\w+Options = )/gm, '/** @inline @internal */\n$1');
    const family = file.startsWith('ops/') && text.match(/^export declare class (\w*Ops) /m)?.[1];
    if (family) families.push(`export { ${family} } from './${file.replace('.d.ts', '.js')}';`);
    await put(join(work, 'types', file), open);
  }
  const entries = ['index', 'layers', 'formats', 'fit', 'keep', 'worker', 'tfjs', 'grid'].map(
    (name) => `export * from './${name}.js';`,
  );
  const entry = [...entries, ...families].join('\n');
  await put(join(work, 'types/entry.d.ts'), `${entry}\n`);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'esnext.disposable'],
    module: 'nodenext',
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  };
  const tsconfig = { compilerOptions, files: ['types/entry.d.ts'] };
  await put(join(work, 'tsconfig.json'), JSON.stringify(tsconfig));
};

/** A page, with a button in place of each `<!-- stackblitz: FILE -->`. @param {string} text */
const withForms = async (text) => {
  const names = Array.from(text.matchAll(/^<!-- stackblitz: (\S+) -->$/gm), ([, name]) => name);
  const forms = await Promise.all(names.map((name) => formOf(root, name)));
  return names.reduce(
    (page, name, i) => page.replace(`<!-- stackblitz: ${name} -->`, () => forms[i]),
    text,
  );
};

/**
 * A page of docs/ with its title where TypeDoc looks for it. Of links to what stays in the
 * repository the words are left.
 * @param {string} path In docs/, or README.md.
 */
const preparePage = async (path) => {
  const from = path === 'README.md' ? path : `docs/${path}`;
  const raw = await readFile(join(root, from), 'utf8');
  const text = await withForms(raw);
  const title = text.match(/^# (.*)\n/)?.[1] ?? path;
  const body = text
    .replace(/^# .*\n+/, '')
    // A picture with the address of a scene becomes that scene, alive.
    .replace(
      /\[!\[([^\]]*)\]\([^)]*\)\]\([^)]*\)\n<!-- (scene=\S+) -->/g,
      (_, words, address) =>
        `<iframe class="scene" src="../../index.html?embed=1&amp;hide=settings#${address.replaceAll('&', '&amp;')}" ` +
        `title="${words.replaceAll('\n', ' ')}" loading="lazy"></iframe>`,
    )
    .replace(
      /(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)#]*)(#[^)]*)?\)/g,
      (_, words, to, anchor = '') => {
        const target = join(dirname(from), to);
        const page = target === 'README.md' ? target : target.replace(/^docs\//, '');
        const here = dirname(path);
        const up = here === '.' ? '' : '../';
        if (target === 'src/c/include/gradlock.h')
          return `[${words}](${up}c/conventions-and-limits.md)`;
        if (target === 'docs/reference/ops.mjs') return `[${words}](${up}${OPS_PAGE}.md)`;
        if (target === 'README.md') return `[${words}](${up}README.md)`;
        const isKept =
          PAGES.includes(page) || /^docs\/(decisions|examples|notebooks)\/.*\.\w+$/.test(target);
        return isKept ? `[${words}](${up}${page}${anchor})` : words;
      },
    );
  const images = body.replace(/\]\(docs\//g, '](');
  const isFront = path === 'README.md';
  const [category, place] = path.startsWith('decisions/')
    ? ['Decisions', path.replace('.md', '')]
    : ['Guide', `guide/${path.replace(/\/README\.md$|\.md$/, '')}`];
  const head = matter({ title: title.replace(/`/g, ''), category, path: place });
  await put(join(work, 'pages', path), isFront ? images : head + images);
};

/** @returns {Promise<string[]>} The pages of Markdown, in their order. */
const preparePages = async () => {
  await rm(join(work, 'pages'), { recursive: true, force: true });
  await mkdir(join(work, 'pages'), { recursive: true });
  await cp(join(root, 'docs/examples'), join(work, 'pages/examples'), { recursive: true });
  await cp(join(root, 'docs/demo.png'), join(work, 'pages/demo.png'));
  // Without what people or tools put beside them.
  const filter = (/** @type {string} */ path) =>
    !/node_modules|__pycache__|\/[.]|\/dist$/.test(path.slice(root.length));
  await cp(join(root, 'docs/notebooks'), join(work, 'pages/notebooks'), {
    recursive: true,
    filter,
  });
  await cp(join(root, 'docs/scenes'), join(work, 'pages/scenes'), { recursive: true });
  const decisions = (await readdir(join(root, 'docs/decisions'))).sort();
  const pages = [...PAGES, ...decisions.map((name) => `decisions/${name}`)];
  for (const path of [...pages, 'README.md']) await preparePage(path);
  return pages.map((path) => join(work, 'pages', path));
};

/** The look: the demo's own colours and type, and what TypeDoc's parts make of them. */
const prepareStyle = async () => {
  const tokens = await readFile(join(root, 'web/styles/tokens.css'), 'utf8');
  const dark = tokens.match(/:root\[data-theme="dark"\] (\{[\s\S]*?\n\})/)?.[1];
  if (!dark) throw new Error('web/styles/tokens.css has no dark colours');
  const os = `@media (prefers-color-scheme: dark) {\n:root:not([data-theme="light"]) ${dark}\n}\n`;
  const style = await readFile(join(own, 'style.css'), 'utf8');
  await put(join(work, 'style.css'), `${tokens}\n${os}\n${style}`);
};

/**
 * Code in the page's inks: the highlighter's colours for what is called and for comments say which
 * is which.
 */
const setCodeColours = async () => {
  const path = join(out, 'assets/highlight.css');
  const css = await readFile(path, 'utf8');
  const inks = new Map([
    ['#6F42C1', '--accent'],
    ['#C2C3C5', '--muted'],
  ]);
  const found = new Map(
    Array.from(css.matchAll(/--light-hl-(\d+): (#\w+);/g), ([, n, colour]) => [
      n,
      inks.get(colour) ?? '--ink',
    ]),
  );
  if (new Set(found.values()).size !== 3) throw new Error('the colours of min-light are others');
  await writeFile(
    path,
    css.replace(
      /--(light|dark)-hl-(\d+): #\w+;/g,
      (_, theme, n) => `--${theme}-hl-${n}: var(${found.get(n)});`,
    ),
  );
};

const wrong = await findWrong(await readExamples(root), init, layers, formats);
if (wrong.length > 0) throw new Error(`examples show what does not come out:\n${wrong.join('\n')}`);
await rm(out, { recursive: true, force: true });
await mkdir(join(work, 'doxygen'), { recursive: true });
execFileSync('doxygen', ['docs/reference/Doxyfile'], { cwd: root, stdio: 'inherit' });
await prepareTypes();
await prepareStyle();
const documents = await preparePages();
const header = await readHeader(root);
for (const { file, markdown } of header) await put(join(work, 'pages/c', file), markdown);
await put(join(work, 'pages', `${OPS_PAGE}.md`), opsPage(await readOps(root)));
documents.push(join(work, 'pages', `${OPS_PAGE}.md`));
documents.push(...header.map(({ file }) => join(work, 'pages/c', file)));

const app = await Application.bootstrap({
  name: 'gradlock',
  entryPoints: [join(work, 'types/entry.d.ts')],
  tsconfig: join(work, 'tsconfig.json'),
  readme: join(work, 'pages/README.md'),
  projectDocuments: documents,
  out,
  theme: 'gradlock',
  router: 'gradlock',
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  excludeExternals: true,
  sort: ['documents-first', 'required-first', 'source-order'],
  categorizeByGroup: false,
  categoryOrder: [...CATEGORIES, ...PARTS.map(([title]) => title)],
  navigation: { includeCategories: true, includeGroups: false },
  visibilityFilters: {},
  searchInComments: true,
  searchInDocuments: true,
  searchCategoryBoosts: BOOSTS,
  includeHierarchySummary: false,
  hideGenerator: true,
  customCss: join(work, 'style.css'),
  favicon: join(root, 'web/public/icon.svg'),
  lightHighlightTheme: 'min-light',
  darkHighlightTheme: 'min-dark',
  locales: { en: { theme_on_this_page: 'On this page', kind_type_alias: 'Type' } },
  highlightLanguages: [
    ...['js', 'c', 'console', 'sh', 'python', 'html', 'json', 'typescript', 'css', 'diff'],
    ...['jsx', 'astro', 'svelte', 'vue'],
  ],
  validation: { notExported: true, invalidLink: true, notDocumented: false },
  treatWarningsAsErrors: true,
});
// What types are made of has pages too, whether it has a name in the package or not.
loadMissingExports(app);
app.options.setValue('placeInternalsInOwningModule', true);
applyTheme(app, header);
const project = await app.convert();
if (!project) throw new Error('TypeDoc could not read the types');
app.validate(project);
await app.generateOutputs(project);
await cp(join(own, 'theme.js'), join(out, 'assets/theme.js'));
await setCodeColours();
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exitCode = 1;
