/* Writes the bill of materials next to the packed package: gradlock-0.1.0.tgz gets
 * gradlock-0.1.0.cdx.json. It lists the hash of every file and the tools that made them. The same
 * package and tools give the same bytes.
 *
 *   node src/npm/sbom.mjs build/gradlock-0.1.0.tgz
 *
 * Source: CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json. */
import { execFileSync, execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { root } from './places.mjs';

/** @param {Uint8Array} bytes */
const hashesOf = (bytes) =>
  ['SHA-256', 'SHA-512'].map((alg) => ({
    alg,
    content: createHash(alg.replace('-', '')).update(bytes).digest('hex'),
  }));

/**
 * Returns the version that a compiler reports.
 * @param {string} variable
 * @param {string} otherwise
 */
const compiler = (variable, otherwise) =>
  execSync(`${process.env[variable] ?? otherwise} --version`, { encoding: 'utf8' }).split('\n')[0];

/** The compilers, by the file that they make. The packages below make the other files. */
const compilers = {
  'gradlock.wasm': compiler('EMCC', 'emcc'),
  'index.js': compiler('WASI_CC', 'clang'),
  'umd/gradlock.js': compiler('WASI_CC', 'clang'),
};

/** The packages in node_modules that make the files. */
const tools = ['esbuild', 'terser', '@gfx/zopfli', 'typescript'];

/** @param {string} name */
const packageOf = async (name) => {
  const text = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8');
  const { version, license } = JSON.parse(text);
  return { name, version, license, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
};

/** @param {string} tool */
const toolOf = async (tool) => {
  const { name, version, purl } = await packageOf(tool);
  return { type: 'application', name, version, purl };
};

/**
 * Returns the packages that a file has inside, by the notices that bundle.mjs writes.
 * @param {Uint8Array} bytes
 */
const contentsOf = (bytes) =>
  Promise.all(
    [...`${Buffer.from(bytes)}`.matchAll(/^\/\*! Contains (\S+) /gm)].map(
      async ([, inner = '']) => {
        const { name, version, license, purl } = await packageOf(inner);
        return { type: 'library', name, version, licenses: [{ license: { id: license } }], purl };
      },
    ),
  );

/**
 * Returns every file of a package by its path there.
 * @param {string} tarball
 */
const filesOf = async (tarball) => {
  const folder = await mkdtemp(join(tmpdir(), 'gradlock-sbom-'));
  try {
    execFileSync('tar', ['-xzf', tarball, '-C', folder]);
    const top = join(folder, 'package');
    const entries = await readdir(top, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(top.length + 1))
      .sort();
    return await Promise.all(
      paths.map(async (path) => ({
        path: path.replaceAll(sep, '/'),
        bytes: await readFile(join(top, path)),
      })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** @param {string} tarball */
const billOf = async (tarball) => {
  const packed = await readFile(tarball);
  const files = await filesOf(tarball);
  const own = files.find(({ path }) => path === 'package.json');
  const { name, version, description, license } = JSON.parse(`${own?.bytes}`);
  const purl = `pkg:npm/${name}@${version}`;
  const hashes = hashesOf(packed);
  // The first bits of the hash as an identifier, for documents that refer to this one.
  const [id = ''] = hashes.map(({ content }) =>
    content.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5'),
  );
  const licenses = [{ license: { id: license } }];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${id}`,
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      tools: { components: await Promise.all(tools.map(toolOf)) },
      component: {
        ...{ type: 'library', 'bom-ref': purl, name, version, description },
        ...{ hashes, licenses, purl },
      },
    },
    components: await Promise.all(
      files.map(async ({ path, bytes }) => ({
        type: 'file',
        'bom-ref': `${purl}#${path}`,
        name: path,
        hashes: hashesOf(bytes),
        licenses,
        ...(Object.hasOwn(compilers, path) && {
          properties: [
            { name: 'gradlock:compiler', value: compilers[/** @type {'index.js'} */ (path)] },
          ],
        }),
        ...(path === 'cli.js' && { components: await contentsOf(bytes) }),
      })),
    ),
    // At run time it needs no other package.
    dependencies: [{ ref: purl, dependsOn: [] }],
  };
};

const [tarball = ''] = process.argv.slice(2);
const bill = JSON.stringify(await billOf(tarball), null, 2);
await writeFile(tarball.replace(/\.tgz$/, '.cdx.json'), `${bill}\n`);
