/* Tier: all. */
/* The command `gradlock fit`, as built, run in processes of its own: on NIST's data, from standard
 * input, with a user's own model, and with all that it refuses. table.test.js tests the reader. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEADY } from './steady.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = join(root, 'build/npm/cli.js');
const nist = JSON.parse(await readFile(join(root, 'tests/golden/nist.json'), 'utf8'));

/** @type {string} */
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradlock-cli-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/**
 * Run the command.
 * @param {string} line Its arguments, between blanks.
 * @param {string} [input]
 * @returns {Promise<{ code: number | null, out: string, err: string }>}
 */
const run = (line, input = '') =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...STEADY, program, ...line.split(' ').filter(Boolean)],
      {
        cwd: folder,
      },
    );
    const output = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.err += text;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }));
    child.stdin.on('error', () => {}).end(input); // it may end before it has read all
  });

/** @param {string} name @param {string | Buffer} text */
const write = (name, text) => writeFile(join(folder, name), text);
/** @param {string} name */
const read = (name) => readFile(join(folder, name), 'utf8');

/** Run a fit, and return its JSON. @param {string} line @param {string} [input] */
const fit = async (line, input) => {
  const { code, out, err } = await run(`fit ${line} --json out.json`, input);
  assert.deepEqual([code, err], [0, ''], line);
  return { out, ...JSON.parse(await read('out.json')) };
};

/** @param {number[][]} columns @param {string} [mark] */
const rows = (columns, mark = ',') =>
  Array.from(columns[0] ?? [], (_, i) => columns.map((column) => column[i]).join(mark)).join('\n');

/** @param {string} name */
const setOf = (name) => nist.sets.find((/** @type {any} */ set) => set.name === name);

/** @param {number} got @param {number} wanted @param {number} [digits] */
const near = (got, wanted, digits = 8) =>
  assert.ok(Math.abs(got / wanted - 1) < 10 ** -digits, `${got} should be ${wanted}`);

/**
 * Sets whose models the command has by name, and NIST's parameters as the command's.
 * @type {[set: string, options: string, toOurs: (b: number[]) => Record<string, number>][]}
 */
const SETS = [
  [
    'Gauss2',
    'gauss2+decay --lock background=0',
    ([b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0, b7 = 0, b8 = 0]) => ({
      ...{ amplitude: b1, rate: b2, height1: b3, centre1: b4, width1: b5 },
      ...{ height2: b6, centre2: b7, width2: b8 },
    }),
  ],
  [
    'Eckerle4',
    'gauss',
    ([b1 = 0, b2 = 0, b3 = 0]) => ({ height: b1 / b2, centre: b3, width: Math.SQRT2 * b2 }),
  ],
  ['Rat42', 'logistic', ([b1 = 0, b2 = 0, b3 = 0]) => ({ top: b1, rate: b3, middle: b2 / b3 })],
];

for (const [name, options, toOurs] of SETS) {
  test(`a fit from a guess finds what NIST certifies for ${name}`, async () => {
    const { x, y, certified, squares } = setOf(name);
    await write('data.csv', rows([x[0].length ? x[0] : x, y]));
    const result = await fit(`data.csv --model ${options}`);
    near(result.chiSquare, squares);
    for (const [key, value] of Object.entries(toOurs(certified))) near(result.values[key], value);
    assert.match(
      result.out,
      /^Data: \d+ rows; x is column 1, y is column 2\nFit\n {2}ended +converged/,
    );
  });
}

/**
 * Models with other sources.
 * @type {[model: string, data: string, values: Record<string, number>, digits: number][]}
 */
