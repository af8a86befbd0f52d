/** Writes a run as code for npm users. The code prints the digest that the page shows. */

import { unpackMask } from '../state/codec.js';
import { WRITE } from '../state/history.js';
import { adjustingCode, makingCode } from './optimizers.js';
import { isBlended } from './problem.js';

/** @param {readonly number[]} list */
const indices = (list) => `{ indices: ${literal(list)} }`;

/** Returns the code that makes the variables. @param {import('./session.js').Session} session @param {Float32Array} start */
function variablesCode({ problem, main }, start) {
  const { scene } = problem;
  const parts = main.byVariable(start);
  if (!scene.network) {
    return [
      ...parts.map(
        ({ name, shape, own }) =>
          `const ${name} = g.variable(Float32Array.from(${literal(own)}), { shape: ${literal(shape)}, name: '${name}' });`,
      ),
      `const variables = [${parts.map(({ name }) => name).join(', ')}];`,
    ];
  }
  return [
    'const model = network(layers(g, { seed: 1 }));',
    'const variables = model.trainableWeights;',
    'const weights = Object.fromEntries(variables.map((weight) => [weight.name, weight]));',
    ...parts.map(({ name, own }) => `weights['${name}'].assign(${literal(own)});`),
  ];
}

/** Returns the loss's constants: the scene's own, and the target. @param {import('./problem.js').Problem} problem */
function dataCode(problem) {
  const { layout, target } = problem;
  const entries = Object.entries(problem.data);
  const lines = entries.map(([name, value]) => `  ${name}: ${literal(value)},`);
  const targets = layout.map(({ name, rows, cols, offset }) => {
    const own = target?.slice(offset, offset + rows * cols) ?? [];
    return `    ${name}: g.tensor(Float32Array.from(${literal(own)}), [${rows}, ${cols}]),`;
  });
  if (target) lines.push('  targets: {', ...targets, '  },');
  if (isBlended(problem)) lines.push('  blend,');
  return lines.length ? ['const data = {', ...lines, '};'] : ['const data = {};'];
}

/** The scene author's functions; they come first, since data may be long. @param {import('../scenes/scene.js').Scene} scene @param {boolean} isBlended */
const authorsCode = ({ network, model, loss: lossOf, blend }, isBlended) =>
  Object.entries({ network, model, lossOf, blendAt: isBlended && blend }).flatMap(([name, made]) =>
    made ? [`const ${name} = ${sourceOf(made)};`] : [],
  );

