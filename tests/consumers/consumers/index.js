/* Every place where people import things. */
import { bundlers } from './bundlers.js';
import { frameworks } from './frameworks.js';
import { node } from './node.js';
import { pages } from './pages.js';
import { runtimes } from './runtimes.js';
import { testers } from './testers.js';
import { typescript } from './typescript.js';

/** In the order of the table. @type {import('./types.js').Consumers} */
export const consumers = [
  ...node,
  ...typescript,
  ...runtimes,
  ...bundlers,
  ...frameworks,
  ...testers,
  ...pages,
];
