import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

console.log(await program(init, layers));
