/** A reporter of node:test that writes a line of JSON for each test: its file, its name and its seconds. */

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* times(events) {
  for await (const { type, data } of events) {
    if (!/^test:(pass|fail)$/.test(type) || data.details.type === 'suite') continue;
    const { file = '', name, details } = data;
    yield `${JSON.stringify({ file, name, seconds: details.duration_ms / 1000 })}\n`;
  }
}
