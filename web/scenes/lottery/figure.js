/**
 * The lottery ticket: accuracy over the share of weights left. A slider prunes the shown run and
 * restores the remaining weights' first values; recorded runs are the curve, and each opens.
 *   shown.kept, shown.least  per cent, and the end of the axis
 */

import { say, svg, update } from '../shared/elements.js';
import { markOf, RunsPlot } from './plot.js';

/** @typedef {import('../shared/figure.js').Model} Model */
/** @typedef {import('./plot.js').Point} Point */
/** @typedef {Parameters<import('../shared/figure.js').Built['build']>[1]} Tools */

/** The start of the axis of accuracy, in per cent, unless a run is below it. */
const FLOOR = 40;
/** The start of the other axis, a little above all weights, in per cent. */
const MOST = 108;

/** Returns the number of cells left of a matrix. @param {number} cells @param {number} kept in per cent */
const leftOf = (cells, kept) => cells - Math.floor((1 - kept / 100) * cells + 0.5);

/** @param {Model} model @param {number} kept in per cent, of each matrix */
const countOf = ({ layout }, kept) =>
  layout.reduce((sum, { rows, cols }) => sum + leftOf(rows * cols, kept), 0);

/** @param {Model} model */
const allOf = ({ layout }) => layout.reduce((sum, { rows, cols }) => sum + rows * cols, 0);

/** Returns the number of the shown run's weights that are not locked at 0. @param {Model} model */
const liveCount = ({ values, locks, layout }) =>
  layout.reduce(
    (sum, { name }) =>
      sum +
      values[name].reduce((more, value, i) => more + (value === 0 && locks[name][i] ? 0 : 1), 0),
    0,
  );

/** @param {number} share 0..1 */
const percentText = (share) => `${(100 * share).toFixed(1)} %`;

/** @param {import('../shared/figure.js').RecordedRun} run @returns {number} 0..1 */
const scoreOf = ({ points }) => points[points.length - 1].readings.testScore[0];

/** Returns a run's point in the plot; the axis of kept weights is logarithmic. @param {number} kept @param {number} score @param {number} least @param {number} floor in per cent @returns {Point} */
const placeOf = (kept, score, least, floor) => ({
  x: Math.log(MOST / kept) / Math.log(MOST / least),
  y: (100 * score - floor) / (100 - floor),
});

/** @param {Model} model */
const floorOf = ({ recorded }) =>
  Math.min(FLOOR, Math.floor(10 * Math.min(1, ...recorded.map(scoreOf))) * 10);

/** The recorded runs as curves. @param {any} words @param {Model} model @returns {import('./plot.js').Chart} */
function chartOf(words, model) {
  const { kept, least } = model.shown;
  const floor = floorOf(model);
  const all = allOf(model);
  const series = ['random', 'ticket'].map((kind) => {
    const runs = model.recorded.filter(({ key }) => key === kind);
    const indices = [...new Set(runs.map(({ at }) => at))];
    return {
      kind,
      line: indices.map((at) => {
        const scores = runs.filter((run) => run.at === at).map(scoreOf);
        const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
        return placeOf(at, mean, least, floor);
      }),
      marks: runs.map((run) => {
        const left = all - (run.zeros?.reduce((sum, bit) => sum + bit, 0) ?? 0);
        const label = words.point(words[kind], run.at, left, all, percentText(scoreOf(run)));
        return { ...placeOf(run.at, scoreOf(run), least, floor), label, run };
      }),
    };
  });
  const ticks = Array.from({ length: (100 - floor) / 10 + 1 }, (_, i) => floor + 10 * i);
  return {
    ...{ across: words.across, up: words.up, series, live: null },
    xTicks: kept
      .filter((/** @type {number} */ _, /** @type {number} */ i) => i % 2 === 0)
      .map((/** @type {number} */ at) => ({ at: placeOf(at, 0, least, 0).x, text: `${at} %` })),
    yTicks: ticks.map((at) => ({ at: placeOf(100, at / 100, least, floor).y, text: `${at} %` })),
  };
}

/** @param {Tools['h']} h @param {string} kind @param {string} text */
const keyOf = (h, kind, text) =>
  h(
    'span',
    { class: 'runs-key' },
    svg(
      'svg',
      { viewBox: '-11 -11 22 22', class: 'runs-sign', 'aria-hidden': 'true' },
      markOf(kind),
    ),
    text,
  );

/** @type {import('../shared/figure.js').Built} */
export const lottery = {
  id: 'lottery',
  isOnce: true,
  build(host, { words, intents, memory, zoom, h }) {
    const slider = h('input', { type: 'range', min: 5, max: 95, step: 1 });
    slider.value = memory.kept ?? '50';
    const kept = h('span', { class: 'lottery-kept' });
    const prune = h('button', { type: 'button', class: 'button' }, words.prune);
    const plotHost = h('div', { class: 'runs-plot' });
    const told = h('p', { class: 'runs-told' }, words.hint);
    const field = h(
      'label',
      { class: 'lottery-field' },
      h('span', { class: 'lottery-label' }, h('span', {}, words.kept), kept),
      slider,
    );
    host.append(
      h('div', { class: 'lottery-row' }, field, prune),
      plotHost,
      h(
        'p',
        { class: 'runs-keys' },
        ...['ticket', 'random', 'live'].map((kind) => keyOf(h, kind, words[`${kind}Key`])),
      ),
      told,
    );
    const plot = new RunsPlot(plotHost, {
      ...{ memory, zoom },
      label: words.plot,
      open: ({ run }) => intents.openRun(run),
      tell: (mark) => say(told, mark ? `${mark.label} ${words.opens}` : words.hint),
    });
    /** @type {Model | null} */
    let model = null;
    /** The runs that are drawn. @type {Model['recorded']} */
    let drawn = [];

    function drawControls() {
      if (!model) return;
      const [all, left] = [allOf(model), countOf(model, Number(slider.value))];
      say(kept, words.keptOf(slider.value, left, all));
      update(slider, { 'aria-valuetext': words.keptOf(slider.value, left, all) });
      update(prune, { 'aria-disabled': String(left >= liveCount(model)) });
    }
    slider.addEventListener('input', () => {
      memory.kept = slider.value;
      drawControls();
    });
    prune.addEventListener('click', () => {
      if (prune.getAttribute('aria-disabled') === 'true') return;
      intents.pruneAnew(1 - Number(slider.value) / 100);
    });
    const controls = [slider, prune];
    host.addEventListener('focusin', ({ target }) => {
      memory.focused = controls.indexOf(/** @type {HTMLButtonElement} */ (target));
    });
    return {
      focus: () => (controls[memory.focused] ?? plot).focus(),
      draw(now) {
        model = now;
        const { recorded, shown, readings } = now;
        drawControls();
        // Another setup has other runs.
        if (recorded.length !== drawn.length || recorded[0] !== drawn[0]) {
          plot.draw(chartOf(words, now));
        }
        drawn = recorded;
        const share = (100 * liveCount(now)) / allOf(now);
        const at = placeOf(share, readings.testScore[0], shown.least, floorOf(now));
        plot.live(at.x <= 1 ? { ...at, y: Math.max(0, at.y) } : null);
      },
    };
  },
  describe: (words, { recorded }) => (recorded.length ? words.known(recorded.length) : words.none),
};
