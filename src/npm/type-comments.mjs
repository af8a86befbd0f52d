/* Gives the types of typedefs their comments. TypeScript's declarations have them only if the
 * statement that follows in the source is exported. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { source } from './places.mjs';

/** A whole JSDoc comment. */
export const COMMENT = /^( *)\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm;

/**
 * Removes types in braces after tags, since the declaration below is more exact.
 * @param {string} text
 */
export const withoutTypes = (text) => {
  let found = '';
  let from = 0;
  for (const { index, 0: tag } of text.matchAll(
    /@(?:param|returns|template|type|typedef|property)\s+\{/g,
  )) {
    const open = index + tag.length - 1;
    let depth = 0;
    let end = open;
    do {
      if (text[end] === '{') depth++;
      if (text[end] === '}') depth--;
      end++;
    } while (depth > 0 && end < text.length);
    found += text.slice(from, open);
    from = end;
    while (text[from] === ' ') from++;
  }
  return found + text.slice(from);
};

/**
 * Returns the text of a comment before its first tag, and after the name that it defines.
 * @param {string} comment
 * @returns {[string, string] | null} The name of a type, and its text.
 */
const readTypedef = (comment) => {
  const text = comment.replace(/^ *\/\*\*|\*\/\s*$/g, '').replace(/^ *\* ?/gm, '');
  const at = text.indexOf('@typedef');
  if (at < 0) return null;
  const before = text
    .slice(0, at)
    .replace(/@template[\s\S]*/, '')
    .trim();
  let rest = withoutTypes(text.slice(at)).replace('@typedef', '').trim();
  const name = /^\w+/.exec(rest)?.[0] ?? '';
  rest = rest
    .slice(name.length)
    .replace(/@\w+[\s\S]*/, '')
    .trim();
  return [name, [before, rest].filter(Boolean).join('\n')];
};

/**
 * Puts the comments of typedefs before the types of the same names that have none.
 * @param {string} text A module of TypeScript's declarations.
 * @param {string} written Its source.
 */
const withComments = (text, written) => {
  const words = new Map(
    (written.match(COMMENT) ?? []).map(readTypedef).filter((found) => found !== null),
  );
  return text.replace(/(\*\/\n)?^export type (\w+)/gm, (line, comment, name) => {
    const said = comment ? '' : words.get(name);
    return said ? `/**\n${said.replace(/^/gm, ' * ').replace(/ +$/gm, '')}\n */\n${line}` : line;
  });
};

/** @param {string} folder Of TypeScript's declarations. */
export const restoreComments = async (folder) => {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const written = await readFile(join(source, name.replace('.d.ts', '.js')), 'utf8');
    await writeFile(path, withComments(await readFile(path, 'utf8'), written));
  }
};
