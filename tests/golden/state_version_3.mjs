/* Wrote tests/js/states/version-3.json, once: a solver's state of version 3 as the last gradlock
 * that wrote such made it, and where the fit goes on to from there. Never to be written anew, or it
 * would say nothing; a later version gets a script and a fixture of its own. */
import { writeFileSync } from 'node:fs';
import { init } from 'gradlock';
import { peaks } from '../js/states/peaks.js';

const { b, fit, program, digest } = peaks(await init());
fit.minimize(program, { variables: [b], steps: 3 });
const bytes = fit.toBytes({ variables: [b], also: [program] });
const before = digest();
fit.minimize(program, { variables: [b], steps: 4 });

const state = Buffer.from(bytes).toString('base64');
writeFileSync(
  new URL('../js/states/version-3.json', import.meta.url),
  `${JSON.stringify({ state, before, after: digest() }, null, 2)}\n`,
);
