/** The words of every scene: the page needs them, the engine's worker does not. */

/** @type {Record<string, { words: Record<string, import('./scene.js').SceneWords> }>} */
export const files = import.meta.glob('./*/words.js', { eager: true });
