/**
 * Links that were written once, the digests that their runs end on, and the scores that they claim:
 * they are to open for good. `node tests/browser/old-links.js` writes old-links.json, for scenes and
 * their choices that are not in it yet; what is there stays.
 */

import './raw.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import { codeOf } from '../../web/engine/code.js';
import { ready } from '../../web/engine/networks.js';
import { proofOf } from '../../web/engine/proof.js';
import { Session } from '../../web/engine/session.js';
import { findScene, scenes } from '../../web/scenes/index.js';
import { packMask } from '../../web/state/codec.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { openingState, setupOf, validate } from '../../web/state/state.js';

/** @typedef {import('../../web/scenes/scene.js').Scene} Scene */
/** @typedef {import('../../web/state/state.js').State} State */

const FILE = new URL('old-links.json', import.meta.url);

/**
 * By scene, or by scene and choice.
 * @type {Record<string, { link: string, digest: string, rival?: string, scores: Record<string, number> }>}
 */
export const oldLinks = JSON.parse(readFileSync(FILE, 'utf8'));

/** @param {import('gradlock').Gradlock} g @param {State} state @param {import('../../web/engine/session.js').Checkpoint | null} [checkpoint] */
export function openSession(g, state, checkpoint = null) {
  const { optimizer, locks, zeros, events, beside, rival, step } = state;
  const scene = /** @type {Scene} */ (findScene(state.scene));
  const session = new Session(g, scene, setupOf(state), {
    ...{ optimizer, locks, zeros, events },
    look: { beside, rival },
  });
  for (const _ of session.opening(step, checkpoint));
  return session;
}

/** @param {Session} session */
const endOf = (session) => ({
  digest: session.main.digest(),
  ...(session.rival && { rival: session.rival.digest() }),
  scores: proofOf(session).readings,
});

/** What a link leads to. @param {string} link */
export async function replayLink(link) {
  const g = await init();
  const candidate = fromLink(link) ?? {};
  const scene = /** @type {Scene} */ (findScene(String(candidate.scene)));
  await ready(scene);
  const { state, problems } = validate(candidate, openingState(scene));
  const session = openSession(g, state);
  const led = { ...endOf(session), problems, code: codeOf(session) };
  session.dispose();
  g.dispose();
  return led;
}

/** Something of everything. @param {Scene} scene @param {Record<string, string>} choices */
async function write(scene, choices) {
  await ready(scene);
  const g = await init();
  const [rows, cols] = scene.sizes.find(([side]) => side <= 16) ?? scene.sizes[0];
  const { state } = validate({ rows, cols, choices, beside: 'mask' }, openingState(scene));
  const session = openSession(g, state);
  const acts = (/** @type {import('../../web/state/history.js').Act[]} */ ...all) => {
    for (const act of all) session.do(act);
    session.advance(6);
  };
  acts();
  if (scene.takesBounds)
    acts({ do: 'bound', index: session.main.mask.indexOf(0), min: null, max: 0.25 });
  acts({ do: 'locks', mask: packMask(session.main.mask.map((bit, i) => (i % 3 ? bit : 1 - bit))) });
  acts({ do: 'hold', cells: [1, 4] }, { do: 'place', values: [-0, 0.125] });
  acts({ do: 'release' }, { do: 'switch', to: 'mask' });
  acts({ do: 'switch', to: 'lock' });
  const rates = { learningRate: 0.001, momentum: 0.5, weightDecay: 0.1 };
  acts({ do: 'optimizer', settings: { rule: 'nesterov', ...rates } });
  acts({ do: 'prune', fraction: 0.3 });
  acts({ do: 'unprune' }, { do: 'assign', index: session.main.mask.indexOf(0), value: 0.25 });
  const link = toLink({ ...state, ...session.recipe() });
  const written = { link, ...endOf(session) };
  session.dispose();
  g.dispose();
  return written;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const scene of scenes) {
    oldLinks[scene.id] ??= await write(scene, {});
    for (const [name, [, ...others]] of Object.entries(scene.choices))
      for (const one of others)
        oldLinks[`${scene.id}, ${name}: ${one}`] ??= await write(scene, { [name]: one });
  }
  writeFileSync(FILE, `${JSON.stringify(oldLinks, null, 2)}\n`);
}
