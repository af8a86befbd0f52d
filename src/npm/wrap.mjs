/* The wrappers around an entry's code. LIBRARY is the object of its exports. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './paths.mjs';

const { version, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** The first line of every file. */
export const banner = `/*! gradlock ${version} | ${license} */`;

/** The placeholder in code for the object of all exports. */
export const LIBRARY = 'GLK_LIBRARY';

/** The placeholder in a UMD file for the address from which gradlock.wasm is resolved. */
export const HERE = 'GLK_HERE';

/** The placeholder in a UMD file for `require`, if it exists. */
export const REQUIRE = 'GLK_REQUIRE';

/**
 * Returns the exports of a library that is one expression. Bundlers remove calls marked as pure if
 * nobody uses their results. No other mark works for classes that refer to each other.
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
 * The address of a UMD file; gradlock.wasm is one folder up. A script knows its address only during
 * its first run.
 */
const HERE_CODE = `const ${HERE}=(()=>{
const script=typeof document==="object"&&document.currentScript;
const path=typeof module==="object"&&module.filename;
const file=()=>"file://"+encodeURI(path).replace(/[?#]/g,encodeURIComponent);
try{return new URL("..",script?script.src:path?file():location.href).href}catch{}
})();`;

/** Hides `require` from webpack and similar bundlers, which would warn about it. */
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
 * In CommonJS `require` returns the library. In a classic script it is the global `gradlock`, to
 * which the scripts of other entries add their exports. An element whose id is gradlock does not
 * count as that global.
 * @param {readonly string[]} names
 * @param {string} packed The text that follows after all code.
 * @param {string} [name] The name of the global.
 */
export const asUmd = (names, packed, name = 'gradlock') => {
  // The error for a missing instance comes after the existing names.
  const helps = names.includes('default')
    ? `Object.setPrototypeOf(library,${LIBRARY}.default);\n`
    : '';
  return `let library=${LIBRARY};
Object.defineProperty(library,"__esModule",{value:true});
if(typeof exports==="object"&&typeof module==="object")module.exports=library;
else if(Object.hasOwn(globalThis,"${name}"))library=Object.assign(globalThis.${name},library);
else globalThis.${name}=library;
${helps}${packed}})();
`;
};
