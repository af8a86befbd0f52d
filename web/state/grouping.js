/** Commas that may be decimal or group digits. */

/** Returns true if a number is written like 1,000: one thousand in some languages, one in others. @param {string} text */
export const isGrouped = (text) => /^[-+−–]?[1-9]\d{0,2}(,\d{3})+$/.test(text.trim());
