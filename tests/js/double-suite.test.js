/* Runs the test files of gradlock that say so in their first line (tests/matrix.js) on
 * gradlock/double: the condition "double" of the repository's package.json makes 'gradlock' the
 * entry in f64. Others compare with results in f32, bit by bit. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filesOf } from '../matrix.js';
import { STEADY } from './steady.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

// Node.js 20 also looks at `<root> name`.
for (const { file, pattern } of filesOf('f64')) {
  test(`${file} passes in double precision`, async () => {
    const some = pattern ? [`--test-name-pattern=${pattern}`] : [];
    const args = [...STEADY, '--test-force-exit', '--conditions=double', '--test-reporter=tap'];
    const env = { ...process.env };
    delete env.NODE_TEST_CONTEXT; // the process has tests of its own
    const child = spawn(process.execPath, [...args, ...some, file], { cwd: root, env });
    let said = '';
    child.stdout.on('data', (part) => (said += part));
    child.stderr.on('data', (part) => (said += part));
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.equal(code, 0, said);
    assert.match(said, /^# pass [1-9]/m);
  });
}