const OTHERS = [
  ['line', 'x y\n0 1\n1 3\n2 4\n3 7', { slope: 1.9, level: 0.9 }, 9], // by hand
  [
    'michaelisMenten', // Puromycin: Bates & Watts 1988, table 2.1
    '.02 76\n.02 47\n.06 97\n.06 107\n.11 123\n.11 139\n.22 159\n.22 152\n.56 191\n.56 201\n1.1 207\n1.1 200',
    { speed: 212.7, half: 0.0641 },
    3,
  ],
  [
    'lorentz2',
    rows(
      [0, 1].map((c) =>
        Array.from({ length: 90 }, (_, i) => {
          const x = i / 10;
          return c === 0 ? x : 3 / (1 + ((x - 2) / 0.4) ** 2) + 1 / (1 + ((x - 6) / 0.5) ** 2);
        }),
      ),
    ),
    { height1: 3, centre1: 2, width1: 0.4, height2: 1, centre2: 6, width2: 0.5 },
    8,
  ],
  ...[
    { amplitude: 5, rate: 0.2, background: 2 },
    { amplitude: 0.5, rate: -0.3, background: 2 },
    { amplitude: -3, rate: -0.2, background: 700 },
    { amplitude: -4, rate: 0.4, background: 5 },
  ].map((values) => {
    const { amplitude, rate, background } = values;
    const x = Array.from({ length: 40 }, (_, i) => i / 2);
    const y = x.map((at) => amplitude * Math.exp(-rate * at) + background);
    return /** @type {(typeof OTHERS)[number]} */ (['decay', rows([x, y]), values, 8]);
  }),
];

for (const [model, data, values, digits] of OTHERS) {
  test(`${model} gives what is known, from standard input`, async () => {
    const result = await fit(`- --model ${model}`, data);
    for (const [key, value] of Object.entries(values)) near(result.values[key], value, digits);
  });
}

const PEAK = rows([
  [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4],
  [0.11, 0.31, 0.92, 2.13, 2.95, 2.71, 1.42, 0.52, 0.14],
]);

test('the first line of the report says which columns and rows a fit has used', async () => {
  await write(
    'own.csv',
    Buffer.from('\ufeff\tt, s\ty\n0\t0,5\t1\n1\t1,5\tNA\n2\t2\t4\n3\t3\t7', 'utf16le'),
  );
  const { out, data } = await fit('own.csv --model line --missing skip --y #3');
  assert.match(
    out,
    /^Data: 3 rows, 1 with a gap skipped; x is column 2 \(t, s\), y is column 3 \(y\)\n/,
  );
  assert.deepEqual([data.rows, data.skipped, data.x], [3, 1, 't, s']);
  /** @type {[options: string, text: string, line: string, slope: number][]} */
  const cases = [
    [
      '--x 2000 --y 2010',
      'a,2000,2010\nA,1,2\nB,3,6\nC,4,8',
      'x is column 2 (2000), y is column 3 (2010)',
      2,
    ],
    ['', ',a,b\n0,1,2\n1,3,6\n2,4,8', 'x is column 2 (a), y is column 3 (b)', 2],
    ['--x t', 't (h);A\n0;1\n1;3\n2;5', 'x is column 1 (t (h)), y is column 2 (A)', 2],
    ['--decimal comma', '1;1.200\n2;2.400\n3;3.600', 'x is column 1, y is column 2', 1200],
    ['--decimal .', '1;1.200\n2;2.400\n3;3.600', 'x is column 1, y is column 2', 1.2],
    [
      '--header yes --separator bar',
      '5|6\n1|2\n2|4\n3|6',
      'x is column 1 (5), y is column 2 (6)',
      2,
    ],
    ['--header no', '0,1\n1.5,4\n2,5', 'x is column 1, y is column 2', 2],
    [
      '--elapsed d',
      'day,y\n2024-02-28,1\n2024-02-29,3\n2024-03-01,5',
      'x is column 1 (day), y is column 2 (y); x counts d from the first row',
      2,
    ],
  ];
  for (const [options, text, line, slope] of cases) {
    const result = await fit(`- --model line ${options}`, text);
    assert.equal(result.out.split('\n')[0], `Data: 3 rows; ${line}`);
    near(result.values.slope, slope);
  }
});

