/* The module that src/js/package generates of sheet.css. */

/** Calls `add` with each of the sheet's rules. */
export const addRules: (add: (rule: string) => void) => void;
