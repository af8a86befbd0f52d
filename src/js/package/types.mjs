/* The declarations, from the JSDoc, twice: TypeScript takes those in umd/, whose folder is of
 * CommonJS, for what `require` gives. */
import { execFileSync } from 'node:child_process';
import { cp, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicEntries } from './entries.mjs';
import { root, source, target } from './places.mjs';

/** What is written as declarations stays what it is. */
const written = [
  ...['configs', 'layers', 'models'].map((part) => `layers/api-${part}.d.ts`),
  'tfjs/api.d.ts',
];

/** Emit the declarations of everything that the entries reach. */
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
    outDir: join(target, 'types'),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const modules = publicEntries.map(({ from }) => join(source, from));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, ...args, ...modules], { cwd: root, stdio: 'inherit' });
  for (const name of written) await copyFile(join(source, name), join(target, 'types', name));
  await cp(join(target, 'types'), join(target, 'umd/types'), { recursive: true });
};
