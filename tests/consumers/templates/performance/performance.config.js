export default {
  mode: 'production',
  entry: './main.js',
  // gradlock with gradlock/layers has 345 KiB.
  performance: { maxAssetSize: 400_000, maxEntrypointSize: 400_000 },
};
