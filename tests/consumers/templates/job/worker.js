import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { train } from 'gradlock/worker';
import { program } from './program.js';

train(() => ({ calls: { program: () => program(init, layers) } }));
