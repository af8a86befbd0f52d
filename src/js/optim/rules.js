// Tables of the update rules: slots, options, defaults and ranges, read from C and never retyped.

/** @import { Bridge } from '../wasm/bridge.js' */
/**
 * @typedef {{ name: string, address: number, initial: number, low: number, high: number,
 *   isFlag: boolean }} OptionInfo
 */
/**
 * @typedef {{ id: number, name: string, slots: string[], options: Map<string, OptionInfo> }}
 *   RuleInfo
 */

/** @param {Bridge} bridge @returns {Map<string, RuleInfo>} By name. */
export const readRules = (bridge) => {
  const rules = new Map();
  const count = bridge.constant('GLK_RULE_COUNT');
  for (let id = 0; id < count; id++) {
    const rule = readRule(bridge, id);
    rules.set(rule.name, rule);
  }
  return rules;
};

/** Second-order methods (no slots). @param {Bridge} bridge @returns {Map<string, RuleInfo>} */
export const readMethods = (bridge) => {
  const { x, out } = bridge;
  const methods = new Map();
  const count = bridge.constant('GLK_METHOD_COUNT');
  for (let id = 0; id < count; id++) {
    bridge.check(x.glk_method_describe(id, out, out + 4));
    const [address, length] = bridge.u32.slice(out >>> 2, (out >>> 2) + 2);
    const infos = Array.from({ length: Number(length) }, (_, option) => {
      bridge.check(x.glk_method_option(id, option, out));
      return decodeOption(bridge);
    });
    const name = bridge.text(Number(address));
    methods.set(name, { id, name, slots: [], options: new Map(infos.map((i) => [i.name, i])) });
  }
  return methods;
};

/** @param {Bridge} bridge @param {number} id @returns {RuleInfo} */
const readRule = (bridge, id) => {
  const { x, out } = bridge;
  bridge.check(x.glk_rule_describe(id, out, out + 4, out + 8));
  const [name, slots, options] = bridge.u32.slice(out >>> 2, (out >>> 2) + 3);
  const infos = Array.from({ length: Number(options) }, (_, i) => readOption(bridge, id, i));
  return {
    id,
    name: bridge.text(Number(name)),
    slots: Array.from({ length: Number(slots) }, (_, i) => readSlot(bridge, id, i)),
    options: new Map(infos.map((info) => [info.name, info])),
  };
};

/** @param {Bridge} bridge @param {number} rule @param {number} slot */
const readSlot = (bridge, rule, slot) => {
  bridge.check(bridge.x.glk_rule_slot_name(rule, slot, bridge.out));
  return bridge.text(bridge.outHandle());
};

/** @param {Bridge} bridge @param {number} rule @param {number} option @returns {OptionInfo} */
const readOption = (bridge, rule, option) => {
  bridge.check(bridge.x.glk_rule_option(rule, option, bridge.out));
  return decodeOption(bridge);
};

/** The option that C described last. @param {Bridge} bridge @returns {OptionInfo} */
const decodeOption = (bridge) => {
  const { out } = bridge;
  /** @param {string} field */
  const double = (field) => Number(bridge.f64[(out + bridge.constant(field)) >>> 3]);
  const address = bridge.readField(out, 'glk_option_info.name');
  return {
    name: bridge.text(address),
    address,
    initial: double('glk_option_info.initial'),
    low: double('glk_option_info.low'),
    high: double('glk_option_info.high'),
    isFlag: bridge.readField(out, 'glk_option_info.is_flag') !== 0,
  };
};
