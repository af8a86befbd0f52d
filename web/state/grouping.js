/** Commas of which nobody can say whether they are decimal. */

/** Returns whether a number is written as 1,000 is: one thousand in some languages, and one in others. @param {string} text */
export const isGrouped = (text) => /^[-+−–]?[1-9]\d{0,2}(,\d{3})+$/.test(text.trim());
