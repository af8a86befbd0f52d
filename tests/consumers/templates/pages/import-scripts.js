importScripts('./node_modules/gradlock/umd/gradlock.js', './node_modules/gradlock/umd/layers.js');
importScripts('./program.classic.js');

program(gradlock.init, gradlock.layers).then(postMessage, (error) => postMessage(String(error)));