test('a table of the fit is written: x, y, curve, residual and band', async () => {
  const { values } = await fit('- --model line --csv out.csv', '"t, s",y\n0,1\n1,3\n2,4\n3,7');
  const [head, ...lines] = (await read('out.csv')).trimEnd().split('\n');
  assert.equal(head, '"t, s",y,fit,residual,lower,upper');
  assert.equal(lines.length, 4);
  for (const [i, line] of lines.entries()) {
    const [x = 0, y = 0, at = 0, residual = 0, lower = 0, upper = 0] = line.split(',').map(Number);
    assert.deepEqual([x, y, residual], [i, [1, 3, 4, 7][i], y - at]);
    near(at, values.slope * x + values.level);
    near((lower + upper) / 2, at);
    assert.ok(lower < at);
  }
});

test('columns go by name or number, others may hold text, and sigma may be one of them', async () => {
  const lines = PEAK.split('\n').map((line, i) => `run ${i};${line.split(',').join(';')};0.05`);
  const text = ['label;t;signal;noise', ...lines].join('\n');
  const byName = await fit('- --model gauss --x t --y signal --sigma noise', text);
  const byNumber = await fit('- --model gauss --x 2 --y 3 --sigma #4', text);
  const byValue = await fit('- --model gauss --x 2 --y signal --sigma 0.05', text);
  assert.deepEqual([byName.data.x, byName.data.y, byName.isScaled], ['t', 'signal', false]);
  assert.deepEqual(
    [byNumber.covariance, byValue.covariance],
    [byName.covariance, byName.covariance],
  );
});

test('locks, bounds, starts and losses do what they say', async () => {
  const { x, y } = setOf('Gauss2');
  await write('two.csv', rows([x[0].length ? x[0] : x, y]));
  const both = await fit(
    'two.csv --model gauss2 --lock width=20 --min height=120 --start centre2=150',
  );
  assert.deepEqual([both.values.width1, both.values.width2], [20, 20]);
  assert.deepEqual(Object.keys(both.prices), ['width1', 'width2']);
  assert.equal(both.parameters.centre2.start, 150);
  assert.equal(both.parameters.height2.status, 'min');
  assert.equal(both.values.height2, 120);
  const [unlocked, held, capped] = [
    await fit('- --model gauss', PEAK),
    await fit('- --model gauss --start width=1.25 --lock width', PEAK),
    await fit('- --model gauss --max height=2.5', PEAK),
  ];
  assert.deepEqual([held.parameters.width.status, held.values.width], ['locked', 1.25]);
  assert.deepEqual([capped.parameters.height.status, capped.values.height], ['max', 2.5]);
  const spoilt = PEAK.replace('3.5,0.52', '3.5,3');
  const plain = await fit('- --model gauss --start centre=2', spoilt);
  for (const loss of ['huber', 'softL1', 'cauchy', 'arctan']) {
    const robust = await fit(
      `- --model gauss --start centre=2 --loss ${loss} --loss-scale 0.1`,
      spoilt,
    );
    assert.equal(robust.loss, loss);
    const off = (/** @type {any} */ of) => Math.abs(of.values.centre - unlocked.values.centre);
    assert.ok(off(robust) < off(plain) / 2, `${loss}: ${off(robust)}, ${off(plain)}`);
  }
});

