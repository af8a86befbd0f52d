const { init } = require('gradlock');
const { layers } = require('gradlock/layers');
const { program } = require('./program.cjs');

test('it trains', async () => {
  const line = await program(init, layers);
  process.stdout.write(`${line}\n`);
  expect(line).toMatch(/^gradlock: /);
});
