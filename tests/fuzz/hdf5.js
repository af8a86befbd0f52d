/* Files of Keras, damaged: HDF5 is read by h5wasm, which may never end. So each file is read in a
 * worker; one that answers for too long is stopped, and must have been inside h5wasm then. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** @typedef {import('./hdf5-worker.mjs').Input} Input */
/** @typedef {{ refused?: boolean, isTrap?: boolean, broken?: string }} Answer */

/** Files of each kind, and of two writers. */
const FILES = ['dense.h5', 'dense.weights.h5', 'keras2.h5', 'recurrent.weights.h5'];

/** Milliseconds after which h5wasm is given up, and after which anything else is, on the slowest machine. */
const [MOST_TIME, HANGS] = [5000, 600_000];

export class Hdf5Fuzzer {
  /** @type {Worker | null} */
  #worker = null;
  #within = new Int32Array(new SharedArrayBuffer(4));
  /** How inputs ended. */
  count = { sound: 0, refused: 0, trapped: 0, endless: 0 };

  /** Number of bytes of each file. */
  sizes = new Map(
    FILES.map((name) => [
      name,
      statSync(new URL(`../golden/formats/${name}`, import.meta.url)).size,
    ]),
  );

  get #isWithin() {
    return Atomics.load(this.#within, 0) === 1;
  }

  /**
   * @param {Input} input
   * @returns {Promise<Answer | null>} null if it did not end.
   */
  #ask(input) {
    const url = new URL('hdf5-worker.mjs', import.meta.url);
    this.#worker ??= new Worker(url, {
      workerData: this.#within.buffer,
      stdout: true,
      stderr: true,
    });
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const start = performance.now();
      const settle = (/** @type {() => void} */ end) => {
        clearInterval(timer);
        worker.off('message', answered).off('error', failed);
        end();
      };
      const answered = (/** @type {Answer} */ answer) => settle(() => resolve(answer));
      const failed = (/** @type {Error} */ error) => settle(() => reject(error));
      const timer = setInterval(() => {
        const isOver = this.#isWithin || performance.now() - start > HANGS;
        if (isOver) settle(() => resolve(null));
      }, MOST_TIME);
      worker.on('message', answered).on('error', failed);
      worker.postMessage(input);
    });
  }

  /** Hold one file to the rules. @param {Input} input */
  async run(input) {
    const what = `${input.name}, ${input.way} ${input.at}`;
    const answer = await this.#ask(input);
    if (answer?.broken) assert.fail(answer.broken);
    if (answer) {
      this.count[answer.refused ? 'refused' : 'sound']++;
      if (answer.isTrap) {
        // h5wasm's memory may be damaged, and refuse what is whole.
        this.count.trapped++;
        await this.close();
      }
      return answer;
    }
    const isWithin = this.#isWithin;
    await this.close();
    assert.ok(isWithin, `${what}: no end, and not inside h5wasm`);
    this.count.endless++;
    return null;
  }

  /** Every file as it is must be sound. */
  async check() {
    for (const name of FILES) {
      const answer = await this.run({ name, way: 'whole', at: 0 });
      assert.equal(answer?.refused, false, `${name} was refused`);
    }
  }

  /** Cuts and turned bits, every so many bytes. @param {number} step */
  async everyByte(step) {
    for (const [name, size] of this.sizes) {
      for (let at = 0; at < size; at += step) {
        await this.run({ name, way: 'cut', at });
        await this.run({ name, way: 'turn', at: 8 * at + (at % 8) });
      }
    }
  }

  /** One random input. @param {number} seed */
  async once(seed) {
    await this.run({ name: String(FILES[seed % FILES.length]), way: 'change', at: seed });
  }

  async close() {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}
