/* Who writes a kept run where locks outlive their tab, as WebKit's do: a writer that answers keeps
 * the lock, one that does not loses it. WebKit itself is in tests/engines/worker.test.js. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keep } from 'gradlock/keep';

const folder = mkdtempSync(join(tmpdir(), 'gradlock-turn-'));
after(() => rmSync(folder, { recursive: true }));

/** Web Locks of one origin, whose holders never end by themselves. */
class Locks {
  /** @type {Map<string, { lose: (error: Error) => void }>} */
  held = new Map();
  /** @type {{ name: string, go: () => void }[]} */
  queue = [];

  /**
   * @param {string} name
   * @param {any} options
   * @param {(lock: unknown) => unknown} hold
   * @returns {Promise<unknown>}
   */
  async request(name, { ifAvailable = false, steal = false, signal }, hold) {
    if (steal) this.held.get(name)?.lose(new DOMException('stolen', 'AbortError'));
    else if (this.held.has(name)) {
      if (ifAvailable) return hold(null);
      await new Promise((go, fail) => {
        const waiting = { name, go: () => go(null) };
        this.queue.push(waiting);
        signal.addEventListener('abort', () => {
          this.queue = this.queue.filter((one) => one !== waiting);
          fail(signal.reason);
        });
      });
    }
    const mine = { lose: (/** @type {Error} */ _) => {} };
    const lost = new Promise((_, lose) => Object.assign(mine, { lose }));
    this.held.set(name, mine);
    try {
      return await Promise.race([hold({ name }), lost]);
    } finally {
      if (this.held.get(name) === mine) {
        this.held.delete(name);
        this.queue.find((one) => one.name === name)?.go();
      }
    }
  }
}

const locks = new Locks();
const userAgent = 'Mozilla/5.0 (X11) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15';
Object.defineProperty(globalThis, 'navigator', { value: { locks, userAgent } });

/** @param {string} name @param {boolean} [wait] */
const open = async (name, wait = false) => {
  /** @type {string[]} */
  const heard = [];
  const run = await keep(name, { folder, wait, onError: ({ reason }) => heard.push(reason) });
  return { run, heard };
};

test('a writer that answers keeps its turn, and who waits has it afterwards', async () => {
  const one = await open('answers');
  const other = await open('answers');
  assert.deepEqual([one.run.isWriter, other.run.isWriter, other.heard], [true, false, ['busy']]);
  const next = open('answers', true);
  await one.run.save(Uint8Array.of(1));
  await one.run.close();
  const { run } = await next;
  assert.deepEqual([run.isWriter, run.found?.state], [true, Uint8Array.of(1)]);
  await run.close();
});

test('a writer that does not answer loses its turn, and hears so at its next save', async (context) => {
  for (const wait of [false, true]) {
    const name = `silent ${wait}`;
    // A tab that is gone, whose lock is not.
    let isLost = false;
    const gone = locks.request(`gradlock-keep ${folder} ${name}`, {}, () => new Promise(() => {}));
    gone.catch(() => {
      isLost = true;
    });
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const next = open(name, wait);
    while (!isLost) {
      context.mock.timers.tick(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { run } = await next;
    context.mock.timers.reset();
    assert.deepEqual([run.isWriter, await run.save(Uint8Array.of(2))], [true, true]);
    // Its own turn may be lost, too.
    locks.held.get(`gradlock-keep ${folder} ${name}`)?.lose(new Error('stolen'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      [run.isWriter, await run.save(Uint8Array.of(3)), run.error?.reason],
      [false, false, 'busy'],
    );
    // And it does not answer for who took it: if that is gone, too, the next one has it.
    locks.held.set(`gradlock-keep ${folder} ${name}`, { lose: () => {} });
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let third = /** @type {Awaited<ReturnType<typeof open>> | null} */ (null);
    open(name, wait).then((opened) => {
      third = opened;
    });
    while (!third) {
      context.mock.timers.tick(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    context.mock.timers.reset();
    assert.equal(third.run.isWriter, true);
    await third.run.close();
    await run.close();
  }
});