/** @param {import('./session.js').Session} session */
export function codeOf(session) {
  const { main, problem } = session;
  const { scene, setup } = problem;
  const { optimizer, locks, zeros, events, step } = session.recipe();
  const start = problem.start.map((value, i) => (zeros?.[i] ? 0 : value));
  const held = locks ?? scene.locks(setup);
  const called = (/** @type {string} */ name) => (scene.network ? `weights['${name}']` : name);
  const indicesOf = (/** @type {Uint8Array} */ own, wanted = 1) =>
    indices([...own.entries()].flatMap(([at, bit]) => (bit === wanted ? [at] : [])));
  const names = main.elements.variables.map(({ name }) => name);
  const given = scene.network ? 'weights' : `{ ${names.join(', ')} }`;
  const more = scene.model || scene.network ? ', model' : '';
  const isMoving = isBlended(problem);
  const lines = [
    `// gradlock: the scene “${scene.id}” to step ${step}. npm install gradlock; node run.mjs`,
    "import { init } from 'gradlock';",
    ...(scene.network ? ["import { layers } from 'gradlock/layers';"] : []),
    '',
    'const g = await init();',
    '',
    ...authorsCode(scene, isMoving),
    '',
    ...variablesCode(session, start),
    '',
    ...(isMoving ? [blendCode] : []),
    ...dataCode(problem),
    `const loss = g.compile(() => lossOf(g, ${given}, data${more}));`,
    '',
    `let optimizer = ${makingCode(optimizer)};`,
  ];
  const does = new Set(events.map((event) => event.do));
  const [isBounded, isSwitched] = [does.has('bound'), does.has('switch')];
  const isOneByOne = isMoving || isBounded || isSwitched;
  if (isBounded) lines.push(boundCode);
  if (does.has('prune')) lines.push('const pruned = [];');
  if (does.has(WRITE)) lines.push(writeCode);
  if (isSwitched) lines.push(maskedCode);
  if (isOneByOne) lines.push(trainCode(isMoving, isBounded, isSwitched));
  /** The dragged cells, by variable. @type {ReturnType<typeof main.elements.byVariable>} */
  let dragged = new Map();
  let at = 0;
  let { rule } = optimizer;
  let isMasked = false;
  const to = (/** @type {number} */ end) => {
    const steps = end - at;
    const how = isMasked ? `, ${draggedCode(dragged)}` : '';
    if (steps && isOneByOne) lines.push(`train(${steps}${how});`);
    else if (steps) lines.push(`optimizer.minimize(loss, { variables, steps: ${steps} });`);
    at = end;
  };
  /** Locks or frees the dragged elements, which a mask holds by itself. @param {(list: { at: number }[]) => string} act */
  const holdDragged = (act) => {
    for (const [{ name }, list] of isMasked ? [] : dragged)
      lines.push(`${called(name)}.locks.holder('drag').${act(list)};`);
  };
  const lockDrag = () => holdDragged((list) => `lock(${indices(list.map(({ at }) => at))})`);
  const clearDrag = () => holdDragged(() => 'clear()');
  to(session.warm);
  // These locks hold from here on.
  for (const { name, own } of main.byVariable(held))
    lines.push(`${called(name)}.lock(${indicesOf(own)});`);
  for (const event of events) {
    to(event.step);
    lines.push('');
    if (event.do === 'locks') {
      const mask = /** @type {Uint8Array} */ (unpackMask(event.mask, session.cells));
      const parts = main.byVariable(mask);
      if (isMasked) lines.push(`held = [${parts.map(({ own }) => literal(own)).join(', ')}];`);
      // Locks that stay are not touched.
      for (const { name, own } of isMasked ? [] : parts)
        lines.push(`${called(name)}.lock(${indicesOf(own)}).unlock(${indicesOf(own, 0)});`);
    } else if (event.do === 'switch') {
      if (isMasked === (event.to === 'mask')) continue;
      clearDrag();
      lines.push(isMasked ? toLockCode : toMaskCode);
      isMasked = !isMasked;
      lockDrag();
    } else if (event.do === 'optimizer') {
      const { settings } = event;
      const isSame = settings.rule === rule;
      lines.push(isSame ? adjustingCode(settings) : `optimizer = ${makingCode(settings)};`);
      rule = settings.rule;
    } else if (event.do === 'assign') {
      const { variable, at } = main.elements.at(event.index);
      const name = called(variable.name);
      lines.push(
        `${name}.assign(${name}.data().map((value, i) => (i === ${at} ? ${literal(event.value)} : value)));`,
      );
    } else if (event.do === 'bound') {
      const { variable, at } = main.elements.at(event.index);
      const ends = [event.min ?? -Infinity, event.max ?? Infinity].map(Math.fround);
      lines.push(`bound(${called(variable.name)}, ${at}, ${ends.join(', ')});`);
    } else if (event.do === 'hold' || event.do === 'release') {
      clearDrag();
      dragged = main.elements.byVariable(event.do === 'hold' ? event.cells : []);
      lockDrag();
    } else if (event.do === WRITE) {
      for (const [{ name }, list] of dragged) {
        const values = list.map(({ at, k }) => `${at}: ${literal(event.values[k])}`);
        lines.push(`write(${called(name)}, { ${values.join(', ')} });`);
      }
    } else {
      if (isMasked) lines.push(unlockPrunedCode);
      lines.push(event.do === 'prune' ? pruneCode(event.fraction) : unpruneCode);
    }
  }
  to(step);
  const digest = "variables.map((variable) => variable.digest()).join('.')";
  return [...lines, '', `console.log(${digest});`, `// ${main.digest()}`, ''].join('\n');
}

/** Takes steps one at a time, for something happens between them. @param {boolean} isMoving @param {boolean} isBounded @param {boolean} isSwitched */
const trainCode = (isMoving, isBounded, isSwitched) =>
  [
    'const train = (steps, dragged) => {',
    '  for (let i = 0; i < steps; i++) {',
    ...(isSwitched ? ['    if (held) stepMasked(dragged);', '    else {'] : []),
    ...(isBounded ? ['    holdAtEnds();'] : []),
    '    optimizer.minimize(loss, { variables, steps: 1 });',
    ...(isBounded ? ['    keepInside();'] : []),
    ...(isSwitched ? ['    }'] : []),
    ...(isMoving ? ['    blend.assign(blendAt(++step));'] : []),
    '  }',
    '};',
  ].join('\n');

