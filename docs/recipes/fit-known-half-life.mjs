// A decay with a known half-life: counts of barium-137m, 2.552 minutes, drawn by a script. The
// half-life is locked; the first count and the background are looked for. The standard deviation of
// a count is its root. A wrong half-life has a price that no chance explains.
//
//     node docs/recipes/fit-known-half-life.mjs
import { init } from 'gradlock/double';
import { fitting } from 'gradlock/fit';
import { isMain, readPoints, show, showFit } from './support.mjs';

const KNOWN = 2.552;

export const run = async () => {
  const g = /** @type {any} */ (await init());
  const { curve } = fitting(g);
  const points = readPoints('halfLife');
  const model = (/** @type {any} */ t, /** @type {any} */ { counts, background, halfLife }) =>
    g.add(g.mul(counts, g.exp(g.div(g.mul(t, -Math.LN2), halfLife))), background);
  const fitWith = (/** @type {number} */ value) =>
    curve(model, {
      ...points,
      parameters: { counts: 800, background: 5, halfLife: { value, lock: true } },
    });
  const [fit, wrong] = [fitWith(KNOWN), fitWith(2)];
  const words = { title: 'Known half-life', across: 'minutes', up: 'counts' };
  const shown = showFit(fit, points, words);
  const p = Number(wrong.prices.halfLife?.pValue).toPrecision(1);
  const line = `with a half-life of 2 minutes its price has p = ${p}`;
  return { fit, wrong, lines: [...shown.lines, line], svg: shown.svg };
};

if (isMain(import.meta.url)) show('fit-known-half-life', await run());
