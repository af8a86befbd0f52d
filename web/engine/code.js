/** A run as code for npm users: what it prints at the end is the digest that the page shows. */

import { placesOf } from '../scenes/layout.js';
import { unpackMask } from '../state/codec.js';
import { literal, sourceOf } from './literals.js';

/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */

/** @param {OptimizerSettings} settings */
function optimizerCode({ rule, learningRate, momentum, weightDecay }) {
  if (rule === 'adam') return `g.optimizers.adam({ learningRate: ${learningRate} })`;
  if (rule === 'adamW') {
    return `g.optimizers.adamW({ learningRate: ${learningRate}, weightDecay: ${weightDecay} })`;
  }
  const own = rule === 'sgd' ? '' : `, momentum: ${momentum}`;
  const ahead = rule === 'nesterov' ? ', nesterov: true' : '';
  return `g.optimizers.sgd({ learningRate: ${learningRate}${own}${ahead} })`;
}

/** What of a live optimizer is set. @param {OptimizerSettings} settings */
function settingsCode({ rule, learningRate, momentum, weightDecay }) {
  const own = { momentum, nesterov: momentum }[/** @type {string} */ (rule)];
  const lines = [`optimizer.learningRate = ${learningRate};`];
  if (own !== undefined) lines.push(`optimizer.momentum = ${own};`);
  if (rule === 'adamW') lines.push(`optimizer.weightDecay = ${weightDecay};`);
  return lines.join('\n');
}

/** @param {ArrayLike<number>} row */
const numbers = (row) => literal(Array.from(row));

/** @param {import('./session.js').Session} session */
export function codeOf(session) {
  const { scene, setup, layout, target } = session.problem;
  const { optimizer, locks, zeros, events, step } = session.recipe();
  const start = session.problem.start.map((value, i) => (zeros?.[i] ? 0 : value));
  const held = locks ?? scene.locks(setup);
  const slice = (/** @type {Float32Array | Uint8Array} */ row, /** @type {number} */ i) => {
    const { offset, rows, cols } = layout[i];
    return row.slice(offset, offset + rows * cols);
  };
  /** Lock what is locked from here on, and free the rest. @param {Uint8Array} mask */
  const lockCode = (mask) =>
    layout.map(({ name }, i) => {
      const list = [...slice(mask, i).entries()].flatMap(([at, bit]) => (bit ? [at] : []));
      return `${name}.lock(${numbers(list)});`;
    });
  const names = layout.map(({ name }) => name).join(', ');
  /** The constants of the loss: the scene's own, and where cells are to go. */
  const dataCode = () => {
    const entries = Object.entries(scene.data?.(setup) ?? {});
    const lines = entries.map(([name, value]) => `  ${name}: ${literal(value)},`);
    const targets = layout.map(
      ({ name, rows, cols }, i) =>
        `    ${name}: g.tensor(Float32Array.from(${numbers(slice(target ?? start, i))}), [${rows}, ${cols}]),`,
    );
    if (target) lines.push('  targets: {', ...targets, '  },');
    return lines.length ? ['const data = {', ...lines, '};'] : ['const data = {};'];
  };
  const lines = [
    `// gradlock: the scene “${scene.id}” to step ${step}. npm install gradlock; node run.mjs`,
    "import { init } from 'gradlock';",
    '',
    'const g = await init();',
    ...layout.map(
      ({ name, rows, cols }, i) =>
        `const ${name} = g.variable(Float32Array.from(${numbers(slice(start, i))}), { shape: [${rows}, ${cols}], name: '${name}' });`,
    ),
    `const variables = [${names}];`,
    '',
    ...dataCode(),
    ...(scene.model ? [`const model = ${sourceOf(scene.model)};`] : []),
    `const lossOf = ${sourceOf(scene.loss)};`,
    `const loss = g.compile(() => lossOf(g, { ${names} }, data${scene.model ? ', model' : ''}));`,
    '',
    `let optimizer = ${optimizerCode(optimizer)};`,
  ];
  const does = new Set(events.map((event) => event.do));
  if (does.has('prune')) lines.push('const pruned = [];');
  if (does.has('place')) lines.push(placeCode);
  /** What a hand is on, by variable. @type {Map<string, number[]>} */
  let dragged = new Map();
  let at = 0;
  let { rule } = optimizer;
  const to = (/** @type {number} */ end) => {
    if (end > at) lines.push(`optimizer.minimize(loss, { variables, steps: ${end - at} });`);
    at = end;
  };
  to(session.warm);
  lines.push(...lockCode(held));
  for (const event of events) {
    to(event.step);
    lines.push('');
    if (event.do === 'locks') {
      lines.push(...lockChange(layout, unpackMask(event.mask, session.cells), slice));
    } else if (event.do === 'optimizer') {
      lines.push(
        event.settings.rule === rule
          ? settingsCode(event.settings)
          : `optimizer = ${optimizerCode(event.settings)};`,
      );
      rule = event.settings.rule;
    } else if (event.do === 'assign') {
      const { name, offset } = /** @type {import('../scenes/layout.js').Part} */ (
        layout.findLast((part) => part.offset <= event.index)
      );
      const i = event.index - offset;
      lines.push(
        `${name}.assign(${name}.data().map((value, i) => (i === ${i} ? ${event.value} : value)));`,
      );
    } else if (event.do === 'hold') {
      for (const name of dragged.keys()) lines.push(`${name}.locks.holder('drag').clear();`);
      dragged = placesOf(layout, event.cells);
      for (const [name, list] of dragged) {
        lines.push(`${name}.locks.holder('drag').lock([${list.join(', ')}]);`);
      }
    } else if (event.do === 'place') {
      let next = 0;
      for (const [name, list] of dragged) {
        const places = list.map((i) => `${i}: ${literal(event.values[next++])}`);
        lines.push(`place(${name}, { ${places.join(', ')} });`);
      }
    } else if (event.do === 'release') {
      for (const name of dragged.keys()) lines.push(`${name}.locks.holder('drag').clear();`);
      dragged = new Map();
    } else {
      lines.push(event.do === 'prune' ? pruneCode(event.fraction) : unpruneCode);
    }
  }
  to(step);
  lines.push(
    '',
    "console.log(variables.map((variable) => variable.digest()).join('.'));",
    `// ${session.main.digest()}`,
    '',
  );
  return lines.join('\n');
}

