/* Tier: all. */
/* The programs of tests/c/test_every_row.c and test_random_programs.c once more, in the WebAssembly
 * that is shipped and in the WASI SDK's: what they print is run op by op and compiled, twice, and
 * must end on the same bits, values and gradients, and in the same refusals. They call the exports
 * as any host would; JavaScript's methods have tests of their own. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Bridge } from '../../src/js/wasm/bridge.js';
import { compileWasm, instantiateWasm } from '../../src/js/wasm/loader.js';
import { run } from '../c/wasi.js';

const root = new URL('../../', import.meta.url);

/** @typedef {{ at: number, isVariable: boolean, shape: number[], words: Uint32Array }} Leaf */
/**
 * @typedef {{ op: string, at: number, inputs: number[], attributes: number[], status: string }}
 *   Step
 */
/** @typedef {{ at: number, drawsAnew: boolean, digest: string }} Output */
/** @typedef {{ at: number, status: string, digest: string }} Slope */
/**
 * @typedef {{ title: string, leaves: Leaf[], steps: Step[], outputs: Output[], slopes: Slope[] }}
 *   Program
 */

/** @param {string} text Numbers between commas or spaces. */
const list = (text) => text.split(/[ ,]/).filter(Boolean).map(numberOf);

/** @param {string} text As printf writes it. */
const numberOf = (text) => {
  const special = /^(-?)(inf|nan)$/.exec(text);
  if (!special) return Number(text);
  return special[2] === 'nan' ? Number.NaN : Number(`${special[1]}Infinity`);
};

/**
 * Programs as the C programs print them, see tests/c/programs.h.
 * @param {string} text
 */
const readPrograms = (text) => {
  /** @type {Program[]} */
  const programs = [];
  for (const [, kind, rest] of text.matchAll(/^digest (\S+) (.*)$/gm)) {
    if (kind === 'random') continue; // the digest of all that a run computed
    if (kind === 'program') {
      programs.push({ title: rest, leaves: [], steps: [], outputs: [], slopes: [] });
      continue;
    }
    const program = programs[programs.length - 1];
    const [head, tail = ''] = rest.split(' :');
    const [first, second, third = ''] = head.split(' ');
    if (kind === 'leaf') {
      const words = Uint32Array.from(tail.split(' ').filter(Boolean), (word) => parseInt(word, 16));
      const [at, isVariable] = [Number(first), second === '1'];
      program.leaves.push({ at, isVariable, shape: list(third), words });
    } else if (kind === 'output') {
      program.outputs.push({ at: Number(first), drawsAnew: second === '1', digest: third });
    } else if (kind === 'slope') {
      program.slopes.push({ at: Number(first), status: second, digest: third });
    } else if (kind === 'step') {
      const [at, inputs, attributes] = [Number(second), list(third), list(tail)];
      program.steps.push({ op: first, at, inputs, attributes, status: 'GLK_OK' });
    } else {
      const [inputs, attributes] = [list(second), list(tail)];
      program.steps.push({ op: first, at: -1, inputs, attributes, status: kind });
    }
  }
  return programs;
};

/** Runs printed programs in one module. */
class Player {
  /** @param {Bridge} bridge */
  constructor(bridge) {
    this.bridge = bridge;
    this.x = bridge.x;
    /** @type {Map<string, number>} */
    this.ops = new Map();
    for (let op = 0; op < this.x.glk_op_count(); op++) {
      this.ok(this.x.glk_op_describe(op, bridge.out));
      this.ops.set(bridge.text(bridge.readField(bridge.out, 'glk_op_info.name')), op);
    }
  }

  /** @param {number} status */
  name(status) {
    return this.bridge.text(this.x.glk_status_name(status));
  }

  /** @param {number} status */
  ok(status) {
    if (status !== 0) {
      assert.fail(
        `${this.name(status)}: ${this.bridge.text(this.x.glk_context_detail(this.bridge.context))}`,
      );
    }
  }

  /** @param {Leaf} leaf */
  make({ isVariable, shape, words }) {
    const { bridge, x } = this;
    const at = bridge.stage(words.length * 4);
    bridge.u32.set(words, at >>> 2);
    bridge.u32.set(shape, bridge.dims >>> 2);
    const { context, dims, out } = bridge;
    this.ok(
      isVariable
        ? x.glk_variable_create(context, shape.length, dims, at, words.length, 0, 1, out)
        : x.glk_tensor_create(context, shape.length, dims, at, words.length, out),
    );
    bridge.unstage(at);
    return bridge.outHandle();
  }

  /**
   * @param {Step} step
   * @param {number[]} handles By value.
   */
  apply({ op, inputs, attributes }, handles) {
    const { bridge, x } = this;
    bridge.u32.set(
      inputs.map((value) => handles[value]),
      bridge.inputs >>> 2,
    );
    bridge.f64.set(attributes, bridge.attributes >>> 3);
    const id = this.ops.get(op) ?? -1;
    const { context, inputs: at, attributes: numbers, out } = bridge;
    return x.glk_apply(context, id, at, inputs.length, numbers, attributes.length, out);
  }

