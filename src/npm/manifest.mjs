/* The published manifest: only the parts of the repository's that users need. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, entries } from './entries.mjs';
import { root } from './paths.mjs';

/**
 * The files of an entry, by the conditions of hosts.
 * @param {import('./entries.mjs').Entry} entry
 */
const filesOf = ({ name, umd = name, workerd }) => {
  const types = `types/${name === 'double' ? 'double/double' : name}.d.ts`;
  const module = { types: `./${types}`, default: `./${name}.js` };
  return {
    ...(workerd && { workerd: { ...module, default: './workerd.js' } }),
    bun: module,
    'module-sync': module,
    require: { types: `./umd/${types}`, default: `./umd/${umd}.js` },
    default: module,
  };
};

export const manifest = async () => {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, author, repository, engines, keywords } = own;
  const exports = Object.fromEntries(
    entries.map((entry) => [entry.name === 'index' ? '.' : `./${entry.name}`, filesOf(entry)]),
  );
  const { require, default: module } = exports['.'] ?? {};
  const main = require?.default;
  return {
    name,
    version,
    description,
    keywords,
    license,
    author,
    repository,
    type: 'module',
    sideEffects: entries.flatMap(({ name, hasEffects }) =>
      hasEffects ? [`./${name}.js`, `./umd/${name}.js`] : [],
    ),
    engines,
    exports: {
      ...exports,
      './gradlock.wasm': { types: './types/wasm.d.ts', default: './gradlock.wasm' },
      './package.json': './package.json',
    },
    bin: { gradlock: `${command.name}.js` },
    main,
    // Parcel does not read `exports` either, and finds ES modules by this name.
    module: module?.default,
    // For resolvers without `exports`: old versions of TypeScript read these two.
    types: require?.types,
    typesVersions: {
      '*': Object.fromEntries(
        Object.entries(exports)
          .map(([path, { require }]) => [path.slice(2), [require.types]])
          .slice(1),
      ),
    },
    // The file at a CDN's bare address: a classic script.
    unpkg: main,
    jsdelivr: main,
    peerDependencies: { '@tensorflow/tfjs-core': '>=4', h5wasm: '>=0.10' },
    peerDependenciesMeta: {
      '@tensorflow/tfjs-core': { optional: true },
      h5wasm: { optional: true },
    },
    files: [
      ...[...entries, command].flatMap(({ name }) => [`${name}.js`, `${name}.js.map`]),
      ...['workerd.js', 'gradlock.wasm', 'types', 'umd', 'docs', 'CHANGELOG.md'],
    ],
  };
};