/** The number of the loss that is a function of the step. */
const blendCode = `const blend = g.variable(blendAt(0), { name: 'blend' });
let step = 0;`;

/** A drag writes its cells whoever else holds them. */
const writeCode = `const write = (variable, values) =>
  variable.assign(variable.data().map((value, i) => values[i] ?? value), { force: true });`;

/** Within bounds, each step clamps elements to their range, and locks those at an end. */
const boundCode = `const ranges = [];
const bound = (variable, at, min, max) => {
  ranges.push({ variable, at, min, max });
  keepInside();
};
const rangesOf = (variable) =>
  [...new Map(ranges.filter((one) => one.variable === variable).map((one) => [one.at, one])).values()];
const keepInside = () => variables.forEach((variable) => {
  const [values, locked] = [variable.data(), variable.locks.own().toMask()];
  for (const { at, min, max } of rangesOf(variable)) {
    if (!locked[at]) values[at] = Math.min(max, Math.max(min, values[at]));
  }
  variable.assign(values, { force: true });
});
const holdAtEnds = () => {
  const { grads } = g.valueAndGrad(loss, variables);
  variables.forEach((variable, i) => {
    const [values, slopes] = [variable.data(), grads[i].data()];
    const held = rangesOf(variable).filter(({ at, min, max }) =>
      (values[at] <= min && slopes[at] > 0) || (values[at] >= max && slopes[at] < 0));
    const holder = variable.locks.holder('bound').clear();
    if (held.length) holder.lock({ indices: held.map(({ at }) => at) });
    grads[i].dispose();
  });
};`;

/** Returns the dragged elements by variable. @param {ReturnType<import('./cells.js').Cells['byVariable']>} dragged */
const draggedCode = (dragged) =>
  literal(
    Object.fromEntries(Array.from(dragged, ([{ name }, list]) => [name, list.map(({ at }) => at)])),
  );

/** Only a mask on the gradient holds elements, by variable; `dragged` has indices of others. */
const maskedCode = `let held = null;
const stepMasked = (dragged) => g.tidy(() => {
  const { grads } = g.valueAndGrad(loss, variables);
  optimizer.applyGradients(grads.map((grad, i) => {
    const { name, shape } = variables[i];
    const mask = held[i].map((bit, at) => (bit || dragged[name]?.includes(at) ? 0 : 1));
    return [g.mul(grad, g.tensor(Float32Array.from(mask), shape)), variables[i]];
  }));
});`;

const toMaskCode = `held = variables.map((variable) => variable.locks.own().toMask());
variables.forEach((variable, i) => variable.unlock({ mask: held[i] }));`;

const toLockCode = `variables.forEach((variable, i) => variable.lock({ mask: held[i] }));
held = null;`;

/** A pruning that is undone under a mask. */
const unlockPrunedCode = `pruned.at(-1).forEach(({ taken }, i) => {
  held[i] = held[i].map((bit, at) => bit & (1 - taken[at]));
});`;

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

/** Writes numbers exactly, lists, objects and strings. Arrays of bytes or floats become lists. @param {unknown} value @returns {string} */
function literal(value) {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (ArrayBuffer.isView(value)) value = Array.from(/** @type {Float32Array} */ (value));
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`,
    );
    return `{ ${entries.join(', ')} }`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

/** Returns a scene's function as an expression. Builds attach its text (build/loss-text.mjs). @param {Function & { text?: string }} made */
function sourceOf(made) {
  const text = made.text ?? String(made);
  // A method has no `function` before its name.
  const isMethod = /^[\w$]+\s*\(/.test(text) && !/^(async|function)\b/.test(text);
  const lines = (isMethod ? `function ${text}` : text).split('\n');
  const rest = lines.slice(1).filter((line) => line.trim());
  const indent = Math.min(...rest.map((line) => line.search(/\S/)));
  return [lines[0], ...lines.slice(1).map((line) => line.slice(indent))].join('\n');
}
