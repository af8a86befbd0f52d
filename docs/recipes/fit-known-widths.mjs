// Two overlapping peaks whose widths are known, on a ground that decays: Gauss2 of NIST. With the
// widths locked, the errors of heights and centres are those of the smaller problem. The same fit
// with the widths freed comes after it: its errors are larger.
//
//     node docs/recipes/fit-known-widths.mjs
import { init } from 'gradlock/double';
import { fitting } from 'gradlock/fit';
import { isMain, readPoints, show, showFit } from './support.mjs';

const START = { height1: 103, centre1: 106, height2: 72, centre2: 151, level: 96, decay: 0.9 };
/** Certified by NIST. */
const WIDTHS = { width1: 23.578584029, width2: 19.525972636 };

export const run = async () => {
  const g = /** @type {any} */ (await init());
  const { curve, parameters } = fitting(g);
  const points = readPoints('gauss2');
  const bell = (/** @type {any[]} */ ...[x, height, centre, width]) =>
    g.mul(height, g.exp(g.neg(g.square(g.div(g.sub(x, centre), width)))));
  const model = (/** @type {any} */ x, /** @type {any} */ p) =>
    g.add(
      g.mul(p.level, g.exp(g.mul(g.div(x, -100), p.decay))),
      g.add(bell(x, p.height1, p.centre1, p.width1), bell(x, p.height2, p.centre2, p.width2)),
    );
  const named = parameters({ ...START, ...WIDTHS }).lock('width1', 'width2');
  const fit = curve(model, { ...points, parameters: named });
  named.unlock('width1', 'width2');
  const freed = curve(model, { ...points, parameters: named });
  named.dispose();
  const words = { title: 'Gauss2 with known widths', across: 'reading', up: 'signal' };
  const shown = showFit(fit, points, words);
  const errors = [fit, freed].map((one) => Number(one.parameters.height1.error).toFixed(2));
  const line = `error of height1: ${errors[0]} with known widths, ${errors[1]} with free ones`;
  return { fit, freed, lines: [...shown.lines, line], svg: shown.svg };
};

if (isMain(import.meta.url)) show('fit-known-widths', await run());
