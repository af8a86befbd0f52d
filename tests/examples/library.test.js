/* The C library as others get it: what `make lib` builds and `make install` copies, and the sources compiled into a
 * project with its own flags, which gives the same bits or does not compile. docs/c.md says so. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { test } from 'node:test';
import { runNatively } from '../js/digest-native.js';
import { printed, root, shell } from './run.js';
import { firstComment, transcriptOf } from './transcript.js';

const text = (/** @type {string} */ path) => readFile(root + path, 'utf8');
const guide = await text('docs/c.md');
const hello = transcriptOf(firstComment(await text('docs/examples/hello.c'))).output;
const scratch = 'build/examples';
const lines = (/** @type {string} */ output) => output.split('\n').filter((line) => line);

test('the shared library shows what gradlock.h declares and nothing else', async () => {
  const declared = lines((await text('src/c/bind/exports.txt')).replace(/#.*/g, ''))
    .map((name) => name.trim())
    .filter((name) => !name.startsWith('glk_bind_'));
  const shown = lines(await printed(['nm -D --defined-only build/lib/libgradlock.so'])).map(
    (line) => line.split(' ').at(-1),
  );
  assert.deepEqual(shown.toSorted(), declared.toSorted());
});

test('the static library defines names that begin with glk_ only', async () => {
  const names = lines(await printed(['nm -g --defined-only build/lib/libgradlock.a']))
    .filter((line) => / [A-Z] /.test(line))
    .map((line) => line.split(' ').at(-1));
  assert.ok(names.includes('glk_context_create'));
  assert.deepEqual(
    names.filter((name) => !name?.startsWith('glk_')),
    [],
  );
});

test('the library asks the host for memory, strings and threads: no libm, no files, no printing', async () => {
  const output = await printed(['nm -D --undefined-only build/lib/libgradlock.so']);
  const names = lines(output)
    .filter((line) => / U /.test(line)) // the others are weak ones of the loader
    .map((line) => line.split(' ').at(-1)?.replace(/@.*/, ''));
  const may =
    /^(aligned_alloc|free|mem(chr|cmp|cpy|move|set)|str(cmp|len)|pthread_\w+|sched_yield)$/;
  assert.deepEqual(
    names.filter((name) => !may.test(name ?? '')),
    [],
  );
});

test('the shared library is asked for by major and minor version', async () => {
  const { version } = JSON.parse(await text('package.json'));
  const soname = `libgradlock.so.${version.replace(/\.\d+$/, '')}`;
  const names = (await readdir(`${root}build/lib`)).filter((name) => name.includes('.so'));
  assert.deepEqual(names.toSorted(), ['libgradlock.so', soname, `libgradlock.so.${version}`]);
  const dynamic = await printed(['objdump -p build/lib/libgradlock.so']);
  assert.equal(dynamic.match(/SONAME +(\S+)/)?.[1], soname);
  const found = await printed(['PKG_CONFIG_PATH=build/lib pkg-config --modversion gradlock']);
  assert.equal(found.trim(), version);
});

test('the installed library works from its prefix, and after it was moved', async () => {
  const there = `${root}${scratch}/installed`;
  const moved = `${root}${scratch}/moved`;
  await mkdir(root + scratch, { recursive: true });
  await Promise.all([there, moved].map((path) => rm(path, { recursive: true, force: true })));
  const { code, stderr } = await shell([`make install DESTDIR='${there}' PREFIX=/usr`]);
  assert.equal(code, 0, stderr);
  const env = { PKG_CONFIG_PATH: `${moved}/usr/lib/pkgconfig` };
  await rename(there, moved);
  const link = 'cc docs/examples/hello.c $(pkg-config --cflags --libs gradlock)';
  const output = await printed(
    [
      `${link} -o ${scratch}/hello-installed`,
      `LD_LIBRARY_PATH='${moved}/usr/lib' ${scratch}/hello-installed`,
    ],
    env,
  );
  assert.equal(output, hello);
});

/** Compilers and flags of other people's projects, as the Makefile has them; the guide has gcc -O2. */
const OTHERS = ['gcc -O0', 'gcc -O3 -march=native -D_FORTIFY_SOURCE=2', 'clang -O2 -march=native'];
for (const [i, compiler] of OTHERS.entries()) {
  test(`the sources compiled by plain ${compiler} give the bits of the library`, async () => {
    const sources = `build/plain/${compiler.replaceAll(' ', '+')}.o`;
    const to = `${scratch}/plain-${i}`;
    const output = await printed([
      `mkdir -p ${scratch}`,
      `${compiler} -Isrc/c -Isrc/c/include docs/examples/hello.c ${sources} -o ${to}`,
      to,
      `cc -Isrc/c -Isrc/c/include -Itests/c -w tests/c/test_digest.c ${sources} -lm -o ${to}-digest`,
      `${to}-digest`,
    ]);
    assert.ok(output.startsWith(hello), output.slice(0, 200));
    const digests = lines(output.slice(hello.length)).filter((line) =>
      /^(digest|drawn) /.test(line),
    );
    assert.deepEqual(digests, (await runNatively()).lines);
  });
}

const isX86 = process.arch === 'x64';
for (const [flags, advice] of /** @type {const} */ ([
  ['gcc -ffast-math', /without -ffast-math, -Ofast and their parts/],
  ['gcc -Ofast', /without -ffast-math/],
  ['gcc -ffinite-math-only', /without -ffast-math/],
  ['gcc -fno-signed-zeros', /without -ffast-math/],
  ['gcc -freciprocal-math', /without -ffast-math/],
  ['gcc -fassociative-math -fno-signed-zeros -fno-trapping-math', /without -ffast-math/],
  ['clang -ffast-math', /without -ffast-math/],
  ['clang -ffinite-math-only', /without -ffast-math/],
  ...(isX86 ? /** @type {const} */ ([['gcc -mfpmath=387', /with -msse2 -mfpmath=sse/]]) : []),
])) {
  test(`the sources refuse ${flags}`, async () => {
    const { code, stderr } = await shell([
      `${flags} -Isrc/c -Isrc/c/include -fsyntax-only src/c/kernels/elementwise.c`,
    ]);
    assert.notEqual(code, 0);
    assert.match(stderr, /error: .*gradlock is exact to the bit/);
    assert.match(stderr, advice);
    assert.ok(guide.includes(`\`${flags.split(' ')[1]}`), `docs/c.md is silent about ${flags}`);
  });
}

test('the guide names every flag that the library is built with for the sake of its bits', async () => {
  const flags = (await text('Makefile')).match(/^CFLAGS := (.*)$/m)?.[1].match(/-f[a-z-=]+/g) ?? [];
  assert.deepEqual(flags, ['-ffp-contract=off', '-fno-math-errno']);
  for (const flag of flags) assert.ok(guide.includes(`\`${flag}\``), flag);
});

test('the commands of the guide run as they stand there', async () => {
  const { commands, output } = transcriptOf(guide);
  const left = commands.filter((command) => !command.startsWith('make '));
  assert.ok(left.length >= 5, `${left.length} commands`);
  assert.equal(await printed(left), output);
});