test('a tie shares one width, and errors are scaled on request', async () => {
  const at = Array.from({ length: 60 }, (_, i) => i / 5);
  const bell = (/** @type {number} */ off) => Math.exp(-((off / 1.2) ** 2));
  await write(
    'two.csv',
    rows([at, at.map((x) => 3 * bell(x - 3) + 2 * bell(x - 8) + 0.01 * Math.sin(9 * x))]),
  );
  const shared = await fit('two.csv --model gauss2 --tie width');
  const named = await fit('two.csv --model gauss2 --tie width2=width1');
  const double = await fit('two.csv --model gauss2 --tie width2=2*width1');
  assert.equal(shared.parameters.width2.status, 'tied');
  assert.equal(shared.values.width2, shared.values.width1);
  assert.deepEqual(named.values, shared.values);
  near(double.values.width2, 2 * double.values.width1, 12);
  const [plain, scaled] = [
    await fit('- --model gauss --sigma 0.05', PEAK),
    await fit('- --model gauss --sigma 0.05 --scale', PEAK),
  ];
  const ratio = scaled.parameters.width.error / plain.parameters.width.error;
  near(ratio ** 2, plain.reducedChiSquare);
});

test('a module brings a model of its own, with ties', async () => {
  await write(
    'own.mjs',
    `export const parameters = {
      height: 3, centre: { value: 2, min: 0 }, width: 1, top: { tie: ({ height }, g) => g.mul(height, 2) },
    };
    export const model = (g) => (x, { height, centre, width }) =>
      g.mul(height, g.exp(g.neg(g.square(g.div(g.sub(x, centre), width)))));`,
  );
  const own = await fit('- --model ./own.mjs', PEAK);
  const named = await fit('- --model gauss', PEAK);
  near(own.chiSquare, named.chiSquare);
  assert.equal(own.parameters.top.status, 'tied');
  near(own.values.top, 2 * own.values.height, 12);
  const { code, err } = await run('fit - --model ./own.mjs --lock top=3', PEAK);
  assert.deepEqual([code, err], [2, 'gradlock: --lock: top is tied to others\n']);
});

