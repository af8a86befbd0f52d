/**
 * Runs of scenes without a page: opened as the demo's engine opens them, in one instance of the
 * library.
 */

import './raw.js';
import assert from 'node:assert/strict';
import { init } from 'gradlock';
import { ready } from '../../web/engine/problem.js';
import { Session } from '../../web/engine/session.js';
import { findScene } from '../../web/scenes/index.js';
import { openingState, validate } from '../../web/state/state.js';

/** @typedef {import('../../web/scenes/scene.js').Scene} Scene */
/** @typedef {import('../../web/state/state.js').State} State */
/** @typedef {import('../../web/engine/session.js').Checkpoint} Checkpoint */

export const g = await init();

/** Numbers from 0 to 1, the same for every run. @param {number} seed */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {string} id */
export const sceneOf = (id) => /** @type {Scene} */ (findScene(id));

/** Opens a state of a scene whose data is there. @param {State} state @param {Checkpoint | null} [checkpoint] @param {Scene} [scene] */
export function openSession(state, checkpoint = null, scene = sceneOf(state.scene)) {
  const session = new Session(g, scene, state);
  for (const _ of session.open(state.step, checkpoint));
  return session;
}

/** A scene's opening state with valid changes. @param {string} id @param {Record<string, unknown>} [patch] */
export async function stateOf(id, patch = {}) {
  const scene = sceneOf(id);
  await ready(scene);
  const { state, problems } = validate(patch, openingState(scene));
  assert.deepEqual(problems, []);
  return state;
}

/** @param {string} id @param {Record<string, unknown>} [patch] */
export const openRun = async (id, patch) => openSession(await stateOf(id, patch));
