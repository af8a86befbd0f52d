/* TypeScript: strict, with all libraries checked, by each way of resolving, with and without dom.
 * What it emits is run. */
import { WORKS } from './types.js';

/** @typedef {import('./types.js').Consumers} Consumers */
/** @typedef {import('./types.js').Cell} Cell */

/** How each way is asked for. */
const WAYS = [
  { name: 'node16', module: 'node16', type: 'module' },
  { name: 'node16, CommonJS', module: 'node16', type: 'commonjs' },
  { name: 'nodenext', module: 'nodenext', type: 'module' },
  { name: 'bundler', module: 'esnext', type: 'module', resolution: 'bundler' },
];

/** @typedef {(typeof WAYS)[number] & { lib: string[] }} Way */

/** @param {Way} way @returns {Cell} */
const cell = ({ name, module, type, resolution, lib }) => ({
  name: `${name}${lib.includes('dom') ? '' : ', no dom'}`,
  inlined: WORKS,
  external: WORKS,
  quick: name === 'nodenext',
  async run(place) {
    place.template('typescript');
    place.write('app/main.ts', place.read('main.ts'));
    place.write('app/program.d.ts', place.read('program.d.ts'));
    const compilerOptions = {
      ...{ strict: true, skipLibCheck: false, target: 'es2022', lib, types: [] },
      ...{ module, moduleResolution: resolution, rootDir: 'app', outDir: 'out' },
    };
    const config = { compilerOptions, files: ['app/main.ts'] };
    place.write('tsconfig.json', JSON.stringify(config));
    // The nearest package.json says whether a file is CommonJS.
    for (const folder of ['app', 'out']) {
      place.write(`${folder}/package.json`, JSON.stringify({ type }));
    }
    await place.run('tsc', ['--project', '.']);
    place.write('out/program.js', place.read(type === 'module' ? 'program.js' : 'program.cjs'));
    place.write('out/print.mjs', "import { line } from './main.js';\nconsole.log(await line);\n");
    return place.prints('node', ['out/print.mjs']);
  },
});

const DOM = ['es2022', 'dom'];
const cells = [
  ...WAYS.map((way) => cell({ ...way, lib: DOM })),
  ...WAYS.filter(({ name }) => name === 'nodenext').map((way) => cell({ ...way, lib: ['es2022'] })),
];

/** @type {Consumers} */
export const typescript = ['5.0', '5.4', '5.6', '5.9', '7'].map((version) => ({
  name: `TypeScript ${version}`,
  versions: `typescript${version}`,
  isHere: version === '7',
  cells,
}));
