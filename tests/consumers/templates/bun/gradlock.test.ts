import { expect, test } from 'bun:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

test('it trains', async () => {
  const line = await program(init, layers);
  console.log(line);
  expect(line).toStartWith('gradlock: ');
});
