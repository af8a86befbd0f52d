// Finds the weight of a model for a name in a file. Names of TensorFlow.js and of Keras before 3
// have cells, prefixes and suffixes that others lack.

/** The bare name: `kernel` for dense/kernel_1 and for …/depthwise_kernel. @param {string} name */
function bare(name) {
  return plain(name)
    .replace(/_\d+$/, '')
    .replace(/\/depthwise_kernel$/, '/kernel');
}

/** Ever looser ways to look at a name. @type {((name: string) => string)[]} */
const VIEWS = [
  (name) => name,
  // dense/kernel:0, gru/gru_cell/kernel
  (name) => {
    const parts = name
      .replace(/:\d+$/, '')
      .split('/')
      .filter((part, i, all) => i === 0 || i === all.length - 1 || !/_cell(_\d+)?$/.test(part));
    return parts.join('/');
  },
  bare,
  // model/dense/kernel
  (name) => bare(name).split('/').slice(-2).join('/'),
  // time_distributed/dense/kernel, where the file has time_distributed/kernel
  (name) => {
    const parts = bare(name).split('/');
    return `${parts[0]}/${parts.at(-1)}`;
  },
];

/** @param {string} name */
export const plain = (name) => /** @type {(name: string) => string} */ (VIEWS[1])(name);

/**
 * Names whose view occurs once, by this view.
 * @param {Iterable<string>} names
 * @param {(name: string) => string} view
 */
const once = (names, view) => {
  /** @type {Map<string, string | null>} */
  const found = new Map();
  for (const name of names) {
    const key = view(name);
    found.set(key, found.has(key) ? null : name);
  }
  return found;
};

/**
 * Entries by the names of the model's weights. Each view pairs names that are unique on both sides
 * and were not paired by a stricter view. The rest keep the file's names.
 * @template T
 * @param {readonly string[]} weights
 * @param {ReadonlyMap<string, T>} entries
 */
export const matchNames = (weights, entries) => {
  /** @type {Map<string, T>} */
  const found = new Map();
  const [ours, theirs] = [new Set(weights), new Set(entries.keys())];
  for (const view of VIEWS) {
    const candidates = once(theirs, view);
    for (const [key, name] of once(ours, view)) {
      const match = candidates.get(key);
      if (name === null || match === null || match === undefined) continue;
      found.set(name, /** @type {T} */ (entries.get(match)));
      ours.delete(name);
      theirs.delete(match);
    }
  }
  // Names of weights that found nothing must stay missing.
  for (const name of theirs) {
    found.set(
      ours.has(name) || found.has(name) ? `${name} ` : name,
      /** @type {T} */ (entries.get(name)),
    );
  }
  return found;
};
