/* Wrote tests/js/states/version-2.json, once: a state of version 2 as the last gradlock that wrote
 * such made it, and where training goes on to from there. Never to be written anew, or it would say
 * nothing; a later version gets a script and a fixture of its own.
 *
 * Of w, 40 × 100 elements in four pages of 1,024, rows were locked and freed between steps: in the
 * first page free elements have one count and locked ones another, in the second and third each
 * have several, the last was locked all along. b was never locked. */
import { writeFileSync } from 'node:fs';
import { init } from 'gradlock';
import { digest, model } from '../js/states/model.js';

const run = model(await init());
const { w, b, loss, optimizer, train, toggle } = run;
w.lock('all');
w.unlock({ rows: [2, 5, 12, 13] });
train(3);
toggle([12, 15, 22]);
train(2);
toggle([13, 25]);
train(1);
const bytes = optimizer.toBytes({ variables: [w, b], also: [loss] });
const before = digest(run);
toggle([2, 5, 22, 33]);
train(3);
toggle([2, 33]);
train(4);

const state = Buffer.from(bytes).toString('base64');
writeFileSync(
  new URL('../js/states/version-2.json', import.meta.url),
  `${JSON.stringify({ state, before, after: digest(run) }, null, 2)}\n`,
);
