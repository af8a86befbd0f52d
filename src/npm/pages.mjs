/* Copies the pages of the package. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fillIn } from './integrity.mjs';
import { root, target } from './paths.mjs';

const guides = [
  ...['when-not-to-use', 'c', 'speed', 'guide', 'layers', 'formats', 'double', 'fit', 'keep'],
  ...['worker', 'tfjs', 'grid', 'consumers', 'laws', 'from-tensorflow', 'from-tensorflow-js'],
  ...['from-pytorch', 'differences'],
].map((name) => `docs/${name}.md`);

/** The pages of the package, and the files of the repository that they are. */
const pages = {
  'README.md': 'docs/npm.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  ...Object.fromEntries(guides.map((path) => [path, path])),
};

/**
 * Copy a page, with the hashes of files for CDNs and without pictures of scenes. Where a page links
 * to a file that stays in the repository, the words are followed by the file's path there, so that
 * a reader can find it.
 * @param {string} from
 * @param {string} name
 * @param {string} version
 */
const copyPage = async (from, name, version) => {
  const text = await readFile(join(root, from), 'utf8');
  const plain = text.replace(/\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)\n(<!--.*-->\n)?\n/g, '');
  const apart = plain.replace(/\[([^\]]+)\]\((?!https:)([^)]*)\)/g, (link, words, path) => {
    const [file] = path.split('#');
    if (file === '' || Object.hasOwn(pages, join(name, '..', file))) return link;
    const kept = join(from, '..', file);
    return words.includes(basename(kept)) ? words : `${words} (\`${kept}\` of the repository)`;
  });
  await mkdir(dirname(join(target, name)), { recursive: true });
  await writeFile(join(target, name), fillIn(apart, target, version));
};

export const copyPages = async () => {
  await mkdir(join(target, 'docs'), { recursive: true });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const [name, from] of Object.entries(pages)) await copyPage(from, name, version);
  await copyFile(join(root, 'docs/demo.png'), join(target, 'docs/demo.png'));
};
