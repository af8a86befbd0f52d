/* Pages of the package. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fillIn } from './integrity.mjs';
import { root, target } from './places.mjs';

/** And where they come from. */
const pages = {
  'README.md': 'docs/npm.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  'docs/guide.md': 'docs/guide.md',
  'docs/layers.md': 'docs/layers.md',
  'docs/formats.md': 'docs/formats.md',
  'docs/tfjs.md': 'docs/tfjs.md',
  'docs/grid.md': 'docs/grid.md',
  'docs/consumers.md': 'docs/consumers.md',
  'docs/laws.md': 'docs/laws.md',
  'docs/from-tensorflow.md': 'docs/from-tensorflow.md',
  'docs/from-tensorflow-js.md': 'docs/from-tensorflow-js.md',
  'docs/differences.md': 'docs/differences.md',
};

/**
 * Copy a page, with the words alone of links to what stays in the repository, and with the hashes
 * of files for CDNs.
 * @param {string} from
 * @param {string} name
 * @param {string} version
 */
const copyPage = async (from, name, version) => {
  const text = await readFile(join(root, from), 'utf8');
  const apart = text.replace(/\[([^\]]+)\]\((?!https:)([^)]*)\)/g, (link, words, path) =>
    Object.hasOwn(pages, join(name, '..', path.split('#')[0])) ? link : words,
  );
  await writeFile(join(target, name), fillIn(apart, target, version));
};

export const copyPages = async () => {
  await mkdir(join(target, 'docs'), { recursive: true });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const [name, from] of Object.entries(pages)) await copyPage(from, name, version);
  await copyFile(join(root, 'docs/demo.png'), join(target, 'docs/demo.png'));
};
