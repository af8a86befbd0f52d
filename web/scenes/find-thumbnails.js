/** The pictures of runs for the cards of all scenes. */

/** @type {Record<string, { default: any }>} */
export const files = import.meta.glob('./*/thumbnail.json', { eager: true });
