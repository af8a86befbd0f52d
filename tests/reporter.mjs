/**
 * A reporter of Node.js's tests for tests/run.mjs: a line of JSON for each test that ended, in the file REPORT. It writes
 * at once, since --test-force-exit ends the process before a stream is written.
 */
import { appendFileSync } from 'node:fs';

/** @param {AsyncIterable<{ type: string, data: any }>} source @returns {AsyncGenerator<string>} */
export default async function* report(source) {
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details.type === 'suite') continue;
    const failed = type === 'test:fail' && data.todo === undefined;
    const error = failed ? String(data.details.error?.cause?.message ?? data.details.error) : '';
    const line = { name: data.name, failed, error: error.split('\n')[0] };
    appendFileSync(String(process.env.REPORT), `${JSON.stringify(line)}\n`);
  }
  yield '';
}
