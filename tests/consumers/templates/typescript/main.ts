import { init, type Gradlock, type Variable } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

export async function mean(g: Gradlock, x: Variable): Promise<number> {
  return g.mean(x).item();
}

export const line: Promise<string> = program(init, layers);
