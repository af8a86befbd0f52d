/* What stands around the code of an entry, LIBRARY being the object of what it exports. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.mjs';

const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** The first line of every file. */
export const banner = `/*! gradlock ${version} | ${license} */`;

/** What code says for the object of all exports. */
export const LIBRARY = 'GLK_LIBRARY';

/** What code says in a UMD file for the address beside which gradlock.wasm lies. */
export const HERE = 'GLK_HERE';

/** What code says in a UMD file for the `require` there may be. */
export const REQUIRE = 'GLK_REQUIRE';

/**
 * The exports of a library that is one expression. Bundlers take calls that are marked as pure away
 * where nobody uses what they give; no other mark tells them so of classes that refer to each
 * other.
 * @param {readonly string[]} names
 */
export const asModule = (names) => {
  const lines = names
    .filter((name) => name !== 'version')
    .map((name) => {
      const start = name === 'default' ? 'export default ' : `export const ${name}=`;
      return `${start}/*@__PURE__*/GLK_PICK("${name}");\n`;
    });
  return [
    `const GLK_PICK=(name)=>${LIBRARY}[name];\n`,
    `export const version="${version}";\n`,
    ...lines,
  ].join('');
};

/**
 * Where a UMD file lies, from which gradlock.wasm is one folder up. A script knows its address only
 * while it runs for the first time.
 */
const HERE_CODE = `const ${HERE}=(()=>{
const script=typeof document==="object"&&document.currentScript;
const path=typeof module==="object"&&module.filename;
const file=()=>"file://"+encodeURI(path).replace(/[?#]/g,encodeURIComponent);
try{return new URL("..",script?script.src:path?file():location.href).href}catch{}
})();`;

/** Webpack and its kin warn of a `require` that they see. */
const REQUIRE_CODE = `const ${REQUIRE}=typeof module==="object"?module["req"+"uire"]:undefined;`;

/** @param {string} code */
export const umdHead = (code) => {
  const needed = [
    code.includes(HERE) ? HERE_CODE.replaceAll('\n', '') : '',
    code.includes(REQUIRE) ? REQUIRE_CODE : '',
  ];
  return [banner, '(()=>{"use strict";', ...needed].join('');
};

/**
 * In CommonJS the library is what `require` gives, in a classic script the global `gradlock`, to
 * which the scripts of other entries add theirs. An element whose id is gradlock is no such global.
 * @param {readonly string[]} names
 * @param {string} packed What follows behind all code.
 */
export const asUmd = (names, packed) => {
  // What says that an instance is needed stands behind the names there are.
  const helps = names.includes('default')
    ? `Object.setPrototypeOf(library,${LIBRARY}.default);\n`
    : '';
  return `let library=${LIBRARY};
Object.defineProperty(library,"__esModule",{value:true});
if(typeof exports==="object"&&typeof module==="object")module.exports=library;
else if(Object.hasOwn(globalThis,"gradlock"))library=Object.assign(globalThis.gradlock,library);
else globalThis.gradlock=library;
${helps}${packed}})();
`;
};
