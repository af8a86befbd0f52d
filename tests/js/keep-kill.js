/* Trains in a folder until it is killed: by itself, at the moment with a number. Moments are steps,
 * and the begin, middle and end of all that it asks of the disk. It says which saves returned. */
import fs from 'node:fs';
import { init } from 'gradlock';
import { keep } from 'gradlock/keep';
import { NAME, train } from './keep-training.js';

const [folder = '', last = ''] = process.argv.slice(2);
/** What each was. @type {string[]} */
const moments = [];

/** @param {string} kind */
const moment = (kind) => {
  moments.push(kind);
  if (moments.length !== Number(last)) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;); // Until it comes.
};

/** @param {any} object @param {string} name @param {(...given: any[]) => unknown} [halve] */
const watch = (object, name, halve) => {
  const own = object[name].bind(object);
  object[name] = async (/** @type {any[]} */ ...given) => {
    moment(`before ${name}`);
    if (halve && moments.length + 1 === Number(last)) await halve(...given);
    moment(`in ${name}`);
    const result = await own(...given);
    moment(`after ${name}`);
    return result;
  };
};

const { promises } = fs;
for (const name of ['mkdir', 'readdir', 'readFile', 'rename', 'rm']) watch(promises, name);
const open = promises.open.bind(promises);
promises.open = async (...given) => {
  moment('before open');
  const file = await open(...given);
  const write = file.write.bind(file);
  watch(file, 'writeFile', (bytes) => write(bytes.subarray(0, bytes.length >> 1)));
  watch(file, 'sync');
  watch(file, 'close');
  moment('after open');
  return file;
};

const run = await keep(NAME, { folder });
fs.writeSync(1, `found ${run.found?.note.step ?? 0} ${run.problems.length}\n`);
const { digest } = await train(await init(), run, {
  stepped: () => moment('step'),
  saved: (step, is) => fs.writeSync(1, `saved ${step} ${is}\n`),
});
fs.writeSync(1, `ended ${digest} ${moments.join().replaceAll(' ', '_')}\n`);
