/**
 * The marks of recorded runs on a plot, which are buttons: arrows select another, Enter or a click
 * near it opens its run. Marks differ in shape, not only in colour.
 */

import { ARROWS, moveTo, nearest, stopAt } from '../shared/buttons.js';

/** @typedef {{ kind: string, x: number, y: number, label: string, run: import('../shared/figure.js').RecordedRun }} Mark  its class is is-kind; x and y in the axes' values */

/** @param {Parameters<import('../shared/figure.js').Built['build']>[1]} tools its memory stores which mark is the tab stop @param {(mark: Mark | null) => void} tell */
export function runMarks({ h, words, intents, memory, zoom }, tell) {
  /** @type {readonly Mark[]} */
  let marks = [];
  /** @type {HTMLButtonElement[]} */
  let buttons = [];
  /** @type {{ x: number, y: number }[]} */
  let points = [];
  const focused = () => buttons.indexOf(/** @type {any} */ (document.activeElement));
  /** Returns −1 for none. @param {MouseEvent} event */
  const near = (event) => nearest(points, element, event);

  /** Highlights a mark and reports it. @param {number} at −1 for none */
  function light(at) {
    for (const [i, button] of buttons.entries()) button.classList.toggle('is-near', i === at);
    tell(marks[at] ?? null);
  }

  /** Focuses the tab stop; before there are marks, their layer. */
  const focus = () => (buttons.find(({ tabIndex }) => tabIndex === 0) ?? element).focus();

  /** Arrows lead along a curve, then along the other. @param {KeyboardEvent} event */
  function press(event) {
    const at = focused();
    const [across, up] = ARROWS[event.key] ?? [0, 0];
    const to = { Home: 0, End: buttons.length - 1 }[event.key] ?? at + across + up;
    if (at < 0 || to === at) return;
    event.preventDefault();
    buttons[to]?.focus();
  }

  const element = h('div', {
    ...{ class: 'runs-marks', role: 'group', 'aria-label': words.plot, tabindex: -1 },
    onpointermove: (/** @type {PointerEvent} */ event) => light(near(event)),
    onpointerleave: () => light(focused()),
    // The nearest mark gets the focus, which need not be the one on top.
    onmousedown(/** @type {MouseEvent} */ event) {
      event.preventDefault();
      buttons[near(event)]?.focus();
    },
    // A click without a pointer comes from a keyboard or assistive technology.
    onclick(/** @type {MouseEvent} */ event) {
      const at = event.detail ? near(event) : focused();
      if (at >= 0) intents.openRun(marks[at].run);
    },
    onfocusin() {
      const at = focused();
      if (at < 0) return focus();
      memory.at = at;
      stopAt(buttons, at);
      light(at);
    },
    onfocusout: () => light(-1),
    onkeydown: press,
  });

  return {
    element,
    focus,
    /** Shows other marks. @param {readonly Mark[]} others */
    show(others) {
      marks = others;
      buttons = marks.map(({ kind, label }) =>
        h('button', { type: 'button', class: `runs-point is-${kind}`, 'aria-label': label }),
      );
      element.replaceChildren(...buttons);
      stopAt(buttons, memory.at in marks ? memory.at : 0);
      if (document.activeElement === element) focus();
    },
    /** Puts the marks on a plot. @param {import('../shared/plot.js').Plot} plot */
    place({ x, y }) {
      points = marks.map((mark) => ({ x: x(mark.x) * zoom(), y: y(mark.y) * zoom() }));
      for (const [i, point] of points.entries()) moveTo(buttons[i], point);
    },
  };
}
