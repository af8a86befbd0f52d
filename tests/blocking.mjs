/* Preloaded where files are tested: what a file reports is written before it ends, however slow its reader is. */
/** @type {any} */ (process.stdout)._handle?.setBlocking?.(true);
