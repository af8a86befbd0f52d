export default { optimizeDeps: { exclude: ['gradlock'] } };
