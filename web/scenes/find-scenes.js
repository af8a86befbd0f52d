/** The scene.js of every scene: its folder is all there is of it. */

/** @type {Record<string, { scene: import('./scene.js').Scene }>} */
export const files = import.meta.glob('./*/scene.js', { eager: true });
