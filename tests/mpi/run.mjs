/* `make test-mpi`: docs/examples/mpi on the installed C library and Open MPI. Trains two networks on
 * 1, 2 and 4 ranks, which must end on the same bits; holds the bytes that travel to those of the
 * free gradients; kills and stops a rank; and restarts from the checkpoint. Prints what
 * docs/scale.md shows. ONLY=text runs only tests whose name matches it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const build = `${root}build/mpi`;
const env = {
  ...process.env,
  PKG_CONFIG_PATH: `${build}/lib/pkgconfig`,
  LD_LIBRARY_PATH: `${build}/lib`,
  // Jobs of make inside of make.
  MAKEFLAGS: '',
};

/**
 * Start a command; `done` resolves when it has ended. Runs of Open MPI that begin at the same time
 * fail if they share a folder for temporary files.
 * @param {string} command
 * @param {string[]} args
 */
function start(command, args) {
  const TMPDIR = mkdtempSync(join(tmpdir(), 'glk-mpi-'));
  const child = spawn(command, args, { cwd: root, env: { ...env, TMPDIR } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (output.stdout += text));
  child.stderr.on('data', (text) => (output.stderr += text));
  /** @type {Promise<{ code: number | null, stdout: string, stderr: string }>} */
  const done = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      rmSync(TMPDIR, { recursive: true, force: true });
      resolve({ code, ...output });
    });
  });
  return { pid: child.pid ?? 0, done };
}

/**
 * Start training on a number of ranks.
 * @param {number} ranks
 * @param {Record<string, string | number>} settings
 * @param {readonly string[]} [options] of mpirun
 */
const startTraining = (ranks, settings, options = []) =>
  start('mpirun', [
    // Ranks may be more than cores, and the system chooses where they run.
    ...['--allow-run-as-root', '--oversubscribe', '--bind-to', 'none', ...options],
    ...['-n', `${ranks}`, `${build}/train`],
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
  ]);

/**
 * Train to the end; what was printed, as numbers.
 * @param {number} ranks
 * @param {Record<string, string | number>} settings
 */
async function train(ranks, settings) {
  const { code, stdout, stderr } = await startTraining(ranks, settings).done;
  assert.equal(code, 0, stderr);
  const found = (/** @type {RegExp} */ pattern) => stdout.match(pattern)?.[1] ?? '';
  return {
    free: Number(found(/\((\d+) of/)),
    first: Number(found(/steps (\d+) to/)),
    loss: Number(found(/^loss +(\S+)/m)),
    sent: Number(found(/^sent +(\d+)/m)),
    ms: Number(found(/^time +(\S+)/m)),
    exchanging: Number(found(/, (\S+) of it/)),
    digest: found(/^digest +(\S+)/m),
  };
}

/** The process of a rank. @param {number} mpirun @param {number} rank */
function processOf(mpirun, rank) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').match(/\) \S (\d+)/)?.[1];
      const words = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (Number(parent) === mpirun && words.includes(`OMPI_COMM_WORLD_RANK=${rank}`)) {
        return Number(pid);
      }
    } catch {} // it has ended
  }
  throw new Error(`there is no rank ${rank}`);
}

/** @param {() => boolean} is */
async function until(is) {
  for (let i = 0; i < 3000 && !is(); i++) await sleep(10);
  assert.ok(is(), 'it did not happen within 30 s');
}

const only = new RegExp(process.env.ONLY ?? '');
const RANKS = [1, 2, 4];
/** What each rank sends, in lists of free gradients: recursive halving, then doubling. */
const lists = (/** @type {number} */ ranks) => 2 * (1 - 1 / ranks);

/** @param {string} name @param {() => Promise<void>} claim */
const claim = (name, claim) => test(name, { skip: !only.test(name), timeout: 300_000 }, claim);

