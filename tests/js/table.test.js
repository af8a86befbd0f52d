/* The reader of tables of the command and the demo: excerpts in the shape of what people and
 * programs write, and what is read of each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Table, TableError } from '../../src/js/table/table.js';

/**
 * What is read: names, and what else is told.
 * @typedef {object} Read
 * @property {string[]} [names]
 * @property {string} rows Numbers of columns that are not text: `1 2 / 3 _`; _ is missing.
 * @property {string[]} [units]
 * @property {number} [nameColumn]
 */

/** @typedef {import('../../src/js/table/table.js').Reading} Reading */
/** @typedef {import('../../src/js/table/dates.js').Unit} Unit */
/** @type {[what: string, text: string | Uint8Array, read: Read, reading?: Reading][]} */
const TABLES = [
  ['plain', 'x,y\n1,2\n3,4\n', { names: ['x', 'y'], rows: '1 2 / 3 4' }],
  ['no header', '1,2\n3,4', { names: ['1', '2'], rows: '1 2 / 3 4' }],
  ['a first point at 0 and 1', '0,1\n1,3\n2,4', { rows: '0 1 / 1 3 / 2 4' }],
  [
    'quotes around separators',
    '"Time, s","a ""b"""\n"1","2"',
    { names: ['Time, s', 'a "b"'], units: ['s', ''], rows: '1 2' },
  ],
  ['a line break in quotes', '"one\ntwo",y\n1,2', { names: ['one\ntwo', 'y'], rows: '1 2' }],
  ['blanks at quotes', '"a", "b, c" ,d\n1, "2" , 3', { names: ['a', 'b, c', 'd'], rows: '1 2 3' }],
  ['semicolons', 'x;y\r\n1;2\r\n', { rows: '1 2' }],
  ['bars', 'x|y\n1|2\n3|4', { rows: '1 2 / 3 4' }],
  ['blanks', '  x   y\r\r 1  2\r -3\t0  ', { names: ['x', 'y'], rows: '1 2 / -3 0' }],
  ['blanks and quotes', '"a b" y\n"1" 2', { names: ['a b', 'y'], rows: '1 2' }],
  ['a separator that is named', 'sep=;\n1;2,5\n3;4', { rows: '1 2.5 / 3 4' }],
  ['a separator that is given', 'a:b\n1:2', { rows: '1 2' }, { separator: ':' }],
  ['commas within cells of a table of tabs', 'a\tb\n1,5\t2\n3\t4,25', { rows: '1.5 2 / 3 4.25' }],
  ['a mark of UTF-8', '\ufeffx,y\n1,2', { names: ['x', 'y'], rows: '1 2' }],
  ['UTF-16, little', Buffer.from('\ufeffµ;y\n1;2', 'utf16le'), { names: ['µ', 'y'], rows: '1 2' }],
  [
    'UTF-16, big',
    Buffer.from('\ufeffx;y\n1;2', 'utf16le').swap16(),
    { names: ['x', 'y'], rows: '1 2' },
  ],
  ['UTF-16 without a mark', Buffer.from('x;y\n1;2', 'utf16le'), { names: ['x', 'y'], rows: '1 2' }],
  [
    'Windows-1252',
    Buffer.from('T (\xb0C),y\n1,2', 'latin1'),
    { names: ['T (°C)', 'y'], units: ['°C', ''], rows: '1 2' },
  ],
  [
    'comments',
    "# it's\n% x\n// y\na,b\n1,2\n# later\n3,4",
    { names: ['a', 'b'], rows: '1 2 / 3 4' },
  ],
  ['a header in a comment', '# t, v\n1,2\n3,4', { names: ['t', 'v'], rows: '1 2 / 3 4' }],
  ['an empty last cell', 'a,b\n1,\n,4', { rows: '1 _ / _ 4' }],
  [
    'a separator at the end of each line',
    'a;b;\n1;2;\n3;4;',
    { names: ['a', 'b'], rows: '1 2 / 3 4' },
  ],
  ['that, but in the header', 'a,b\n1,2,\n3,4,', { names: ['a', 'b'], rows: '1 2 / 3 4' }],
  ['a title', 'My table\nx,y\n1,2\n3,4', { names: ['x', 'y'], rows: '1 2 / 3 4' }],
  [
    'R, with names of rows',
    'x y\nA 1 2\nB 3 4',
    { names: ['1', 'x', 'y'], nameColumn: 0, rows: '1 2 / 3 4' },
  ],
  ['R, with years', '2000 2010\nA 1 2', { names: ['1', '2000', '2010'], rows: '1 2' }],
  [
    'R, with numbers of rows',
    '"x","y"\n"1",5,6\n"2",7,8',
    { names: ['1', 'x', 'y'], nameColumn: 0, rows: '1 5 6 / 2 7 8' },
  ],
  ['R, one column', 'x\n1 5.5\n2 6.5', { names: ['1', 'x'], nameColumn: 0, rows: '1 5.5 / 2 6.5' }],
  [
    'pandas',
    '\tx\ty\n0\t1\t2\n1\t3\t4',
    { names: ['1', 'x', 'y'], nameColumn: 0, rows: '0 1 2 / 1 3 4' },
  ],
  [
    'pandas, columns without names',
    ',0,1\n0,1.5,2\n1,3,4',
    { names: ['1', '0', '1'], nameColumn: 0, rows: '0 1.5 2 / 1 3 4' },
  ],
  [
    'pandas, nothing but numbers',
    '0,1\n1.5,2.5\n0.25,4.5',
    { names: ['0', '1'], rows: '1.5 2.5 / 0.25 4.5' },
  ],
  [
    'years in a header',
    'tree,2000,2010\nA,1,2\nB,3,4',
    { names: ['tree', '2000', '2010'], nameColumn: 0, rows: '1 2 / 3 4' },
  ],
  [
    'years beside an empty corner',
    ',2000,2010\n5,1,2\n8,3,4',
    { names: ['1', '2000', '2010'], nameColumn: 0, rows: '5 1 2 / 8 3 4' },
  ],
  ['names of rows alone', 'first,1,2\nsecond,3,4', { nameColumn: 0, rows: '1 2 / 3 4' }],
  ['a number in a header', 'x,1\n0,2\n1,3', { names: ['x', '1'], rows: '0 2 / 1 3' }],
  ['numbers of rows by their name', 'No,t\n1,5\n2,7', { nameColumn: 0, rows: '1 5 / 2 7' }],
  [
    'a gap in the corner of numbers',
    ',1,2\n3,4,5\n6,7,8',
    { nameColumn: -1, rows: '_ 1 2 / 3 4 5 / 6 7 8' },
  ],
  [
    'a line of units',
    't,v\ns,[mV]\n0,1\n1,2',
    { names: ['t', 'v'], units: ['s', 'mV'], rows: '0 1 / 1 2' },
  ],
  ['units', 'mass (kg),V [mV],T / K\n1,2,3', { units: ['kg', 'mV', 'K'], rows: '1 2 3' }],
  ['a row of gaps', 'a,b\n,\n1,2', { rows: '_ _ / 1 2' }],
  ['a separator that only the file names', 'sep=:\n1:2\n3:4', { rows: '1 2 / 3 4' }],
  ['decimal commas between blanks', '1,5 2,5\n2,5 3,5', { rows: '1.5 2.5 / 2.5 3.5' }],
  [
    'numbers in a header by its label',
    'group,5,7\nA,1,2\nB,3,4',
    { nameColumn: 0, rows: '1 2 / 3 4' },
  ],
  [
    'missing values',
    'x,y\nNA,1\n#N/A,nan\nnull,–\n?,n/a\n5,6',
    { rows: '_ 1 / _ _ / _ _ / _ _ / 5 6' },
  ],
  [
    'signs, exponents and percents',
    'a,b\n−1.5e3,12 %\n+.5,3%\n1.0D-2,4%',
    { rows: '-1500 12 / 0.5 3 / 0.01 4' },
  ],
  ['digits in groups', "a;b\n1 234,5;1'000\n1 000 000;2", { rows: '1234.5 1000 / 1000000 2' }],
  ['groups that are proven', 'a,b\n"1,200","1,234,567"\n2,3.5', { rows: '1200 1234567 / 2 3.5' }],
  ['three decimals, proven', 'a;b\n1.200;0.5\n3;4', { rows: '1.2 0.5 / 3 4' }],
  ['three decimals between commas', '1.200,2.5\n3,4', { rows: '1.2 2.5 / 3 4' }],
  ['three decimals, as given', '1;1.200\n4;900', { rows: '1 1.2 / 4 900' }, { decimal: '.' }],
  ['thousands, as given', '1;1.200\n4;900', { rows: '1 1200 / 4 900' }, { decimal: ',' }],
  ['a header, as given', '1,2\n3,4', { names: ['1', '2'], rows: '3 4' }, { header: true }],
  ['no header, as given', '0,1\n1.5,2.5', { rows: '0 1 / 1.5 2.5' }, { header: false }],
];

