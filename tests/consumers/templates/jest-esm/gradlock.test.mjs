import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

test('it trains', async () => {
  const line = await program(init, layers);
  process.stdout.write(`${line}\n`);
  expect(line).toMatch(/^gradlock: /);
});
