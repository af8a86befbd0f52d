// The answer to an unknown name: the right one, where it can be told. One list for all entries.

/** Names of other libraries, folded, and ours; known ones count. @type {Record<string, string>} */
const OTHERS = {
  lr: 'learningRate initialLearningRate',
  eta: 'learningRate',
  stepsize: 'learningRate',
  betas: 'beta1 beta2',
  b1: 'beta1',
  b2: 'beta2',
  eps: 'epsilon',
  alpha: 'rho negativeSlope',
  decay: 'weightDecay rho',
  l2: 'weightDecay',
  gradclip: 'clipNorm',
  maxnorm: 'clipNorm globalClipNorm',
  tol: 'toleranceGradient toleranceChange',
  gtol: 'toleranceGradient',
  ftol: 'toleranceChange',
  xtol: 'toleranceChange',
  maxiter: 'steps',
  maxiterations: 'steps',
  iterations: 'steps',
  maxfev: 'maxEvaluations steps',
  params: 'variables parameters',
  vars: 'variables',
  varlist: 'variables',
  p0: 'parameters',
  guess: 'parameters',
  callback: 'onStep callbacks',
  nepochs: 'epochs',
  numepochs: 'epochs',
  batch: 'batchSize',
  validation: 'validationData',
  requiresgrad: 'trainable',
  frozen: 'trainable',
  bias: 'useBias',
  outfeatures: 'units',
  outchannels: 'filters',
  kernel: 'kernelSize',
  stride: 'strides',
  dilation: 'dilationRate',
  p: 'rate',
  dropout: 'rate',
  numembeddings: 'inputDim',
  embeddingdim: 'outputDim',
  hiddensize: 'units',
  embeddim: 'keyDim',
  kdim: 'keyDim',
  nhead: 'numHeads',
  momentumdecay: 'momentum',
  numthreads: 'threads',
  workers: 'threads',
};

/** @param {string} name */
const plain = (name) => name.replace(/[\s_-]/g, '').toLowerCase();

/** The Levenshtein distance of two words (1966). @param {string} a @param {string} b */
const distance = (a, b) => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = Number(row[j]) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, Number(row[j + 1]) + 1, Number(next[j]) + 1));
    }
    row = next;
  }
  return Number(row[b.length]);
};

/** Known names near an unknown one. @param {string} name @param {readonly string[]} known */
const meant = (name, known) => {
  const asked = plain(name);
  const same = known.filter((one) => plain(one) === asked);
  if (same.length > 0) return same;
  const others = Object.hasOwn(OTHERS, asked) ? String(OTHERS[asked]).split(' ') : [];
  const ours = others.filter((one) => known.includes(one));
  if (ours.length > 0) return ours;
  const near = Math.min(3, Math.floor(asked.length / 3));
  const [best] = known
    .map((one) => ({ one, far: distance(asked, plain(one)) }))
    .sort((a, b) => a.far - b.far);
  return best && best.far <= near ? [best.one] : [];
};

/**
 * Returns the end of a message about an unknown name: what was meant, or else all that are known.
 * @param {string} name
 * @param {readonly string[]} known
 * @param {boolean} [lists] False to return '' where nothing is near.
 */
export const suggest = (name, known, lists = true) => {
  const ours = meant(name, known);
  if (ours.length > 0) return `did you mean ${ours.join(' and ')}?`;
  return lists ? `known: ${known.join(', ') || 'none'}` : '';
};
