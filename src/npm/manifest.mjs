/* The published manifest: only the parts of the repository's that users need. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, entries } from './entries.mjs';
import { root } from './places.mjs';

/**
 * The same paths, relative to the package. Two conditions are only in the repository: one resolves
 * to the sources, and one to gradlock/double.
 * @param {unknown} value
 * @returns {any}
 */
const moved = (value) =>
  JSON.parse(JSON.stringify(value).replaceAll('./build/npm/', './'), (key, part) =>
    key === 'source' || key === 'double' ? undefined : part,
  );

export const manifest = async () => {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const exports = moved(own.exports);
  const { name, version, description, license, author, repository, engines, keywords } = own;
  const { types, default: main } = exports['.'].require;
  // For resolvers without `exports`: old versions of TypeScript read these two.
  const typesVersions = Object.entries(exports).flatMap(([path, { require }]) =>
    path !== '.' && require ? [[path.slice(2), [require.types]]] : [],
  );
  return {
    name,
    version,
    description,
    keywords,
    license,
    author,
    repository,
    type: 'module',
    sideEffects: entries.flatMap(({ file, umd, hasEffects }) =>
      hasEffects ? [`./${file}`, `./${umd}`] : [],
    ),
    engines,
    exports,
    bin: { gradlock: command.file },
    main,
    // Parcel does not read `exports` either, and finds ES modules by this name.
    module: exports['.'].default.default,
    types,
    typesVersions: { '*': Object.fromEntries(typesVersions) },
    // The file at a CDN's bare address: a classic script.
    unpkg: main,
    jsdelivr: main,
    peerDependencies: { '@tensorflow/tfjs-core': '>=4', h5wasm: '>=0.10' },
    peerDependenciesMeta: {
      '@tensorflow/tfjs-core': { optional: true },
      h5wasm: { optional: true },
    },
    files: [
      ...entries.flatMap(({ file }) => [file, `${file}.map`]),
      ...[command.file, `${command.file}.map`],
      ...['workerd.js', 'gradlock.wasm', 'types', 'umd', 'docs', 'CHANGELOG.md'],
    ],
  };
};
