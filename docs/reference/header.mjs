/* The C reference: what Doxygen read of gradlock.h, as one page of Markdown a section of the
 * header, with the section's own words. Declarations are shown as they stand there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { matter } from './pages.mjs';

/**
 * @typedef {{ name: string, line: number, kind: 'function' | 'enum' | 'struct' | 'typedef' |
 *   'define', doc: string, values: { name: string, initializer: string, doc: string }[] }} Entity
 */
/** @typedef {{ title: string, slug: string, words: string, entities: Entity[] }} Section */

const KINDS = ['function', 'enum', 'typedef', 'define'];
const parser = new XMLParser({ preserveOrder: true, ignoreAttributes: false, trimValues: false });

/** An element of the tree that the parser gives. @param {any} node */
const nameOf = (node) => Object.keys(node).find((key) => key !== ':@') ?? '';
/** @param {any} node @returns {any[]} */
const childrenOf = (node) => node[nameOf(node)];
/** @param {any[]} nodes @param {string} name @returns {any[]} */
const all = (nodes, name) => nodes.filter((node) => nameOf(node) === name);
/** @param {any} node @param {string} name @returns {any[]} */
const within = (node, name) => all(childrenOf(node), name);
/** @param {any[]} nodes @returns {string} */
const textOf = (nodes) =>
  nodes
    .map((node) => ('#text' in node ? String(node['#text']) : textOf(childrenOf(node))))
    .join('');
/** @param {any} node @param {string} name */
const partOf = (node, name) => textOf(within(node, name)).replace(/\s+/g, ' ').trim();
/** @param {any} node */
const docOf = (node) =>
  `${partOf(node, 'briefdescription')} ${partOf(node, 'detaileddescription')}`.trim();

/**
 * @param {string} path
 * @returns {Promise<any>} The one compound that a file of Doxygen's is about.
 */
const readCompound = async (path) => {
  const [root] = all(parser.parse(await readFile(path, 'utf8')), 'doxygen');
  return within(root, 'compounddef')[0];
};

/** @param {any} node @param {string} key */
const placeOf = (node, key = '@_line') => Number(within(node, 'location')[0][':@'][key]);

/**
 * Everything that the header declares, in its order.
 * @param {string} folder Doxygen's XML.
 * @returns {Promise<Entity[]>}
 */
const readEntities = async (folder) => {
  const file = await readCompound(join(folder, 'gradlock_8h.xml'));
  /** @type {Entity[]} */
  const entities = [];
  for (const member of within(file, 'sectiondef').flatMap((one) => within(one, 'memberdef'))) {
    const kind = member[':@']['@_kind'];
    const name = partOf(member, 'name');
    if (!KINDS.includes(kind) || name === 'GRADLOCK_H') continue;
    const values = within(member, 'enumvalue').map((value) => ({
      name: partOf(value, 'name'),
      initializer: partOf(value, 'initializer'),
      doc: docOf(value),
    }));
    entities.push({ name, line: placeOf(member), kind, doc: docOf(member), values });
  }
  for (const inner of within(file, 'innerclass')) {
    const struct = await readCompound(join(folder, `${inner[':@']['@_refid']}.xml`));
    const name = partOf(struct, 'compoundname');
    entities.push({ name, line: placeOf(struct), kind: 'struct', doc: docOf(struct), values: [] });
  }
  // An enum or a struct stands for the type that it is defined with.
  const defined = new Set(entities.flatMap((one) => (one.kind === 'typedef' ? [] : one.name)));
  return entities
    .filter(({ kind, name }) => kind !== 'typedef' || !defined.has(name))
    .sort((a, b) => a.line - b.line);
};

/** The words of a comment. @param {string} comment */
const wordsOf = (comment) =>
  comment
    .replace(/^\/\*+ ?|\s*\*\/$/g, '')
    .replace(/^ \* ?/gm, '')
    .trim();

/** @param {string} words */
const capital = (words) => words[0].toUpperCase() + words.slice(1);

