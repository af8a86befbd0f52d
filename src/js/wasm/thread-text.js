// The text of a worker. The package has thread.js here (src/npm/made-modules.mjs).

export const threadText = `import(${JSON.stringify(new URL('../thread.js', import.meta.url).href)})`;
