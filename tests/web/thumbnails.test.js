/* Tier: all. */
/** The cards' small pictures are what the engine makes of each scene today, without a browser. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { recordThumbnails } from './thumbnails.js';

test('each card’s frames are those of its scene’s run (node tests/web/thumbnails.js)', async () => {
  const recorded = await recordThumbnails();
  for (const { id } of scenes) {
    const file = new URL(`../../web/scenes/${id}/thumbnail.json`, import.meta.url);
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(kept, recorded[id], id);
    assert.notEqual(kept.frames[0], kept.frames.at(-1), `${id} moves`);
  }
});
