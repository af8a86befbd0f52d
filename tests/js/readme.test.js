/* The README's second example, line by line as it stands there. The first one is run from the packed tarball, in
 * package.test.js. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';

test('each line of the README on changing locks does what its comment says', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const block = [...readme.matchAll(/```js\n([\s\S]*?)```/g)][1][1];
  const lines = block.split('\n').filter((line) => line.startsWith('x.'));
  assert.equal(lines.length, 7);
  const g = await init();
  // As the first example leaves it.
  const x = g.variable([
    [1, 0],
    [0, 4],
  ]);
  x.lock([
    [0, 1],
    [1, 0],
  ]);
  const locksAfter = [];
  for (const line of lines) {
    const run = () => new Function('x', line)(x);
    if (line.includes('LockedElementError')) {
      const before = x.digest();
      assert.throws(run, LockedElementError);
      assert.equal(x.digest(), before);
    } else {
      run();
    }
    locksAfter.push(Array.from(x.locks.toMask()).join(''));
  }
  assert.deepEqual(locksAfter, ['1110', '1111', '0110', '0110', '0110', '0111', '0111']);
  assert.deepEqual(x.array(), [
    [1, 2],
    [0, 4],
  ]);
});
