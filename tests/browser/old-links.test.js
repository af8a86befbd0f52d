/** Links of earlier versions of the demo, without a browser: they open, and end on the bits that they ended on. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLink } from '../../web/state/link.js';
import { firstState, validate } from '../../web/state/state.js';
import { oldLinks, replayLink } from './old-links.js';

for (const [scene, { link, ...digests }] of Object.entries(oldLinks)) {
  test(`${scene}: an old link ends on its digests`, async () => {
    assert.deepEqual(await replayLink(link), { ...digests, problems: [] });
  });
}

test('a link of a version that is not known is named as one', () => {
  const { link } = Object.values(oldLinks)[0];
  const { problems } = validate(fromLink(link.replace('v=1', 'v=2')) ?? {}, firstState());
  assert.deepEqual(problems, [{ field: 'version', given: 2 }]);
});
