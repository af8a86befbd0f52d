// How fast an enzyme works (Michaelis and Menten), where half of its top speed is known to be at a
// concentration of 0.06: Puromycin, of Bates & Watts 1988. The report says what it costs to know
// that, and whether the data agree.
//
//     node docs/recipes/fit-michaelis-menten.mjs
import { init } from 'gradlock/double';
import { fitting } from 'gradlock/fit';
import { isMain, readPoints, show, showFit } from './support.mjs';

export const run = async () => {
  const g = /** @type {any} */ (await init());
  const { curve } = fitting(g);
  const points = readPoints('puromycin');
  const model = (/** @type {any} */ x, /** @type {any} */ { speed, half }) =>
    g.div(g.mul(speed, x), g.add(half, x));
  const parameters = { speed: 200, half: { value: 0.06, lock: true } };
  const fit = curve(model, { ...points, parameters });
  const freed = curve(model, { ...points, parameters: { speed: 200, half: 0.06 } });
  const words = { title: 'Michaelis–Menten', across: 'concentration', up: 'speed' };
  const shown = showFit(fit, points, words);
  const [low, high] = freed.profile('half').interval;
  const line = `half, if it is free: 95 % between ${low.toFixed(3)} and ${high.toFixed(3)}`;
  return { fit, freed, lines: [...shown.lines, line], svg: shown.svg };
};

if (isMain(import.meta.url)) show('fit-michaelis-menten', await run());
