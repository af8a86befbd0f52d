// Dates and times of day as elapsed time.
import { TableError } from './cells.js';

/** Seconds in a unit; a year is 365.25 days. */
export const UNITS = { s: 1, min: 60, h: 3600, d: 86_400, a: 31_557_600 };

/** @typedef {keyof typeof UNITS} Unit */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = String.raw`(?:[ T]*(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d+)?))?\s*(Z|[-+]\d\d:?\d\d)?)?$`;
const FORMS = [
  { order: 'ymd', form: new RegExp(`^(\\d{4})[-/.](\\d{1,2})(?:[-/.](\\d{1,2}))?${CLOCK}`) },
  { order: 'dmy', form: new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${CLOCK}`) },
  { order: '?', form: new RegExp(`^(\\d{1,2})[-/](\\d{1,2})[-/](\\d{4})${CLOCK}`) },
  { order: 'dmy', form: new RegExp(`^(\\d{1,2})[ -]([a-z]{3})[a-z]*[ .-]+(\\d{4})${CLOCK}`, 'i') },
  {
    order: 'mdy',
    form: new RegExp(`^([a-z]{3})[a-z]*[ .]+(\\d{1,2})(?:st|nd|rd|th)?,? +(\\d{4})${CLOCK}`, 'i'),
  },
  { order: 'my', form: new RegExp(`^([a-z]{3})[a-z]*[ .-]+(\\d{4})${CLOCK}`, 'i') },
  { order: '', form: new RegExp(`^${CLOCK}`) },
];

/** @param {string} cell */
const partsOf = (cell) => {
  for (const { order, form } of FORMS) {
    const found = cell.match(form);
    if (!found) continue;
    const [hour, minute, second, zone] = found.slice(-4);
    if (order === '' && hour === undefined) return null;
    return { order, date: found.slice(1, -4), hour, minute, second, zone };
  }
  return null;
};

/** A month's number, or NaN. @param {string} text */
const monthOf = (text) =>
  /^\d/.test(text)
    ? Number(text)
    : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1 || Number.NaN;

/**
 * Returns the time since the first cell, in a unit.
 * @param {{ line: number, column: number, name: string, given: string }[]} cells
 * @param {Unit} unit
 */
export const elapsed = (cells, unit) => {
  const all = cells.map((where) => {
    const parts = partsOf(where.given);
    if (!parts) throw new TableError('noDate', where);
    return { where, ...parts };
  });
  const doubtful = all.filter(({ order }) => order === '?');
  const [isDayFirst, isMonthFirst] = [0, 1].map((at) =>
    doubtful.some(({ date }) => Number(date[at]) > 12),
  );
  if (doubtful[0] && isDayFirst === isMonthFirst) {
    throw new TableError('dateOrder', doubtful[0].where);
  }
  const first = all[0];
  const times = all.map(({ where, order, date, hour = '0', minute = '0', second = '0', zone }) => {
    // A time of day and a date, or local and universal time, have no difference.
    const isAlike = !zone === !first?.zone && (order === '') === (first?.order === '');
    if (!isAlike) throw new TableError('zones', where);
    const known = order === '?' ? (isDayFirst ? 'dmy' : 'mdy') : order;
    const part = (/** @type {string} */ letter) => date[known.indexOf(letter)] ?? '1';
    const [year, month, day] = [
      order === '' ? 1970 : Number(part('y')),
      monthOf(part('m')),
      Number(part('d')),
    ];
    const midnight = new Date(0);
    midnight.setUTCFullYear(year, month - 1, day);
    const [, sign = '+', hours = '0', minutes = '0'] = zone?.match(/([-+])(\d\d):?(\d\d)/) ?? [];
    const clock = [hour, minute, second.replace(',', '.')].map(Number);
    const isReal = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
    if (!isReal || clock.some((value, i) => value >= [25, 60, 61][i])) {
      throw new TableError('noDate', where);
    }
    const [h = 0, m = 0, s = 0] = clock;
    const shift = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
    return midnight.getTime() / 1000 + h * 3600 + (m - shift) * 60 + s;
  });
  return times.map((time) => (time - Number(times[0])) / UNITS[unit]);
};