/**
 * The header's sections, with what is said of each as a whole.
 * @param {string} header
 * @param {Entity[]} entities
 * @returns {Section[]}
 */
const readSections = (header, entities) => {
  const lines = header.split('\n');
  const starts = lines.flatMap((line, i) => {
    const title = line.match(/^\/\* -{10,} ([a-z ]+?)( \*\/)?$/)?.[1];
    return title === undefined ? [] : [{ title: capital(title), line: i + 1 }];
  });
  const parts = [{ title: 'Conventions and limits', line: 1 }, ...starts];
  return parts.map(({ title, line }, i) => {
    const end = parts[i + 1]?.line ?? lines.length + 1;
    const text = lines.slice(i ? line : line - 1, end - 1).join('\n');
    const comments = text.match(/^\/\*(?![*-])[\s\S]*?\*\/$/gm) ?? [];
    // One line before the preprocessor's own is about how the header is compiled.
    const said = comments.filter((comment) => i > 0 || comment.includes('\n'));
    return {
      title,
      slug: title.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      words: said.map(wordsOf).join('\n\n'),
      entities: entities.filter((one) => one.line >= line && one.line < end),
    };
  });
};

/**
 * The lines of a declaration, without the comment before it.
 * @param {Entity} entity
 * @param {string} header
 */
const declarationOf = ({ line, kind }, header) => {
  const rest = header.split('\n').slice(line - 1);
  if (kind === 'define') return rest[0].replace(/\s*\/\*.*/, '');
  const end = rest.findIndex((one) => (kind === 'struct' ? /^}.*;/ : /;/).test(one));
  return rest.slice(0, end + 1).join('\n');
};

/**
 * Pages of Markdown by file name, with what each declares.
 * @param {string} root The repository.
 * @returns {Promise<(Section & { file: string, markdown: string })[]>}
 */
export const readHeader = async (root) => {
  const header = await readFile(join(root, 'src/c/include/gradlock.h'), 'utf8');
  const entities = await readEntities(join(root, 'build/reference/doxygen/xml'));
  const sections = readSections(header, entities).filter((one) => one.entities.length > 0);
  /** @type {Map<string, string>} */
  const homes = new Map();
  for (const { slug, entities } of sections) {
    for (const { name, values } of entities) {
      for (const one of [name, ...values.map((value) => value.name)])
        homes.set(one, `${slug}.md#${name.toLowerCase()}`);
    }
  }
  /**
   * Text with its marks as they are, and names as links.
   * @param {string} words
   * @param {string} [own]
   */
  const toMarkdown = (words, own) =>
    words
      .replace(/(?<!`)[*<>|[\]\\](?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/g, '\\$&')
      .replace(/`?\b((?:glk|GLK)_\w+)`?/g, (_, name) => {
        const home = homes.get(name);
        return home === undefined || name === own ? `\`${name}\`` : `[\`${name}\`](${home})`;
      });
  /** @param {Entity} entity */
  const show = (entity) => {
    const { name, kind, doc, values } = entity;
    const parts = [`## ${name}`];
    if (kind !== 'enum') parts.push(`\`\`\`c\n${declarationOf(entity, header)}\n\`\`\``);
    if (doc) parts.push(toMarkdown(doc, name));
    const rows = values.map(
      ({ name, initializer, doc }) =>
        `| \`${name}\`${initializer && ` ${initializer}`} | ${toMarkdown(doc)} |`,
    );
    if (kind === 'enum') parts.push(`| value | meaning |\n|---|---|\n${rows.join('\n')}`);
    return parts.join('\n\n');
  };
  return sections.map((section) => {
    const { title, slug, words, entities } = section;
    const paragraphs = words.replace(/^- /gm, '\n- ');
    const markdown = [
      matter({ title, category: 'C', path: `c/${slug}` }),
      ...(paragraphs ? [toMarkdown(paragraphs)] : []),
      ...entities.map(show),
    ].join('\n\n');
    return { ...section, file: `${slug}.md`, markdown: `${markdown}\n` };
  });
};
