/* The published manifest: what users need of the repository's, and nothing else. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entries } from './entries.mjs';
import { root } from './places.mjs';

/**
 * The same paths, from the package; the condition that resolves to the sources is the repository's.
 * @param {unknown} value
 * @returns {any}
 */
const moved = (value) =>
  JSON.parse(JSON.stringify(value).replaceAll('./build/npm/', './'), (key, part) =>
    key === 'source' ? undefined : part,
  );

export const manifest = async () => {
  const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const exports = moved(own.exports);
  const { name, version, description, license, author, engines, keywords } = own;
  const { types, default: main } = exports['.'].require;
  // For resolution that knows no exports: TypeScript's of old, which reads these two.
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
    type: 'module',
    sideEffects: entries.flatMap(({ file, umd, isElement }) =>
      isElement ? [`./${file}`, `./${umd}`] : [],
    ),
    engines,
    exports,
    main,
    // Parcel knows no exports either, and takes ES modules by this name.
    module: exports['.'].default.default,
    types,
    typesVersions: { '*': Object.fromEntries(typesVersions) },
    // What a bare address of a CDN gives: a classic script.
    unpkg: main,
    jsdelivr: main,
    peerDependencies: { '@tensorflow/tfjs-core': '>=4', h5wasm: '>=0.10' },
    peerDependenciesMeta: {
      '@tensorflow/tfjs-core': { optional: true },
      h5wasm: { optional: true },
    },
    files: [
      ...entries.flatMap(({ file }) => [file, `${file}.map`]),
      ...['workerd.js', 'gradlock.wasm', 'types', 'umd', 'docs', 'CHANGELOG.md'],
    ],
  };
};
