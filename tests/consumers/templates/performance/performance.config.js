export default {
  mode: 'production',
  entry: './main.js',
  // gradlock with gradlock/layers has less.
  performance: { maxAssetSize: 400_000, maxEntrypointSize: 400_000 },
};
