/* Small changes to a line of C or JavaScript, as `make mutants` tries them. */

/** Strings, comments and regular expressions; their text is not changed. */
const TEXT =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:!&|?]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\n\\])+\/\w*/g;

/** Replaces text that is not code by spaces, so that columns stay. @param {string} source */
export const codeOnly = (source) => source.replace(TEXT, (text) => text.replace(/[^\n]/g, ' '));

/** Operators that take each other's place; formatters put a space on both sides. */
const PAIRS = Object.entries({
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '|=': '&=',
  '&=': '|=',
});

/** A statement of its own that a line may lose: a call or an assignment. */
const STATEMENT =
  /^\s*(?!(?:return|break|continue|goto|case|default|else|const|let|var|import|export|throw|static|typedef|extern|yield)\b)(?:(?:[\w#.[\]>-]|this)+(?:\(.*\)|\s[-+*|&^]?=\s.*|\+\+|--)|await .*);\s*$/;

/**
 * Returns every change of a line.
 * @param {string} line As it is in the file.
 * @param {string} code The same, with spaces in place of text.
 * @returns {string[]}
 */
export const mutationsOf = (line, code) => {
  /** @type {string[]} */
  const found = [];
  const put = (/** @type {number} */ at, /** @type {number} */ length, /** @type {string} */ by) =>
    found.push(line.slice(0, at) + by + line.slice(at + length));
  if (/^\s*(#|import\b|export .* from)/.test(code)) return found;
  for (const [from, to] of PAIRS) {
    for (let at = code.indexOf(` ${from} `); at >= 0; at = code.indexOf(` ${from} `, at + 1))
      put(at + 1, from.length, to);
  }
  for (const { 0: text, index } of code.matchAll(/(?<![\w.])\d+(?![\w.])/g))
    put(index, text.length, `${Number(text) + 1}`);
  for (const { 0: text, index } of code.matchAll(/\b(true|false)\b/g))
    put(index, text.length, text === 'true' ? 'false' : 'true');
  const condition = /\b(if|while) \((.*)\)( \{$|.*;$)/.exec(code);
  if (condition && balanced(condition[2] ?? '')) {
    const at = condition.index + condition[1].length + 2;
    put(at, condition[2].length, `!(${line.slice(at, at + condition[2].length)})`);
  }
  if (STATEMENT.test(code) && balanced(code)) put(0, line.length, '');
  return found;
};

/** @param {string} code */
const balanced = (code) => {
  let depth = 0;
  for (const letter of code) {
    if ('([{'.includes(letter)) depth++;
    if (')]}'.includes(letter) && --depth < 0) return false;
  }
  return depth === 0;
};
