/* Which test files run in another precision, too: those whose first line says so, such as
 *   Precisions: f32, f64 of ^(?!other types)
 * in a comment of its own. What follows `of` is a pattern of the names of tests, if not all run. A
 * file without such a line runs in f32. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./', import.meta.url);
const LINE = /^\/\* Precisions: f32, (\w+)(?: of (.+))?\. \*\/\n/;

/**
 * @param {string} precision
 * @returns {{ file: string, pattern?: string }[]} Files by their path from the root, in order.
 */
export const filesOf = (precision) =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .flatMap((name) => {
      const [, stated, pattern] = LINE.exec(readFileSync(new URL(name, FOLDER), 'utf8')) ?? [];
      return stated === precision ? [{ file: `tests/${name}`, pattern }] : [];
    });
