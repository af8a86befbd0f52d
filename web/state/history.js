/** What a person did to a run, and at which step: with the state it began with, all it takes to replay it. Types only. */

/**
 * @typedef {{ step: number, do: 'locks', mask: Uint8Array }
 *   | { step: number, do: 'optimizer', settings: import('./rules.js').OptimizerSettings }
 *   | { step: number, do: 'assign', index: number, value: number }
 *   | { step: number, do: 'prune', fraction: number }
 *   | { step: number, do: 'unprune' }} Event
 * Before the step after `step`. A mask is packed by codec.js. `unprune` undoes the last `prune`.
 */

export {};
