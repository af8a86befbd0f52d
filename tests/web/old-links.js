/**
 * Links that were written once, the digests that their runs end on, and the scores that they claim:
 * they are to open for good. `node tests/web/old-links.js` writes old-links.json, for scenes and
 * their choices that are not in it yet; what is there stays.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../web/engine/code.js';
import { ready } from '../../web/engine/problem.js';
import { proofOf } from '../../web/engine/proof.js';
import { scenes } from '../../web/scenes/index.js';
import { packMask } from '../../web/state/codec.js';
import { WRITE } from '../../web/state/history.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { openingState, validate } from '../../web/state/state.js';
import { openSession, sceneOf } from './runs.js';

/** @typedef {import('../../web/scenes/scene.js').Scene} Scene */
/** @typedef {import('../../web/engine/session.js').Session} Session */

const FILE = new URL('old-links.json', import.meta.url);

/**
 * By scene, or by scene and choice.
 * @type {Record<string, { link: string, digest: string, rival?: string, scores: Record<string, number> }>}
 */
export const oldLinks = JSON.parse(readFileSync(FILE, 'utf8'));

/** @param {Session} session */
const endOf = (session) => ({
  digest: session.main.digest(),
  ...(session.rival && { rival: session.rival.digest() }),
  scores: proofOf(session).readings,
});

/** What a link leads to. @param {string} link */
export async function replayLink(link) {
  const candidate = fromLink(link) ?? {};
  const scene = sceneOf(String(candidate.scene));
  await ready(scene);
  const { state, problems } = validate(candidate, openingState(scene));
  const session = openSession(state);
  const led = { ...endOf(session), problems, code: codeOf(session) };
  session.dispose();
  return led;
}

/** Returns the first size that is not large, as large grids make long links. @param {Scene} scene */
const usualSize = ({ sizes }) => sizes.find(([side]) => side <= 16) ?? sizes[0];

/** A person's data: a table with gaps, and measured points with their errors. */
const OWN = {
  cells: {
    rows: 3,
    cols: 4,
    values: [0.5, NaN, -1, 0.25, NaN, NaN, 1, -0.5, 0.125, 0, NaN, -0.75],
  },
  points: {
    rows: 5,
    cols: 3,
    values: [-2, 0.5, 0.1, 0, 3, 0.2, 1, 5, 0.1, 2, 1, 0.4, 4, 0.5, 0.1],
  },
};

/** Something of everything. @param {Scene} scene @param {Record<string, unknown>} patch */
async function write(scene, patch) {
  await ready(scene);
  const [rows, cols] = usualSize(scene);
  const { state } = validate({ rows, cols, beside: 'mask', ...patch }, openingState(scene));
  const session = openSession(state);
  const acts = (/** @type {import('../../web/state/history.js').Act[]} */ ...all) => {
    for (const act of all) session.do(act);
    session.advance(6);
  };
  acts();
  if (scene.takesBounds)
    acts({ do: 'bound', index: session.main.mask.indexOf(0), min: null, max: 0.25 });
  const flip = (/** @type {number} */ every) =>
    packMask(session.main.mask.map((bit, i) => (i % every ? bit : 1 - bit)));
  acts({ do: 'locks', mask: flip(3) });
  acts({ do: 'hold', cells: [0, 2] }, { do: WRITE, values: [-0, 0.125] });
  acts({ do: 'switch', to: 'mask' });
  acts({ do: 'locks', mask: flip(4) });
  acts({ do: 'release' }, { do: 'switch', to: 'lock' });
  const rates = { learningRate: 0.001, momentum: 0.5, weightDecay: 0.1 };
  acts({ do: 'optimizer', settings: { rule: 'nesterov', ...rates } });
  acts({ do: 'optimizer', settings: { rule: 'nesterov', ...rates, momentum: 0.25 } });
  // A peak whose width is pruned to 0 is NaN.
  if (!state.own) acts({ do: 'prune', fraction: 0.3 });
  if (!state.own) acts({ do: 'unprune' });
  acts({ do: 'assign', index: session.main.mask.indexOf(0), value: 0.25 });
  const link = toLink({ ...state, ...session.recipe() });
  const written = { link, ...endOf(session) };
  session.dispose();
  return written;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const scene of scenes) {
    oldLinks[scene.id] ??= await write(scene, {});
    const { link } = oldLinks[scene.id];
    for (const [name, offered] of Object.entries(scene.choices))
      for (const one of offered.filter((other) => !link.includes(`&${name}=${other}&`)))
        oldLinks[`${scene.id}, ${name}: ${one}`] ??= await write(scene, {
          choices: { [name]: one },
        });
    for (const size of scene.sizes.filter((one) => one[0] < 14 && one !== usualSize(scene))) {
      const [rows, cols] = size;
      oldLinks[`${scene.id}, ${rows} × ${cols}`] ??= await write(scene, { rows, cols });
    }
    if (scene.takesOwn) {
      const { values, ...size } = OWN[scene.takesOwn];
      const own = { ...size, values: Float32Array.from(values) };
      oldLinks[`${scene.id}, a person’s ${scene.takesOwn}`] ??= await write(scene, { own });
    }
  }
  writeFileSync(FILE, `${JSON.stringify(oldLinks, null, 2)}\n`);
}
