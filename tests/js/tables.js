/* The tables of ops and rules as the built module has them, read past the library's public
 * interface. */
import { Bridge } from '../../src/js/wasm/bridge.js';
import { compileWasm, instantiateWasm } from '../../src/js/wasm/loader.js';
import { readMethods, readRules } from '../../src/js/optim/rules.js';
import { wasmBytes } from './support.js';

/** A module of its own. */
export const openBridge = async () =>
  new Bridge(await instantiateWasm(await compileWasm(wasmBytes())));

/**
 * @param {Bridge} bridge
 * @returns {{ name: string, inputs: number, isPublic: boolean }[]}
 */
export const readOps = (bridge) =>
  Array.from({ length: bridge.x.glk_op_count() }, (_, op) => {
    bridge.check(bridge.x.glk_op_describe(op, bridge.out));
    /** @param {string} field */
    const field = (field) => bridge.readField(bridge.out, `glk_op_info.${field}`);
    return {
      name: bridge.text(field('name')),
      inputs: field('inputs'),
      isPublic: field('is_public') !== 0,
    };
  });

export { readMethods, readRules };
