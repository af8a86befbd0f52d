/** Weights: a small network, of which each weight can be locked or pruned. */

import { network } from '../shared/layered.js';
import { lesson } from './lesson.js';

/** @type {import('../scene.js').Scene} */
export const scene = { id: 'network', order: 7, ...network, ...lesson };
