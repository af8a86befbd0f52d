export default {
  mode: 'production',
  entry: './main.js',
  // Rspack warns of files of more than 244 KiB: gradlock with gradlock/layers has 310.
  performance: { maxAssetSize: 400_000, maxEntrypointSize: 400_000 },
};
