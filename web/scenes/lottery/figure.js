/**
 * The lottery ticket: one ticket or another, and accuracy over the share of weights left. Recorded
 * runs are the curves, and each opens.
 */

import { percent, say } from '../shared/figure.js';
import { drawAxes, drawCurves, drawPoint, plotOf, stageFor } from '../shared/plot.js';
import { runMarks } from './marks.js';

/** @typedef {import('../shared/figure.js').Model} Model */

/** The marks of the axis of accuracy, in per cent. */
const SCORES = [20, 40, 60, 80, 100];
/** The ends of the other axis, a little beyond the marks, in per cent. */
const [MOST, LEAST] = [108, 9];
/** The share that the headline tells of, and the steps of recorded runs. */
export const [TOLD, STEPS] = [21, 1500];
const KINDS = ['ticket', 'random'];
const MARGINS = [52, 80, 42, 44];

/** Returns the number of weights left of each matrix. @param {Model} model @param {number} kept in per cent */
const countOf = ({ layout }, kept) =>
  layout
    .map(({ rows, cols }) => rows * cols)
    .reduce((sum, cells) => sum + cells - Math.floor((1 - kept / 100) * cells + 0.5), 0);

/** Returns the number of the shown run's weights that are not locked at 0. @param {Model} model */
const liveCount = ({ values, locks, layout }) =>
  layout.flatMap(({ name }) => [...values[name].filter((value, i) => value || !locks[name][i])])
    .length;

/** Returns which of the two tickets the shown run is, if it is one. @param {Model} model */
function kindOf({ recorded, locks, layout }) {
  const mask = layout.flatMap(({ name }) => [...locks[name]]);
  return recorded.find((run) => run.at === TOLD && `${run.locks}` === `${mask}`)?.key;
}

/** The results that this page has seen, by kind, or of all others. @type {Record<string, string>} */
const seen = {};

/** Returns the recorded runs of the tickets that were seen, of both after another: they answer what is asked. @param {Model} model */
function knownOf(model) {
  const isDone = model.step >= STEPS && liveCount(model) < countOf(model, 100);
  if (isDone) seen[kindOf(model) ?? 'other'] = percent(model.readings.testScore);
  return model.recorded.filter(({ key }) => seen.other || key in seen);
}

/** Returns the stage of the shown run: all train, most are locked at 0, and the rest trains again. @param {Model} model */
const stageOf = (model) =>
  liveCount(model) < countOf(model, 100) ? 1 + Number(model.step > 0) : 0;

/** Returns the results that were seen, or the next act. @param {any} words @param {Model} model */
function headlineOf(words, model) {
  if (!model.recorded.length) return words.none;
  knownOf(model);
  const [left, kind, right] = [liveCount(model), kindOf(model), percent(model.readings.testScore)];
  const stage = stageOf(model);
  const now = words[stage](right, left, words[kind ?? 'other']);
  if (!stage && model.step >= STEPS) return `${now}\n${words.ready}`;
  if (!kind || model.step < STEPS) return now;
  if (Number.parseFloat(seen.ticket) > Number.parseFloat(seen.random))
    return words.both(left, seen.ticket, seen.random);
  return words.told(words[kind], left, right);
}

/** @param {import('../shared/figure.js').RecordedRun} run in per cent */
const scoreOf = ({ points }) => 100 * points[points.length - 1].readings.testScore[0];

/** Returns a share's position on the logarithmic axis. @param {number} kept in per cent */
const across = (kept) => Math.log(MOST / kept);

/** Returns a curve's mean scores by share. @param {Model} model @param {string} kind @returns {number[][]} kept, score */
function meansOf({ recorded }, kind) {
  const runs = recorded.filter(({ key }) => key === kind);
  return [...new Set(runs.map(({ at }) => at))].map((kept) => {
    const scores = runs.filter(({ at }) => at === kept).map(scoreOf);
    return [kept, scores.reduce((sum, score) => sum + score, 0) / scores.length];
  });
}

/** Returns the marks of the recorded runs. @param {any} words @param {Model} model @returns {import('./marks.js').Mark[]} */
const marksOf = (words, model) =>
  ['random', 'ticket'].flatMap((kind) =>
    model.recorded
      .filter(({ key }) => key === kind)
      .map((run) => {
        const all = countOf(model, 100);
        const left = all - (run.zeros?.reduce((sum, bit) => sum + bit, 0) ?? 0);
        const label = words.point(words[kind], run.at, left, all, `${scoreOf(run).toFixed(1)} %`);
        return { kind, x: across(run.at), y: scoreOf(run), label, run };
      }),
  );

