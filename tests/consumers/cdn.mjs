/* Writes the snippet for CDNs, with the version and the hashes of build/npm, and prints it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fillIn } from '../../src/npm/integrity.mjs';

const here = new URL('./', import.meta.url);
const target = new URL('../../build/consumers/', here);
const text = readFileSync(new URL('templates/cdn/index.html', here), 'utf8');
const filled = fillIn(text, fileURLToPath(new URL('../../build/npm/', here)));
mkdirSync(target, { recursive: true });
writeFileSync(new URL('cdn.html', target), filled);
console.log(filled.match(/ {2}<script\s+src="https[\s\S]*?<\/script>\n/g)?.join(''));
