/* The module that src/npm generates of stylesheet.css. */

/** The text of the sheet. */
export const rules: string;