  /** @param {number} handle */
  digest(handle) {
    const { bridge, x } = this;
    this.ok(x.glk_digest(bridge.context, handle, bridge.out));
    const [low, high] = bridge.u32.subarray(bridge.out >>> 2, (bridge.out >>> 2) + 2);
    return [high, low].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  /** @param {number} handle */
  dispose(handle) {
    this.ok(this.x.glk_dispose(this.bridge.context, handle));
  }

  /**
   * Apply every step, expecting its status; a trace learns of bad values only when it runs.
   * @param {Program} program
   * @param {number[]} handles
   * @param {boolean} isTraced
   */
  applyAll(program, handles, isTraced) {
    for (const step of program.steps) {
      const status = this.apply(step, handles);
      if (isTraced && status === 0 && step.at < 0) {
        this.dispose(this.bridge.outHandle());
        continue;
      }
      const { context } = this.bridge;
      const detail = status ? this.bridge.text(this.x.glk_context_detail(context)) : '';
      assert.equal(this.name(status), step.status, `${step.op}: ${detail}`);
      if (status === 0) handles[step.at] = this.bridge.outHandle();
    }
  }

  /** @param {Program} program */
  play(program) {
    const { bridge, x } = this;
    const { context } = bridge;
    const { title, leaves, steps, outputs, slopes } = program;
    const before = bridge.memory().objects;
    /** @type {number[]} */
    const handles = [];
    for (const leaf of leaves) handles[leaf.at] = this.make(leaf);
    const giveBack = () => {
      for (const { at } of steps) if (at >= 0) this.dispose(handles[at]);
    };
    this.applyAll(program, handles, false);
    for (const { at, digest } of outputs)
      assert.equal(this.digest(handles[at]), digest, `${title}: value ${at}`);
    giveBack();

    this.ok(x.glk_program_begin(context, bridge.constant('GLK_TRACE')));
    this.applyAll(program, handles, true);
    bridge.u32.set(
      outputs.map(({ at }) => handles[at]),
      bridge.inputs >>> 2,
    );
    this.ok(x.glk_program_end(context, bridge.inputs, outputs.length, bridge.out));
    const compiled = bridge.outHandle();
    giveBack();
    // What is drawn anew may be of no use then, such as an index that is out of range.
    const drawsAnew = outputs.some((output) => output.drawsAnew);
    for (const round of drawsAnew ? [0] : [0, 1]) {
      this.ok(x.glk_program_run(context, compiled));
      for (const [i, { at, digest }] of outputs.entries()) {
        this.ok(x.glk_program_output(context, compiled, i, bridge.out));
        const output = bridge.outHandle();
        assert.equal(this.digest(output), digest, `${title}: value ${at}, compiled, run ${round}`);
        this.dispose(output);
      }
    }
    for (const { at, status, digest } of drawsAnew ? [] : slopes) {
      bridge.u32[bridge.inputs >>> 2] = handles[at];
      const got = x.glk_program_gradient(context, compiled, bridge.inputs, 1, 0, bridge.out);
      assert.equal(this.name(got), status, `${title}: the gradient by value ${at}`);
      if (got !== 0) continue;
      const gradient = bridge.outHandle();
      assert.equal(this.digest(gradient), digest, `${title}: the gradient by value ${at}`);
      this.dispose(gradient);
    }
    this.dispose(compiled);
    for (const { at } of leaves) this.dispose(handles[at]);
    assert.equal(bridge.memory().objects, before, `${title}: something is left`);
  }
}

/** @type {{ name: string, env: Record<string, string>, least: number }[]} */
const sources = [
  { name: 'test_every_row', env: {}, least: 100 },
  { name: 'test_random_programs', env: { GLK_PROGRAMS: '400', GLK_PRINT: '400' }, least: 400 },
];

for (const { name, env, least } of sources) {
  const file = fileURLToPath(new URL(`build/tests/native/${name}`, root));
  const printed = run(file, { env: { ...env, ASAN_OPTIONS: 'detect_leaks=0' } });
  for (const wasm of ['gradlock.wasm', 'gradlock.wasi.wasm']) {
    test(`${name} gives the same bits in ${wasm}, op by op and compiled`, async (t) => {
      const programs = readPrograms((await printed).stdout);
      assert.ok(programs.length >= least, `${programs.length} programs, expected ${least}`);
      const bytes = await readFile(new URL(`build/wasm/${wasm}`, root));
      const bridge = new Bridge(await instantiateWasm(await compileWasm(bytes)));
      const player = new Player(bridge);
      for (const program of programs) player.play(program);
      bridge.close();
      t.diagnostic(`${programs.length} programs`);
    });
  }
}
