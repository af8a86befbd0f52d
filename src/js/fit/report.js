// A fit's report, once as rows, written as text or as HTML.

/** @typedef {import('./result.js').Fit<any>} Fit */
/** @typedef {{ title: string, rows: string[][] }} Table */

/** Correlations below this are not in the report. */
const LEAST_CORRELATION = 0.1;

/** No exponent, if a number has a usual size. @param {number} value @param {number} digits */
const round = (value, digits) => {
  const text = value.toPrecision(digits);
  const isUsual = Math.abs(value) >= 1 && Math.abs(value) < 1e12;
  return text.includes('e') && isUsual ? String(Number(text)) : text;
};

/** Without zeros at the end. @param {number} value @param {number} [digits] */
const format = (value, digits = 6) => {
  const text = round(value, digits);
  return text.includes('e') || !text.includes('.') ? text : text.replace(/\.?0+$/, '');
};

/** A value to its error's second digit. @param {number} value @param {number | undefined} error */
const besides = (value, error) => {
  if (error === undefined || !(error > 0 && error < Infinity)) return format(value);
  const most = Math.max(Math.abs(value), error);
  const digits = Math.floor(Math.log10(most)) - Math.floor(Math.log10(error)) + 2;
  return round(value, Math.min(Math.max(digits, 2), 17));
};

/** @param {Fit} fit @param {string} name */
const parameterRow = (fit, name) => {
  const { value, error, status, start } = fit.parameters[name];
  const begun = start === undefined ? '' : `from ${format(start)}`;
  if (status === 'locked') return [name, format(value), '', 'locked: exact'];
  if (error === undefined) return [name, format(value), '', 'tied: exact'];
  if (error === Infinity) return [name, format(value), '± ∞', 'the data do not determine it'];
  if (Number.isNaN(error))
    return [name, format(value), '', `no points left for its error, ${begun}`];
  const percent = Math.abs((100 * error) / value);
  const share = Number.isFinite(percent) ? ` (${format(percent, 2)} %)` : '';
  const words = {
    free: begun,
    tied: 'tied',
    min: `at its min, one-sided, ${begun}`,
    max: `at its max, one-sided, ${begun}`,
  }[status];
  const sign = { free: '±', tied: '±', min: '+', max: '−' }[status];
  const shown = status === 'free' || status === 'tied' ? besides(value, error) : format(value);
  return [name, shown, `${sign} ${round(error, 2)}${share}`, String(words)];
};

/** @param {string} name @param {import('./result.js').Price} price */
const priceRow = (name, { estimate, error, gain, stepGain, pValue }) => {
  if (error === Infinity) return [name, 'the data would not determine it', '', ''];
  const spread = Number.isNaN(error) ? '' : ` ± ${round(error, 2)}`;
  return [
    name,
    `to ${besides(estimate, error)}${spread}`,
    `chi square less ${format(gain, 3)}, by a step ${format(stepGain, 3)}`,
    Number.isNaN(pValue) ? '' : `p = ${format(pValue, 2)}`,
  ];
};

/**
 * A row of a number; where it is none, of the reason, if there is one.
 * @param {string} name
 * @param {number | undefined} value
 * @param {string} [why]
 */
const known = (name, value, why) => {
  if (value === undefined) return [];
  if (Number.isFinite(value)) return [[name, format(value)]];
  return why ? [[name, why]] : [];
};

/** @param {Fit} fit @returns {Table[]} */
const tablesOf = (fit) => {
  const { better, prices, undetermined } = fit;
  const statistics = [
    ['ended', fit.message],
    ['effort', `${fit.steps} steps, ${fit.evaluations} evaluations`],
    ['points', `${fit.points}, free parameters ${fit.freeCount}`],
    ['loss', fit.loss],
    ['chi square', format(fit.chiSquare)],
    ...known('reduced chi square', fit.reducedChiSquare, 'none: no degrees of freedom are left'),
    ...known('AIC', fit.aic),
    ...known('BIC', fit.bic),
    ...known('probability', fit.pValue),
    ...known('R squared, centred', fit.rSquared, 'none: all responses are equal'),
  ];
  const scaled = fit.isScaled
    ? 'from the residuals: scaled by the root of reduced chi square'
    : 'from the sigma given: not scaled';
  statistics.push(['errors', scaled]);

  const correlations = fit.free.flatMap((a, i) =>
    fit.free.slice(i + 1).flatMap((b, j) => {
      const value = Number(fit.correlations[i]?.[i + 1 + j]);
      return Math.abs(value) >= LEAST_CORRELATION ? [{ a, b, value }] : [];
    }),
  );
  correlations.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const tables = [
    { title: 'Fit', rows: statistics },
    {
      title: 'Parameters',
      rows: Object.keys(fit.parameters).map((name) => parameterRow(fit, name)),
    },
    {
      title: `A better fit, with chi square ${format(better?.chiSquare ?? 0)}`,
      rows: Object.entries(better?.values ?? {}).map(([name, value]) => [name, format(value)]),
    },
    {
      title: 'The data cannot tell apart',
      rows: undetermined.map((weights) =>
        Object.entries(weights).map(([name, weight]) => `${format(Number(weight), 3)} ${name}`),
      ),
    },
    {
      title: `Correlations of ${LEAST_CORRELATION} and above`,
      rows: correlations.map(({ a, b, value }) => [`${a}, ${b}`, value.toFixed(3)]),
    },
    {
      title: 'The price of knowing: if it were freed',
      rows: Object.keys(fit.parameters).flatMap((name) => {
        const price = prices[name];
        return price ? [priceRow(name, price)] : [];
      }),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
};

/** @param {Fit} fit */
export const toText = (fit) => {
  const lines = tablesOf(fit).flatMap(({ title, rows }) => {
    const widths =
      rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
    const padded = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
    return [title, ...padded.map((line) => `  ${line}`.trimEnd())];
  });
  return lines.join('\n');
};

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** @param {Fit} fit */
export const toHTML = (fit) => {
  const tables = tablesOf(fit).map(({ title, rows }) => {
    const body = rows.map(([head = '', ...cells]) => {
      const rest = cells.map((cell) => `<td>${escaped(cell)}</td>`).join('');
      return `<tr><th scope="row">${escaped(head)}</th>${rest}</tr>`;
    });
    return `<table><caption>${escaped(title)}</caption><tbody>${body.join('')}</tbody></table>`;
  });
  return `<section class="gradlock-fit">${tables.join('')}</section>`;
};
