// The entry of formats: models and weights from files and into files, on models of
// `gradlock/layers`. It uses models through their public methods. It has its own copy of the
// classes of errors, since files may be read before there is an instance (decision 30).
export { applyDelta, saveDelta } from './formats/delta.js';
export { loadModel, loadWeights, saveWeights } from './formats/load.js';
export { pytorchMapping } from './formats/mapping.js';
export { saveModel } from './formats/own.js';
export { readSafetensors, writeSafetensors } from './formats/safetensors.js';
export { saveLayersModel } from './formats/tfjs.js';
export { MismatchError } from './formats/weights.js';

/** @typedef {import('./formats/delta.js').AppliedDelta} AppliedDelta */
/** @typedef {import('./formats/dtypes.js').DType} DType */
/** @typedef {import('./formats/load.js').LayersModelSource} LayersModelSource */
/** @typedef {import('./formats/load.js').LoadModelOptions} LoadModelOptions */
/** @typedef {import('./formats/load.js').LoadWeightsOptions} LoadWeightsOptions */
/** @typedef {import('./formats/load.js').Source} Source */
/** @typedef {import('./formats/mapping.js').Mapping} Mapping */
/** @typedef {import('./formats/mapping.js').Rule} Rule */
/** @typedef {import('./formats/safetensors.js').StoredTensor} StoredTensor */
/** @typedef {import('./formats/safetensors.js').TensorSource} TensorSource */
/** @typedef {import('./formats/weights.js').LoadReport} LoadReport */
