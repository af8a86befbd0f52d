// The look of the grid. A locked cell has a padlock and a hatch; colour only ever says what its
// value is. Pages set the properties --gradlock-… and style the parts.

/**
 * Rule by rule, which keeps lines of the built file short.
 * @param {(rule: string) => void} add
 */
const addRules = (add) => {
  add(`:host { display: block; position: relative; }`);
  add(`.body {
    --accent: var(--gradlock-accent, #7a2e63);
    --paper: var(--gradlock-paper, #ffffff);
    --ink: var(--gradlock-ink, #1d1f23);
    --muted: var(--gradlock-muted, #5f6168);
    --radius: var(--gradlock-radius, 0.375rem);
    height: 100%;
    color: var(--ink);
    font-family: var(--gradlock-font, system-ui, sans-serif);
  }`);
  add(`.body.is-dark {
    --accent: var(--gradlock-accent, #e39ccb);
    --paper: var(--gradlock-paper, #1f2226);
    --ink: var(--gradlock-ink, #eceae6);
    --muted: var(--gradlock-muted, #a6a9b0);
  }`);
  add(`:host([hidden]) { display: none; }`);
  add(`*, ::before { box-sizing: border-box; }`);
  add(`.frame {
    position: relative;
    width: 100%;
    height: 100%;
    min-height: 1.5rem;
    max-width: calc(var(--cols) * var(--gradlock-max-cell, 6rem) + var(--names, 0px));
    max-height: var(--gradlock-max-height, 90vh);
    aspect-ratio: var(--cols) / var(--rows);
  }`);
  add(`.frame.has-names {
    --names: var(--gradlock-row-name, 4.5rem);
    max-height: none;
    aspect-ratio: auto;
  }`);
  add(`.frame.has-heads { padding-bottom: 1.25rem; box-sizing: content-box; }`);
  add(`.grid {
    position: relative;
    touch-action: pan-x pan-y pinch-zoom;
    user-select: none;
    -webkit-user-select: none;
  }`);
  add(`:host([draw]) .grid { touch-action: none; }`);
  add(`.grid-dom { display: grid; width: max-content; gap: var(--gap); }`);
  add(`.grid-row { display: flex; gap: var(--gap); }`);
  add(`.cell {
    position: relative;
    display: flex;
    flex-direction: column;
    align-items: center;
    justify-content: center;
    width: var(--cell);
    height: var(--cell);
    padding: 0;
    overflow: hidden;
    border: 0;
    border-radius: calc(min(var(--cell) * 0.06, 0.5rem));
    background: var(--fill);
    box-shadow: inset 0 0 0 1px rgb(0 0 0 / 0.08);
    color: #000000;
    font: inherit;
    cursor: pointer;
  }`);
  add(`.cell.on-dark { color: #ffffff; }`);
  add(`.cell:focus-visible { z-index: 1; outline: 3px solid var(--accent); outline-offset: 1px; }`);
  add(`.cell-value {
    position: relative;
    font-size: clamp(0.625rem, calc(var(--cell) * 0.27), 2.5rem);
    font-variant-numeric: tabular-nums;
    line-height: 1.2;
  }`);
  add(`.cell-goal {
    position: relative;
    font-size: clamp(0.6875rem, calc(var(--cell) * 0.09), 1.0625rem);
    font-variant-numeric: tabular-nums;
  }`);
  add(`.cell-goal:empty, .cell-value:empty { display: none; }`);
  // Two lines side by side, dark and light, so that the hatch shows on every colour of the scale.
  add(`.cell[aria-pressed="true"]::before {
    --pitch: clamp(5px, calc(var(--cell) * 0.1), 14px);
    position: absolute;
    inset: 0;
    background-image: repeating-linear-gradient(
      -45deg,
      rgb(0 0 0 / 0.44) 0 1.2px,
      rgb(255 255 255 / 0.4) 1.2px 2.2px,
      transparent 2.2px var(--pitch)
    );
    content: "";
  }`);
  // Numbers stand on a clear ground, not on the hatch.
  add(`.cell[aria-pressed="true"] .cell-value,
  .cell[aria-pressed="true"] .cell-goal {
    padding: 0 0.25em;
    border-radius: 0.2em;
    background: var(--fill);
  }`);
  add(`.cell-lock {
    display: flex;
    position: absolute;
    top: calc(var(--cell) * 0.05);
    right: calc(var(--cell) * 0.05);
    padding: calc(var(--cell) * 0.02);
    border-radius: 20%;
    opacity: 0;
  }`);
  add(`.icon {
    width: clamp(0.625rem, calc(var(--cell) * 0.17), 1.75rem);
    height: clamp(0.625rem, calc(var(--cell) * 0.17), 1.75rem);
    fill: none;
    stroke: currentColor;
    stroke-width: 1.7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }`);
  add(`.icon .fill { fill: currentColor; stroke-width: 0.4; }`);
  add(`.cell[aria-pressed="true"] .cell-lock { background: var(--fill); opacity: 1; }`);
  // A hint of what a click would do.
  add(`@media (hover: hover) {
    :host(:not([readonly])) .cell[aria-pressed="false"]:hover .cell-lock { opacity: 0.35; }
  }`);
  // In small cells a lock is a quiet hatch, so that what is free stands out.
  add(`.grid-dom:not(.has-numbers) .cell-lock { display: none; }`);
  add(`.has-numbers:not(.has-goals) .cell-value { margin-top: calc(var(--cell) * 0.22); }`);
  // A cell that was to be held and left its place: its padlock is broken.
  add(`.cell-lock .icon:last-child, .cell.has-drifted .icon:first-child { display: none; }`);
  add(`.cell.has-drifted .icon:last-child { display: block; }`);
  add(`.cell.has-drifted { outline: 2px dashed var(--accent); outline-offset: -2px; }`);
  add(`.grid-canvas canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    cursor: crosshair;
  }`);
  add(`.grid-values { border-radius: 2px; image-rendering: pixelated; }`);
  add(`.cursor {
    --w: max(var(--width), 0.875rem);
    --h: max(var(--height), 0.875rem);
    position: absolute;
    left: calc(var(--x) - var(--w) / 2);
    top: calc(var(--y) - var(--h) / 2);
    width: var(--w);
    height: var(--h);
    padding: 0;
    border: 2px solid #16181c;
    border-radius: 2px;
    background: none;
    box-shadow: 0 0 0 1.5px #ffffff, inset 0 0 0 1px #ffffff;
    pointer-events: none;
  }`);
  add(`.cursor:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }`);
  add(`:host([readonly]) :is(.cell, canvas) { cursor: default; }`);
  add(`.editor {
    position: absolute;
    z-index: 2;
    padding: 0 0.5rem;
    border: 2px solid var(--accent);
    border-radius: var(--radius);
    background: var(--paper);
    box-shadow: 0 0.5rem 2rem rgb(0 0 0 / 0.25);
    color: var(--ink);
    font: inherit;
    font-size: 1.1875rem;
    font-variant-numeric: tabular-nums;
    text-align: center;
  }`);
  add(`.editor:focus-visible { outline: none; }`);
  add(`.row-name, .col-name {
    flex: none;
    overflow: hidden;
    color: var(--muted);
    font-size: 0.8125rem;
    text-overflow: ellipsis;
    white-space: nowrap;
  }`);
  add(
    `.row-name { width: var(--names); padding-right: 0.5rem; line-height: var(--cell); text-align: right; }`,
  );
  add(`.col-name { width: var(--cell); height: 1.25rem; text-align: center; }`);
  add(`.note { margin: 0.5rem 0 0; font-size: 0.9375rem; }`);
  add(`.note:empty { display: none; }`);
  add(`@media (forced-colors: active) {
    .cell { border: 1px solid ButtonText; background: Canvas; color: CanvasText; }
    .cell[aria-pressed="true"] { border: 3px double ButtonText; }
    .cell[aria-pressed="true"]::before {
      forced-color-adjust: none;
      background-image: repeating-linear-gradient(
        -45deg,
        CanvasText 0 1px,
        transparent 1px var(--pitch)
      );
    }
  }`);
  add(`@media (forced-colors: active) {
    .has-numbers .cell-lock, .cell .cell-value, .cell .cell-goal { background: Canvas !important; }
    .cell:focus-visible, .cursor:focus-visible { outline-color: Highlight; }
    .cursor { border-color: Highlight; }
  }`);
};

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** One for all grids: policies allow sheets that scripts construct. */
export const sharedSheet = () => {
  if (!sheet) {
    const made = new CSSStyleSheet();
    addRules((rule) => made.insertRule(rule, made.cssRules.length));
    sheet = made;
  }
  return sheet;
};
