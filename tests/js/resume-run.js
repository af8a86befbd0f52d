/* Goes on where other processes left off: reads a file for each case from the folder given, and
 * prints what comes out. */
import { readFileSync } from 'node:fs';
import { loadModel } from 'gradlock/formats';
import { BROKEN_OFF, CASES, digestOf, EPOCHS, open, registerOwn } from './resume-cases.js';

const [folder] = process.argv.slice(2);
/** @type {Record<string, unknown>} */
const found = {};
for (const [i, [name, given]] of Object.entries(CASES).entries()) {
  for (const [from, file] of [
    ['a checkpoint', `${i}`],
    ['a fit that ended', `${i}-ended`],
  ]) {
    const { nn, compile, fit } = await open(given, name);
    registerOwn(nn);
    const { metrics } = compile;
    const bytes = readFileSync(`${folder}/${file}.safetensors`);
    const net = /** @type {any} */ (await loadModel(nn, bytes, { compile: { metrics } }));
    const { history } = await fit(net, BROKEN_OFF, EPOCHS);
    found[`${name} from ${from}`] = { digest: digestOf(net), history };
  }
}
console.log(JSON.stringify(found));
