export default {
  mode: 'production',
  target: 'node',
  entry: './server.js',
};
