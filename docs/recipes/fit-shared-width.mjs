// Ten peaks of an instrument have one width: nine widths are tied to the first, so that 21 numbers
// are looked for instead of 30. The width has a smaller error than each peak alone would give it.
//
//     node docs/recipes/fit-shared-width.mjs
import { init } from 'gradlock/double';
import { fitting } from 'gradlock/fit';
import { isMain, readPoints, show, showFit } from './support.mjs';

const NUMBERS = Array.from({ length: 10 }, (_, i) => i + 1);

/** @param {boolean} isShared @returns {Record<string, any>} */
const start = (isShared) =>
  Object.fromEntries(
    NUMBERS.flatMap((i) => [
      [`height${i}`, 1],
      [`centre${i}`, 1.9 * i + 0.1],
      [`width${i}`, i > 1 && isShared ? { tie: (/** @type {any} */ p) => p.width1 } : 0.5],
    ]),
  );

export const run = async () => {
  const g = /** @type {any} */ (await init());
  const { curve } = fitting(g);
  const points = readPoints('tenPeaks');
  const model = (/** @type {any} */ x, /** @type {any} */ p) =>
    NUMBERS.map((i) => {
      const off = g.div(g.sub(x, p[`centre${i}`]), p[`width${i}`]);
      return g.mul(p[`height${i}`], g.exp(g.neg(g.square(off))));
    }).reduce((a, b) => g.add(a, b));
  const fit = curve(model, { ...points, parameters: start(true) });
  const freed = curve(model, { ...points, parameters: start(false) });
  const words = { title: 'Ten peaks of one width', across: 'place', up: 'height' };
  const shown = showFit(fit, points, words);
  const errors = [fit, freed].map((one) => Number(one.parameters.width1.error).toFixed(4));
  const line = `error of width1: ${errors[0]} as one width of all, ${errors[1]} alone`;
  return { fit, freed, lines: [...shown.lines, line], svg: shown.svg };
};

if (isMain(import.meta.url)) show('fit-shared-width', await run());