/** Tags that do not close, or close others; empty if a text is well-formed. @param {string} xml */
const wrongTags = (xml) => {
  /** @type {string[]} */
  const open = [];
  const bad = /** @type {string[]} */ (
    xml.replace(/<[^<>]+>/g, '').match(/[<>]|&(?!#\d+;)/g) ?? []
  );
  for (const [, close, name = '', attributes = '', alone] of xml.matchAll(
    /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<&]*")*)\s*(\/?)>|<[^>]*>/g,
  )) {
    if (close ? open.pop() !== name : name === '') bad.push(`${name}${attributes}`);
    else if (!close && !alone) open.push(name);
  }
  return [...bad, ...open];
};

test('the plot is well-formed SVG: points, curve and band, with names from the data', async () => {
  assert.deepEqual(wrongTags('<a b="1"><c/></a>'), []);
  assert.notDeepEqual(wrongTags('<a><c></a>'), []);
  const text = `time <s>;"""a"" & b"\n${PEAK.replaceAll(',', ';')}`;
  const { code, err } = await run('fit - --model gauss --lock width --svg out.svg', text);
  assert.deepEqual([code, err], [0, '']);
  const svg = await read('out.svg');
  assert.deepEqual(wrongTags(svg), []);
  assert.equal(svg.match(/<circle /g)?.length, 9);
  assert.match(svg, /time &#60;s&#62;/);
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
  const points = (/** @type {string} */ name) =>
    String(svg.match(new RegExp(`class="${name}" points="([^"]*)"`))?.[1]).split(' ');
  assert.deepEqual([points('curve').length, points('band').length], [401, 802]);
  for (const [i, point] of points('curve').entries()) {
    const [below, at, above] = [points('band')[i], point, points('band')[801 - i]].map((p) =>
      Number(p?.split(',')[1]),
    );
    assert.ok(Number(below) >= Number(at) && Number(at) >= Number(above), `${i}`);
  }
});

test('docs/fit.md shows a run as it prints', async () => {
  const page = await readFile(join(root, 'docs/fit.md'), 'utf8');
  const [, section = ''] = page.split('\n## On the command line\n');
  const [data = '', line = '', report = '', own = ''] = Array.from(
    section.matchAll(/```\w+\n([\s\S]*?)```/g),
    ([, block]) => block,
  );
  await write('data.csv', data);
  await write('my-model.mjs', own);
  const result = await run(line.replace(/^npx gradlock /, '').trim());
  assert.deepEqual(result, { code: 0, out: report, err: '' });
  const { model } = await fit('data.csv --model ./my-model.mjs');
  assert.equal(model, './my-model.mjs');
});

const OPTIONS = [
  ...['lock', 'start', 'min', 'max', 'tie', 'x', 'y', 'sigma', 'scale', 'loss', 'header'],
  ...['separator', 'decimal', 'missing', 'elapsed', 'csv', 'json', 'svg'],
];

test('help says all options, and no command says how to begin', async () => {
  const { code, out } = await run('--help');
  assert.equal(code, 0);
  for (const name of OPTIONS) {
    assert.match(out, new RegExp(`--${name}\\b`));
  }
  assert.deepEqual(await run(''), {
    ...{ code: 2, out: '' },
    err: 'gradlock: use: gradlock fit data.csv --model gauss2; gradlock --help says more\n',
  });
});

/** What is refused. @type {[line: string, input: string, code: number, message: RegExp][]} */
const REFUSED = [
  ['fit - --model gauss --lok width', PEAK, 2, /unknown option --lok; known: --model, --lock, /],
  ['fit - --model', PEAK, 2, /--model needs a value/],
  ['fit -', PEAK, 2, /--model is missing/],
  ['plot - --model gauss', PEAK, 2, /use: gradlock fit/],
  ['fit a.csv b.csv --model gauss', '', 2, /only one file of data, got "b.csv" too/],
  ['fit - --model gaus', PEAK, 2, /unknown model "gaus"; known: gauss, .*logistic/],
  ['fit - --model line2', PEAK, 2, /unknown model "line2"/],
  ['fit - --model gauss0', PEAK, 2, /unknown model "gauss0"/],
  ['fit - --model gauss+lorentz', PEAK, 2, /"gauss\+lorentz" has height twice/],
  ['fit - --model gauss --lock wdth=1', PEAK, 2, /"wdth"; known: height, centre, width/],
  ['fit - --model gauss2 --min width3=1', PEAK, 2, /"width3"; known: height1, centre1, width1, /],
  ['fit - --model gauss --min height', PEAK, 2, /--min needs name=value, got "height"/],
  ['fit - --model gauss --lock width=wide', PEAK, 2, /--lock width= needs a number, got "wide"/],
  ['fit - --model gauss --loss square', PEAK, 2, /unknown loss "square"; known: linear, huber/],
  ['fit - --model gauss --loss-scale 0', PEAK, 2, /--loss-scale must be above 0, got 0/],
  ['fit - --model gauss --loss-scale a', PEAK, 2, /--loss-scale needs a number, got "a"/],
  ['fit - --model gauss --loss-scale 2', PEAK, 2, /--loss-scale needs --loss, such as/],
  ['fit - --model gauss --x t', PEAK, 2, /--x: unknown column "t"; known: 1 to 2/],
  ['fit - --model gauss --y 3', `a,b\n${PEAK}`, 2, /"3"; known: a, b, or 1 to 2/],
  ['fit - --model gauss --sigma 0', PEAK, 2, /--sigma: unknown column "0"/],
  ['fit no.csv --model gauss', '', 1, /cannot read no.csv: there is no such file/],
  ['fit - --model gauss', '', 1, /the standard input has no data/],
  ['fit - --model gauss', 'x,y\n', 1, /has a header, but no data/],
  ['fit - --model gauss', 'x\n1\n2', 1, /has one column of numbers; x and y need two/],
  ['fit - --model line', 'x,y\n1,2\n\n2,two', 1, /line 4, column y has "two", which is no number/],
  ['fit - --model line', '1,2\n2,\n', 1, /column 2 is empty; leave such rows .* --missing skip/],
  ['fit - --model line', 'x;y\n1;2,5\n2;3.5\n', 1, /line 3, .* has "3.5", but .*--decimal comma/],
  ['fit - --model line', '1;1.200\n4;900\n', 1, /line 1, column 2 has "1.200".*--decimal point or/],
  ['fit - --model line', 'x,y\n1,"2\n', 1, /input, line 2: a quoted cell does not end/],
  ['fit - --model line', '2000,2010\n1,2\n', 1, /line 1: "2000, 2010" .*--header yes or/],
  ['fit - --model line', 'x,y\n2024-01-02,2\n', 1, /has "2024-01-02": .* --elapsed d/],
  ['fit - --model line --elapsed d', 'x,y\n1/2/2024,2\n', 1, /day or month first/],
  ['fit - --model line --elapsed d', 'x,y\n5,2\n', 1, /"5", which is no date/],
  ['fit - --model line --missing skip', 'x,y\nNA,2\n', 1, /has no row without a gap/],
  ['fit - --model line --x a', 'a,a,b\n1,2,3\n', 2, /more than one column is "a": #1, #2/],
  ['fit - --model line --header maybe', PEAK, 2, /--header must be yes or no, got "maybe"/],
  ['fit - --model line --separator xy', PEAK, 2, /--separator must be comma, .* got "xy"/],
  ['fit - --model line --decimal dot', PEAK, 2, /--decimal must be point or comma or/],
  ['fit - --model line --scale', PEAK, 2, /--scale needs --sigma/],
  ['fit - --model gauss --tie width', PEAK, 2, /width has no other parameter to follow/],
  ['fit - --model gauss2 --tie width=height', PEAK, 2, /can follow one parameter/],
  ['fit - --model gauss2 --tie width2=w', PEAK, 2, /--tie: unknown parameter "w"/],
  ['fit - --model gauss2 --tie width2=a*width1', PEAK, 2, /--tie width2= needs a number, got "a"/],
  ['fit - --model gauss2 --tie width2/3', PEAK, 2, /--tie needs name=name/],
  ['fit - --model ./bare.mjs', PEAK, 1, /model gets g and must return the curve/],
  ['fit - --model line', '1,2\n2,3,4\n', 1, /line 2: 3 cells, but the first line has 2/],
  ['fit - --model line --sigma #3', '1,2,1\n2,3,0\n', 1, /sigma\[1\] must be above 0/],
  ['fit - --model gauss', '1,2\n2,3\n', 1, /too few points \(2\) for 3 free parameters/],
  ['fit - --model gauss --min width=2 --max width=1', PEAK, 1, /min 2 is above max 1/],
  [
    'fit - --model gauss --min width=2 --start width=1',
    PEAK,
    1,
    /'width': 1 is outside of its bounds/,
  ],
  ['fit - --model ./none.mjs', PEAK, 1, /cannot load the model .\/none.mjs/],
  ['fit - --model ./empty.mjs', PEAK, 1, /must export parameters, .* and model\(g\)/],
  ['fit - --model ./throws.mjs', PEAK, 1, /^gradlock: TypeError: a number was expected here/],
  ['fit - --model gauss --json no/out.json', PEAK, 1, /cannot write no\/out.json: there is no/],
];

for (const [line, input, code, message] of REFUSED) {
  const what = input === PEAK ? '' : ` of ${JSON.stringify(input)}`;
  test(`gradlock ${line}${what} ends with ${code} and one line that says why`, async () => {
    await write('empty.mjs', 'export const parameters = {};');
    await write(
      'bare.mjs',
      'export const parameters = { a: 1 }; export const model = (x, { a }) => a;',
    );
    await write(
      'throws.mjs',
      `export const parameters = { a: 1 };
      export const model = () => () => { throw new TypeError('a number was\\nexpected here'); };`,
    );
    const { err, ...ended } = await run(line, input);
    assert.equal(ended.code, code, err);
    assert.match(err, message);
    assert.match(err, /^gradlock: [^\n]+\n$/);
  });
}