for (const [what, text, { rows, names, units, nameColumn }, reading] of TABLES) {
  test(`a table is read as it was meant: ${what}`, () => {
    const table = new Table(text, reading);
    const numbers = table.columns.flatMap(({ isText }, i) => (isText ? [] : [i]));
    const { columns } = table.numbers(numbers, { missing: 'keep' });
    const read = table.rows.map((_, row) => columns.map((column) => column[row]).join(' '));
    assert.equal(read.join(' / ').replaceAll('NaN', '_'), rows);
    if (names)
      assert.deepEqual(
        table.columns.map(({ name }) => name),
        names,
      );
    if (units)
      assert.deepEqual(
        table.columns.map(({ unit }) => unit),
        units,
      );
    if (nameColumn !== undefined) assert.equal(table.nameColumn, nameColumn);
  });
}

/** @type {[text: string | Uint8Array, problem: string, where: object, reading?: Reading][]} */
const REFUSED = [
  ['', 'empty', {}],
  ['# only words\n', 'empty', {}],
  ['x,y\n', 'noData', {}],
  [Buffer.from('PK\0\0\x03'), 'binary', {}],
  ['x,y\n1,2\n\n2', 'ragged', { line: 4, count: 1, wanted: 2 }],
  ['a,1\nb,2,3', 'ragged', { line: 2, count: 3, wanted: 2 }],
  ['x,y\n1,"2\n3,4', 'quote', { line: 2 }],
  ['x,y\n1,"a"b\n3,4', 'quote', { line: 2 }],
  ['0,1\n1.5,2\n7,4', 'header', { line: 1, given: '0, 1' }],
  ['0,1\n1.5,2.5\n3.25,4.5', 'header', { line: 1, given: '0, 1' }],
  ['2000,2010\n1,2\n3,4', 'header', { line: 1 }],
  ['"a\nb",y\n1,2\n2,two', 'notANumber', { line: 4, column: 2, name: 'y', given: 'two' }],
  ['2x,1\n3,4\n5,6', 'notANumber', { line: 1, column: 1, given: '2x' }],
  ['x,y\n1,"2,5"', 'decimals', { line: 2, given: '2,5' }, { decimal: '.' }],
  ['1,2x\n3,4\n5,6', 'notANumber', { line: 1, column: 2, given: '2x' }],
  ['x,y\n1,2\n2,', 'noCell', { line: 3, column: 2 }],
  ['x,y\n1,2\n2,Infinity', 'notANumber', { line: 3, given: 'Infinity' }],
  ['x,y\n1,1e999\n2,3', 'notANumber', { line: 2 }],
  ['x,y\n1,2 kg\n2,3', 'notANumber', { line: 2, given: '2 kg' }],
  ['1;1.200\n4;900', 'grouped', { line: 1, column: 2, given: '1.200' }],
  ['1;1,200\n4;900', 'grouped', { line: 1, column: 2, given: '1,200' }],
  ['1.000;2,5\n3;4', 'grouped', { line: 1, column: 1 }],
  ['"1,000",2\n3,4', 'grouped', { line: 1, column: 1 }],
  ['x;y\n1,5;2\n2;3.5', 'decimals', { line: 3, column: 2, given: '3.5' }],
  ['x,y\n1,5 %\n2,6', 'percent', { line: 3, column: 2 }],
  ['x,y\n2020-01-02,5\n2020-01-03,6', 'date', { line: 2, column: 1 }],
];