describe('training on MPI', { concurrency: false }, () => {
  test('the example builds with the installed library', async () => {
    for (const args of [
      ['install', `PREFIX=${build}`],
      ['-C', 'docs/examples/mpi', `BUILD=${build}`],
    ]) {
      const { code, stdout, stderr } = await start('make', ['--no-print-directory', ...args]).done;
      assert.equal(code, 0, stdout + stderr);
    }
  });

  for (const network of ['small', 'large']) {
    const steps = network === 'small' ? 200 : 12;
    for (const locked of [0, 50, 90]) {
      claim(`${network}, ${locked} % locked: 1, 2 and 4 ranks end on the same bits`, async () => {
        const rows = [];
        for (const ranks of RANKS) rows.push(await train(ranks, { network, locked, steps }));
        for (const [i, row] of rows.entries()) {
          const ranks = RANKS[i];
          const goal = 4 * row.free * lists(ranks);
          console.log(
            `${network.padEnd(5)} ${String(locked).padStart(2)} % locked, ${row.free} free, ` +
              `${ranks} ranks: ${row.sent} bytes per rank and step` +
              `${goal ? ` (${(row.sent / goal).toFixed(4)} of the free gradients')` : ''}, ` +
              `${row.ms} ms per step, ${row.exchanging} exchanging, loss ${row.loss}, ${row.digest}`,
          );
          assert.equal(row.digest, rows[0].digest, `${ranks} ranks`);
          assert.match(row.digest, /^[0-9a-f]{16}$/);
          assert.ok(row.sent <= 1.02 * goal, `${row.sent} bytes, expected ${goal}`);
          assert.ok(row.loss > 0 && row.loss < 2.3, `loss ${row.loss}`);
        }
      });
    }
  }

  claim('weak scaling: twice the batch on 2 ranks', async () => {
    for (const locked of [0, 50, 90]) {
      const settings = { network: 'large', locked, steps: 15 };
      const one = () => train(1, { ...settings, shards: 4 });
      // Two runs that know nothing of each other show what the cores take from each other.
      const least = { alone: 1e9, apart: 1e9, together: 1e9, exchanging: 1e9 };
      for (let i = 0; i < 5; i++) {
        const alone = await one();
        const apart = await Promise.all([one(), one()]);
        const together = await train(2, { ...settings, shards: 8 });
        least.alone = Math.min(least.alone, alone.ms);
        least.apart = Math.min(least.apart, (apart[0].ms + apart[1].ms) / 2);
        least.together = Math.min(least.together, together.ms);
        least.exchanging = Math.min(least.exchanging, together.exchanging);
      }
      console.log(
        `weak scaling, ${locked} % locked, ms per step (least of 5): ${least.alone} on 1 rank, ` +
          `${least.apart.toFixed(2)} on each of two single ones at once, ` +
          `${least.together} on 2 ranks, ${least.exchanging} of it exchanging`,
      );
    }
  });

  // Open MPI ends all ranks if one dies. Without that they must find out themselves.
  const alone = ['--mca', 'orte_enable_recovery', '1'];
  for (const [title, signal, rank, options, reason] of /** @type {const} */ ([
    ['is killed', 'SIGKILL', 2, [], /signal 9|no answer|lost/],
    ['that writes the checkpoint is killed', 'SIGKILL', 0, [], /signal 9|no answer|lost/],
    ['is killed and Open MPI lets the others go on', 'SIGKILL', 2, alone, /no answer from|lost/],
    ['does not answer', 'SIGSTOP', 2, [], /no answer from/],
  ])) {
    claim(`if a rank ${title}, the others end, and a restart reaches the same bits`, async () => {
      const checkpoint = `${build}/checkpoint`;
      const common = { network: 'small', locked: 50 };
      const patience = 3;
      rmSync(checkpoint, { force: true });
      const run = startTraining(
        4,
        { ...common, steps: 1e6, every: 20, checkpoint, patience },
        options,
      );
      await until(() => existsSync(checkpoint));
      const first = statSync(checkpoint).mtimeMs;
      await until(() => statSync(checkpoint).mtimeMs !== first); // it is replaced while it trains
      const victim = processOf(run.pid, rank);
      const start = Date.now();
      process.kill(victim, signal);
      const { code, stderr } = await run.done;
      const seconds = (Date.now() - start) / 1000;
      if (existsSync(`/proc/${victim}`)) process.kill(victim, 'SIGKILL');
      console.log(
        `a rank ${title}: the others ended after ${seconds.toFixed(1)} s with code ${code}`,
      );
      if (!options.length) assert.notEqual(code, 0); // with recovery it is mpirun's, always 0
      assert.ok(seconds < 10, `${seconds} s`);
      assert.match(stderr, reason);
      // The same steps without interruption, and on another number of ranks.
      const { stdout } = await startTraining(1, { ...common, steps: 0, checkpoint }).done;
      const reached = Number(stdout.match(/^continues after step (\d+)$/m)?.[1]);
      const steps = reached + 30;
      const whole = await train(1, { ...common, steps });
      const restarted = await train(2, { ...common, steps, checkpoint });
      console.log(`restarted after step ${reached}: ${restarted.digest}`);
      assert.equal(restarted.first, reached + 1);
      assert.equal(restarted.digest, whole.digest);
    });
  }
});
