/* Writes the declarations from the JSDoc, twice. TypeScript uses those in umd/, a CommonJS folder,
 * for `require`. TypeScript's own output stays in build/types, for the reference. */
import { execFileSync } from 'node:child_process';
import { copyFile, cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleDeclarations, inDouble } from './declarations.mjs';
import { addDouble } from './double-types.mjs';
import { entries } from './entries.mjs';
import { writeLayerTypes } from './layer-types.mjs';
import { root, source, target } from './places.mjs';
import { restoreComments } from './type-comments.mjs';

const emitted = join(root, 'build/types');

/** Sources that are declarations are copied unchanged. */
const written = ['tfjs/api.d.ts'];

/**
 * The declaration of `import wasm from 'gradlock/gradlock.wasm'`. Bundlers return different things
 * for it; init accepts all of them.
 */
const WASM = `import type { InitOptions } from './external.js';

/** The compiled module, its bytes or its address, by your bundler: for \`init({ wasm })\`. */
declare const wasm: NonNullable<InitOptions['wasm']>;
export default wasm;
`;

/** Write the declarations of everything that users can reach from the entries. */
export const writeTypes = async () => {
  const options = {
    allowJs: true,
    checkJs: true,
    declaration: true,
    emitDeclarationOnly: true,
    strict: true,
    stripInternal: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: 'es2023,dom,esnext.disposable',
    module: 'nodenext',
    types: 'node',
    ignoreConfig: true,
    rootDir: source,
    outDir: emitted,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const modules = entries.map(({ from }) => join(source, from));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await rm(emitted, { recursive: true, force: true });
  execFileSync(process.execPath, [tsc, ...args, ...modules], { cwd: root, stdio: 'inherit' });
  await restoreComments(emitted);
  for (const name of written) await copyFile(join(source, name), join(emitted, name));
  await writeLayerTypes(emitted);
  /** @type {Record<string, string[]>} */
  const exported = {};
  for (const { file } of entries) {
    exported[file.replace('.js', '')] = Object.keys(await import(join(target, file)));
  }
  const { double = [], ...others } = exported;
  const { layers = [], fit = [] } = others;
  await bundleDeclarations(emitted, join(target, 'types'), others);
  const own = { double, layers, fit };
  await bundleDeclarations(emitted, join(target, 'types/double'), own, inDouble);
  await addDouble(join(target, 'types'));
  await writeFile(join(target, 'types/wasm.d.ts'), WASM);
  await cp(join(target, 'types'), join(target, 'umd/types'), { recursive: true });
};