/** Draws the plot, and returns it. @param {import('../shared/figure.js').Stage} stage @param {Model} model */
function drawPlot(stage, model) {
  const { words } = stage;
  const plot = plotOf(stage, MARGINS, [0, across(LEAST)], [SCORES[0], 100]);
  drawAxes(stage, plot, {
    xs: [100, 41, 21, 11].map((kept) => [across(kept), `${kept} %`]),
    ys: SCORES.map((score) => [score, `${score} %`]),
    ...{ up: words.plot, across: words.across },
  });
  const curves = KINDS.map((kind, i) => ({
    ...{ name: words[kind], ink: i ? 'muted' : 'accent', dashes: i ? [4, 3] : [] },
    points: meansOf(model, kind).map(([kept, score]) => [across(kept), score]),
  })).filter(({ points }) => points.length);
  drawCurves(stage, plot, curves);
  const share = (100 * liveCount(model)) / countOf(model, 100);
  const score = Math.max(SCORES[0], 100 * model.readings.testScore[0]);
  if (share >= LEAST) drawPoint(stage, plot.x(across(share)), plot.y(score), words.now);
  return plot;
}

/** Its button leads to the next stage, at last to the other recorded run of the told share. @type {import('../shared/figure.js').Built} */
export const tickets = {
  id: 'tickets',
  ...{ isOnce: true, isChart: true },
  build(host, { words, intents, h, icon, memory }) {
    const headline = h('p', { class: 'figure-headline' });
    const button = h('button', { type: 'button', class: 'button' });
    const names = words.stages.split(', ');
    const stages = names.map((/** @type {string} */ name, /** @type {number} */ i) =>
      h('li', {}, name, ...(i === 1 ? ['\u00a0', icon('lock')] : [])),
    );
    host.append(h('div', { role: 'list', class: 'stages row note' }, ...stages), headline, button);
    return {
      focus: () => button.focus(),
      draw(model) {
        say(headline, headlineOf(words, model));
        const [step, open, stage] = [model.step, kindOf(model), stageOf(model)];
        for (const [i, item] of stages.entries()) item.ariaCurrent = i === stage ? 'step' : null;
        stages[stage].style.setProperty('--done', `${(100 * step) / STEPS}%`);
        const next = KINDS[Number(open === KINDS[0])];
        const run = model.recorded.find(({ key, at }) => key === next && at === TOLD);
        const isReady = stage === 1;
        // The first run pauses soon after its end, to be seen.
        if (run && !stage && memory.step < STEPS && step >= STEPS) intents.pause();
        memory.step = step;
        button.onclick = () => {
          if (isReady) intents.play();
          else if (run) intents.openRun({ ...run, steps: stage ? STEPS : 0 });
        };
        say(button, [words.cut, names[2], words.keep(words[next])][stage]);
        button.classList.toggle('is-accent', isReady || (step >= STEPS && !(next in seen)));
        const isEarly = !isReady && (!run || step < (open || !stage ? STEPS : 1));
        button.style.visibility = isEarly ? 'hidden' : '';
      },
    };
  },
};

/** @type {import('../shared/figure.js').Built} */
export const lottery = {
  id: 'lottery',
  ...{ isOnce: true, isChart: true },
  build(host, tools) {
    const { words, h } = tools;
    const canvas = h('canvas', { class: 'figure-canvas', 'aria-hidden': 'true' });
    const told = h('p', { class: 'runs-told figure-score' });
    const marks = runMarks(tools, (mark) => say(told, mark ? mark.label : ''));
    host.append(h('div', { class: 'figure-plot' }, marks.element, canvas), told);
    /** The runs that are drawn. @type {Model['recorded'] | null} */
    let drawn = null;
    return {
      focus: marks.focus,
      draw(now) {
        const recorded = knownOf(now);
        host.hidden = !recorded.length && (now.recorded.length > 0 || !stageOf(now));
        if (host.hidden) return;
        const model = { ...now, recorded };
        const plot = drawPlot(stageFor(tools, canvas), model);
        // Another setup has other runs.
        const isOther = recorded.length !== drawn?.length || recorded[0] !== drawn[0];
        if (isOther) marks.show(marksOf(words, model));
        marks.place(plot);
        drawn = recorded;
      },
    };
  },
  describe: (words, model) => (knownOf(model).length ? words.known(knownOf(model).length) : ''),
};
