const train = async () => {
  const { init } = await import('./node_modules/gradlock/index.js');
  const { layers } = await import('./node_modules/gradlock/layers.js');
  const { program } = await import('./program.js');
  return program(init, layers);
};

train().then(postMessage, (error) => postMessage(String(error)));
