/* The module that src/js/package generates of sheet.css. */

/** The text of the sheet. */
export const rules: string;
