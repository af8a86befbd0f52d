/* The module that src/npm generates of sheet.css. */

/** The text of the sheet. */
export const rules: string;
