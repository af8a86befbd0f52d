/* Every type of gradlock/formats. */
import { init } from 'gradlock';
import {
  applyDelta,
  loadModel,
  loadWeights,
  pytorchMapping,
  readSafetensors,
  saveDelta,
  saveLayersModel,
  saveModel,
  saveWeights,
  writeSafetensors,
  type AppliedDelta,
  type LoadReport,
  type Mapping,
  type Rule,
  type StoredTensor,
} from 'gradlock/formats';
import { layers, type Model } from 'gradlock/layers';
export async function run(file: File): Promise<number> {
  const nn = layers(await init());
  const model: Model = await loadModel(nn, file, { compile: false, partial: true });
  const rule: Rule = { to: 'a/kernel', transpose: [1, 0] };
  const mapping: Mapping = { 'fc.weight': rule, 'fc.bias': 'a/bias', step: null };
  const torch: Mapping = pytorchMapping(model, { fc: 'a' });
  const report: LoadReport = await loadWeights(model, new URL('https://x.de'), { mapping });
  await loadWeights(model, await file.arrayBuffer(), { mapping: torch, force: true });
  await loadModel(nn, { modelTopology: {}, weightSpecs: [], weightData: new ArrayBuffer(0) });
  const bytes: Uint8Array = saveModel(model, { optimizer: false, metadata: { by: 'me' } });
  const delta: AppliedDelta = applyDelta(model, saveDelta(model, bytes), { force: true });
  delta.remove();
  const files: { 'model.json': string } = saveLayersModel(model);
  const { tensors, metadata } = readSafetensors(saveWeights(model));
  const tensor: StoredTensor | undefined = tensors.get('a/kernel');
  writeSafetensors({ x: { shape: [2], data: [1, 2] } }, metadata);
  new Blob([writeSafetensors(tensors)]);
  // @ts-expect-error A misspelt option.
  await loadModel(nn, file, { partially: true });
  // @ts-expect-error A rule has a target.
  await loadWeights(model, bytes, { mapping: { a: { transpose: [1, 0] } } });
  // @ts-expect-error Numbers are no metadata.
  saveWeights(model, { metadata: { epoch: 3 } });
  return report.loaded.length + files['model.json'].length + (tensor?.data.length ?? 0);
}