/** A hand puts what it holds where it is, whoever else holds it. */
const placeCode = `const place = (variable, places) =>
  variable.assign(variable.data().map((value, i) => places[i] ?? value), { force: true });`;

/** Locks as they become; what stays locked is not touched. */
function lockChange(
  /** @type {import('../scenes/layout.js').Part[]} */ layout,
  /** @type {Uint8Array | null} */ mask,
  /** @type {(row: Uint8Array, i: number) => Uint8Array | Float32Array} */ slice,
) {
  return layout.map(({ name }, i) => {
    const bits = [...slice(/** @type {Uint8Array} */ (mask), i).entries()];
    const list = (/** @type {number} */ wanted) =>
      numbers(bits.flatMap(([at, bit]) => (bit === wanted ? [at] : [])));
    return `${name}.lock(${list(1)}).unlock(${list(0)});`;
  });
}

/** @param {number} fraction */
const pruneCode = (fraction) => `pruned.push(variables.map((variable) => {
  const [before, values] = [variable.locks.own().toMask(), variable.data()];
  variable.lock({ topK: { fraction: ${fraction}, by: 'magnitude', largest: false } });
  const taken = variable.locks.own().toMask().map((bit, i) => bit & (1 - before[i]));
  variable.assign(values.map((value, i) => (taken[i] ? 0 : value)), { force: true });
  return { variable, taken, values };
}));`;

const unpruneCode = `for (const { variable, taken, values } of pruned.pop()) {
  variable.unlock(taken);
  variable.assign(variable.data().map((value, i) => (taken[i] ? values[i] : value)), { force: true });
}`;
