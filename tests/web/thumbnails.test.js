/* Tier: test. */
/** The cards' small pictures are what the engine makes of each scene today, without a browser. */

import './raw.js';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { recordThumbnails } from './thumbnails.js';

const file = new URL('../../web/scenes/thumbnails.txt', import.meta.url);
const kept = JSON.parse(readFileSync(file, 'utf8'));

test('each card’s frames are those of its scene’s run (node tests/web/thumbnails.js)', async () => {
  assert.deepEqual(
    Object.keys(kept),
    scenes.map(({ id }) => id),
  );
  const recorded = await recordThumbnails();
  for (const { id } of scenes) {
    assert.deepEqual(kept[id], recorded[id], id);
    const { frames } = kept[id];
    assert.notEqual(frames[0], frames.at(-1), `${id} moves`);
  }
});
