const { init } = require('gradlock');
const { layers } = require('gradlock/layers');
const { program } = require('./program.cjs');

program(init, layers).then(console.log);
