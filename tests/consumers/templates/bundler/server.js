import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { program } from './program.js';

program(init, layers).then(console.log);
