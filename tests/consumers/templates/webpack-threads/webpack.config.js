export default {
  mode: 'development',
  entry: './main.js',
  devServer: {
    static: '.',
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  },
};