for (const [text, problem, where, reading] of REFUSED) {
  test(`a table is refused as ${problem}: ${JSON.stringify(String(text).slice(0, 30))}`, () => {
    assert.throws(
      () => new Table(text, reading).numbers([0, 1]),
      (/** @type {any} */ error) => {
        assert.ok(error instanceof TableError, `${error}`);
        assert.equal(error.problem, problem);
        assert.deepEqual({ ...error.where, ...where }, error.where);
        return true;
      },
    );
  });
}

/** @type {[unit: Unit, cells: string, elapsed: number[] | string][]} */
const DATES = [
  ['d', '2024-02-28 2024-03-01', [0, 2]],
  ['h', '2024-03-01T10:30Z 2024-03-01T12:00+01:00', [0, 0.5]],
  ['min', '23:10 23:25:30', [0, 15.5]],
  ['s', '01.02.2024 02.02.2024', [0, 86400]],
  ['h', '10:30', [0]],
  ['d', '1/2/2024 13/2/2024', [0, 12]],
  ['d', '1/2/2024 1/13/2024', [0, 11]],
  ['d', '1-Jan-2000 3-Feb-2000', [0, 33]],
  ['a', '2000-01 2004-01', [0, 1461 / 365.25]],
  ['d', '1/2/2024 2/2/2024', 'dateOrder'],
  ['d', '1/13/2024 13/1/2024', 'dateOrder'],
  ['d', '2024-02-30 2024-03-01', 'noDate'],
  ['d', '2024-02-03 soon', 'noDate'],
  ['h', '10:00 25:00', 'noDate'],
  ['h', '2024-03-01T10:30Z 2024-03-01T12:00', 'zones'],
];

