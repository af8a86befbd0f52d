// A calibration whose readings have known standard deviations, which grow with the signal. With
// sigma, small readings count more, and errors are absolute: they come from sigma, not from the
// misfit. Without it, the level is off by more.
//
//     node docs/recipes/fit-calibration.mjs
import { init } from 'gradlock/double';
import { fitting } from 'gradlock/fit';
import { isMain, readPoints, show, showFit } from './support.mjs';

export const run = async () => {
  const g = /** @type {any} */ (await init());
  const { curve } = fitting(g);
  const points = readPoints('calibration');
  const model = (/** @type {any} */ x, /** @type {any} */ { slope, level }) =>
    g.add(g.mul(slope, x), level);
  const parameters = { slope: 1, level: 0 };
  const fit = curve(model, { ...points, parameters });
  const { x, y } = points;
  const unweighted = curve(model, { x, y, parameters });
  const words = { title: 'Calibration with sigma', across: 'amount', up: 'signal' };
  const shown = showFit(fit, points, words);
  const errors = [fit, unweighted].map((one) => Number(one.parameters.level.error).toFixed(3));
  const line = `error of level: ${errors[0]} with sigma, ${errors[1]} without`;
  return { fit, unweighted, lines: [...shown.lines, line], svg: shown.svg };
};

if (isMain(import.meta.url)) show('fit-calibration', await run());
