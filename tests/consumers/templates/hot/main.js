import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

const g = await init();
document.body.append(`${await program(init, layers)}\n`);

if (import.meta.hot) {
  import.meta.hot.accept();
  import.meta.hot.dispose(() => g.dispose()); // its memory goes when this module does
}

// For the test: every instance that a version of this module made.
globalThis.instances ??= [];
globalThis.instances.push(g);
