/** What was found about a link or a saved run that was handed in. Types only. */

/**
 * `why` says why it could not be checked, or why its claim is false.
 * @typedef {object} Finding
 * @property {'true' | 'false' | 'none' | 'unreadable' | 'stopped'} verdict
 * @property {{ reason: string, detail: string } | null} why
 * @property {ReturnType<typeof import('./hand-in.js').falseFields>} differences
 * @property {import('./state.js').State | null} state
 * @property {import('../engine/protocol.js').Proof | null} proof
 * @property {{ id: string, judgement: import('./judge.js').Judgement | null } | null} challenge
 *   judgement: null if there is no such challenge
 * @property {number} time  of the check, in ms
 */

export {};
