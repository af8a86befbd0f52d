/* Tier: test. */
/**
 * Links of earlier versions of the demo, without a browser: they open, and end on the bits that
 * they ended on.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLink } from '../../web/state/link.js';
import { firstState, validate } from '../../web/state/state.js';
import { oldLinks, replayLink } from './old-links.js';

for (const [what, { link, ...end }] of Object.entries(oldLinks)) {
  test(`${what}: an old link ends on its digests and scores, and so does its code`, async () => {
    const { code, ...found } = await replayLink(link);
    assert.deepEqual(found, { ...end, problems: [] });
    const program = code
      .replace('console.log(', 'export default (')
      .replace(/(?<=from ')gradlock[^']*/g, (name) => import.meta.resolve(name));
    const { default: digest } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
    assert.equal(digest, end.digest);
  });
}

test('a link of an unknown version is reported', () => {
  const { link } = Object.values(oldLinks)[0];
  const { problems } = validate(fromLink(link.replace('v=1', 'v=2')) ?? {}, firstState());
  assert.deepEqual(problems, [{ field: 'version', given: 2 }]);
});