for (const [unit, cells, expected] of DATES) {
  test(`dates give ${typeof expected === 'string' ? 'an error' : 'elapsed time'}: ${cells}`, () => {
    const rows = cells.split(' ').map((cell, i) => `${cell},${i}`);
    const read = () => new Table(`when,y\n${rows.join('\n')}`).numbers([0, 1], { elapsed: unit });
    if (typeof expected === 'string') {
      assert.throws(read, { problem: expected });
      return;
    }
    assert.deepEqual(read().columns, [expected, rows.map((_, i) => i)]);
  });
}

test('rows without a value are left out on request, and counted', () => {
  const table = new Table('t,a,b\n1,2,NA\n,3,4\n5,,6\n7,8,9');
  assert.deepEqual(table.numbers([0, 1], { missing: 'skip' }), {
    ...{
      columns: [
        [1, 7],
        [2, 8],
      ],
      lines: [2, 5],
      skipped: 2,
    },
  });
});

test('years, dates and numbers of rows are names for a grid, not for a curve', () => {
  for (const [text, curve, grid] of /** @type {[string, number, number][]} */ ([
    ['YEAR,JAN\n1950,0.5\n1951,', -1, 0],
    ['when,JAN\n2020-01-01,0.5\n2020-01-02,1', -1, 0],
    ['id,JAN\n1,0.5\n2,1', 0, 0],
    ['size,JAN\n1800,0.5\n1700,1', -1, -1],
    ['1950,0.5\n1951,1', -1, -1],
  ])) {
    const table = new Table(text);
    assert.deepEqual([table.nameColumn, table.likelyNames], [curve, grid], text);
  }
});
