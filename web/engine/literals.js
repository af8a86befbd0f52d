/** Writes values and functions as source text of the same meaning, for code export. */

/**
 * Writes numbers exactly, lists, objects and strings. Arrays of bytes or floats become lists.
 * @param {unknown} value
 * @returns {string}
 */
export function literal(value) {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (ArrayBuffer.isView(value)) value = Array.from(/** @type {Float32Array} */ (value));
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`,
    );
    return `{ ${entries.join(', ')} }`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

/**
 * Returns a scene's function as an expression. Builds attach its text (build/loss-text.mjs).
 * @param {Function & { text?: string }} made
 */
export function sourceOf(made) {
  const text = made.text ?? String(made);
  // A method has no `function` before its name.
  const isMethod = /^[\w$]+\s*\(/.test(text) && !/^(async|function)\b/.test(text);
  const lines = (isMethod ? `function ${text}` : text).split('\n');
  const rest = lines.slice(1).filter((line) => line.trim());
  const indent = Math.min(...rest.map((line) => line.search(/\S/)));
  return [lines[0], ...lines.slice(1).map((line) => line.slice(indent))].join('\n');
}
