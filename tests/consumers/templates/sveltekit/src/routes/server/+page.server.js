import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from '../program.js';

export async function load() {
  return { result: await program(init, layers).catch(String) };
}
