// A plot of a fit as SVG: points, the curve and its band.

/** @typedef {readonly number[]} Numbers */

const WIDTH = 720;
const HEIGHT = 440;
const MARGIN = { left: 72, right: 20, top: 44, bottom: 56 };

/** @param {string} text */
const asText = (text) =>
  text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/\p{Cc}/gu, ' ');

/** From the least to the greatest, and a little more. @param {Numbers} values */
const rangeOf = (values) => {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const space = (high - low) * 0.04 || Math.abs(high) || 1;
  return [low - space, high + space];
};

/** Round numbers within a range. @param {number} low @param {number} high */
const ticksOf = (low, high) => {
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
};

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {{ name: string, values: Numbers }} plot.x
 * @param {{ name: string, values: Numbers }} plot.y
 * @param {Numbers} plot.at Where the curve is known.
 * @param {{ values: Numbers, lower: Numbers, upper: Numbers }} plot.band
 */
export const toSVG = ({ title, x, y, at, band }) => {
  const isKnown = [...band.lower, ...band.upper].every(Number.isFinite);
  const edges = isKnown ? [...band.lower, ...band.upper] : [];
  const [left = 0, right = 1] = rangeOf(x.values);
  const seen = [...y.values, ...band.values, ...edges].filter(Number.isFinite);
  const [low = 0, high = 1] = rangeOf(seen);
  const [wide, tall] = [WIDTH - MARGIN.left - MARGIN.right, HEIGHT - MARGIN.top - MARGIN.bottom];
  const across = (/** @type {number} */ value) =>
    (MARGIN.left + (wide * (value - left)) / (right - left)).toFixed(2);
  const down = (/** @type {number} */ value) =>
    (MARGIN.top + (tall * (high - value)) / (high - low)).toFixed(2);
  const path = (/** @type {Numbers} */ values) =>
    values.flatMap((v, i) => (Number.isFinite(v) ? [`${across(Number(at[i]))},${down(v)}`] : []));
  const bottom = HEIGHT - MARGIN.bottom;
  const area = [...path(band.lower), ...path(band.upper).reverse()].join(' ');
  const [vertical, horizontal] = [ticksOf(low, high), ticksOf(left, right)];
  const head = asText(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}"`,
    ` height="${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#52606d">`,
    `<title>${head}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${MARGIN.left}" y="26" font-size="15" font-weight="600" fill="#1f2933">${head}</text>`,
    '<g stroke="#e4e7eb">',
    ...vertical.map((v) => `<path d="M${MARGIN.left} ${down(v)}h${wide}"/>`),
    '</g><g text-anchor="end">',
    ...vertical.map((v) => `<text x="${MARGIN.left - 8}" y="${down(v)}" dy="4">${v}</text>`),
    '</g><g text-anchor="middle">',
    ...horizontal.map((v) => `<text x="${across(v)}" y="${bottom + 20}">${v}</text>`),
    `<text x="${MARGIN.left + wide / 2}" y="${HEIGHT - 12}" font-size="13">${asText(x.name)}</text>`,
    `<text transform="translate(18 ${MARGIN.top + tall / 2}) rotate(-90)" font-size="13">`,
    `${asText(y.name)}</text>`,
    `</g><path d="M${MARGIN.left} ${bottom}h${wide}" stroke="#9aa5b1"/>`,
    isKnown ? `<polygon class="band" points="${area}" fill="#c2410c" fill-opacity="0.18"/>` : '',
    '<g class="points" fill="#1d4ed8" fill-opacity="0.55">',
    ...x.values.map(
      (v, i) => `<circle cx="${across(v)}" cy="${down(Number(y.values[i]))}" r="2.6"/>`,
    ),
    `</g><polyline class="curve" points="${path(band.values).join(' ')}" fill="none"`,
    ' stroke="#c2410c" stroke-width="2" stroke-linejoin="round"/>',
    '</svg>\n',
  ].join('\n');
};
