/**
 * Links that were written once, and the digests that their runs end on: they are to open for good. `node
 * tests/browser/old-links.js` writes old-links.json, for scenes that are not in it yet; what is there stays.
 */

import './raw.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import { ready } from '../../web/engine/networks.js';
import { Session } from '../../web/engine/session.js';
import { findScene, scenes } from '../../web/scenes/index.js';
import { packMask } from '../../web/state/codec.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { openingState, setupOf, validate } from '../../web/state/state.js';

/** @typedef {import('../../web/scenes/scene.js').Scene} Scene */
/** @typedef {import('../../web/state/state.js').State} State */

const FILE = new URL('old-links.json', import.meta.url);

/** By scene. @type {Record<string, { link: string, digest: string, rival?: string }>} */
export const oldLinks = JSON.parse(readFileSync(FILE, 'utf8'));

/** @param {import('gradlock').Gradlock} g @param {State} state */
function openSession(g, state) {
  const { optimizer, locks, zeros, events, beside, rival, step } = state;
  const scene = /** @type {Scene} */ (findScene(state.scene));
  const session = new Session(g, scene, setupOf(state), {
    ...{ optimizer, locks, zeros, events },
    look: { beside, rival },
  });
  for (const _ of session.opening(step, null));
  return session;
}

/** @param {Session} session */
const digestsOf = ({ main, rival }) => ({
  digest: main.digest(),
  ...(rival && { rival: rival.digest() }),
});

/** What a link leads to. @param {string} link */
export async function replayLink(link) {
  const g = await init();
  const candidate = fromLink(link) ?? {};
  const scene = /** @type {Scene} */ (findScene(String(candidate.scene)));
  await ready(scene);
  const { state, problems } = validate(candidate, openingState(scene));
  const session = openSession(g, state);
  const digests = digestsOf(session);
  session.dispose();
  g.dispose();
  return { ...digests, problems };
}

/** Something of everything. @param {Scene} scene */
async function write(scene) {
  await ready(scene);
  const g = await init();
  const [rows, cols] = scene.sizes.find(([side]) => side <= 16) ?? scene.sizes[0];
  const { state } = validate({ rows, cols, beside: 'mask' }, openingState(scene));
  const session = openSession(g, state);
  session.advance(12);
  const mask = session.main.mask.map((bit, i) => (i % 3 ? bit : 1 - bit));
  session.do({ do: 'locks', mask: packMask(mask) });
  session.advance(8);
  const settings = { rule: /** @type {const} */ ('adamW'), learningRate: 0.01, momentum: 0.9 };
  session.do({ do: 'optimizer', settings: { ...settings, weightDecay: 0.1 } });
  session.advance(11);
  session.do({ do: 'prune', fraction: 0.3 });
  const free = session.main.mask.indexOf(0);
  if (free >= 0) session.do({ do: 'assign', index: free, value: 0.25 });
  session.advance(9);
  const link = toLink({ ...state, ...session.recipe() });
  const written = { link, ...digestsOf(session) };
  session.dispose();
  g.dispose();
  return written;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const scene of scenes) oldLinks[scene.id] ??= await write(scene);
  writeFileSync(FILE, `${JSON.stringify(oldLinks, null, 2)}\n`);
}
