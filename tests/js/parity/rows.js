/* What parity.test.js compares: for each row of the op table how TensorFlow.js says the same, and
 * on which operands. A row is in its family's file, or in differences.js with the reason why
 * TensorFlow.js has nothing to compare with; a new row that is in neither fails the run. */
import { readdirSync } from 'node:fs';

/** Files beside the families'. */
const OTHERS = ['cases.js', 'differences.js', 'rows.js'];
const files = readdirSync(new URL('.', import.meta.url)).filter((name) => !OTHERS.includes(name));

/** The rows of each family. @type {ReadonlyMap<string, [string, import('./cases.js').Row][]>} */
export const FAMILIES = new Map(
  await Promise.all(
    files.map(async (name) => {
      const { ROWS } = await import(`./${name}`);
      return /** @type {const} */ ([name.replace('.js', ''), ROWS]);
    }),
  ),
);

/** Rows by name. @type {ReadonlyMap<string, import('./cases.js').Row>} */
export const ROWS = new Map([...FAMILIES.values()].flat());
