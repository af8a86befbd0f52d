/**
 * The update rules a person can choose, and what each lets them set. Names and ranges only: the engine makes the
 * optimizers, strings.js has the words. The library checks again, and its word is the last.
 */

/** @typedef {'sgd' | 'momentum' | 'nesterov' | 'adam' | 'adamW'} Rule */
/** @typedef {'learningRate' | 'momentum' | 'weightDecay'} RuleOption */

/**
 * @typedef {object} OptimizerSettings
 * @property {Rule} rule
 * @property {number} learningRate  from 0 up
 * @property {number} momentum      0 ≤ momentum < 1, for rules that have it
 * @property {number} weightDecay   from 0 up, for rules that have it
 */

/** Beyond the learning rate, which all have. @type {Record<Rule, RuleOption[]>} */
export const ruleOptions = {
  sgd: [],
  momentum: ['momentum'],
  nesterov: ['momentum'],
  adam: [],
  adamW: ['weightDecay'],
};

export const rules = /** @type {Rule[]} */ (Object.keys(ruleOptions));

/** Low ≤ value < high. @type {Record<RuleOption, [low: number, high: number]>} */
export const optionRanges = {
  learningRate: [0, 1e6],
  momentum: [0, 1],
  weightDecay: [0, 1e3],
};
