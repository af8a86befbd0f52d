/* Runs test files of gradlock on gradlock/double: the condition "double" of the repository's
 * package.json makes 'gradlock' the entry in f64. Left out are those that compare with
 * results in f32, bit by bit. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEADY } from './steady.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Test files, and which of their tests, if not all. Node.js 20 also looks at `<root> name`.
 * @type {[string, string?][]}
 */
const FILES = [
  ['bounds', '^(bounds are (?!of)|listeners|steps|held|the pressure|what cannot)'],
  ['calls'],
  ['equality'],
  ['formats', '^(?!a file of version 1, as|other types)[a-z\\d]'],
  ['formats-json'],
  ['golden-constraints'],
  ['golden-derivatives'],
  ['golden-fit'],
  ['golden-formats'],
  ['golden-layers'],
  ['laws', '^law (?!9: equal bits)'],
  ['layers-callbacks'],
  ['layers-failures'],
  ['layers-fit'],
  ['layers-kinds'],
  ['layers-models'],
  ['layers-networks'],
  ['layers-own-shapes'],
  ['layers-pure'],
  ['layers-recurrent'],
  ['layers-shapes'],
  ['layers-training'],
  ['layers-windows'],
  ['lock-holders'],
  ['prefix', '^(?!a budget|the prefix runs once)[a-z\\d]'],
  ['pressure'],
  ['pressure-lift'],
  ['pressure-report'],
  ['program'],
  ['safetensors'],
  ['scatter-variable'],
  ['schedules'],
  ['selection'],
  ['tape'],
  ['tie'],
];

for (const [name, pattern] of FILES) {
  test(`tests/js/${name}.test.js passes in double precision`, async () => {
    const some = pattern ? [`--test-name-pattern=${pattern}`] : [];
    const args = [...STEADY, '--test-force-exit', '--conditions=double', '--test-reporter=tap'];
    const env = { ...process.env };
    delete env.NODE_TEST_CONTEXT; // the process has tests of its own
    const child = spawn(process.execPath, [...args, ...some, `tests/js/${name}.test.js`], {
      cwd: root,
      env,
    });
    let said = '';
    child.stdout.on('data', (part) => (said += part));
    child.stderr.on('data', (part) => (said += part));
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, said);
    assert.match(said, /^# pass [1-9]/m);
  });
}
