export default {
  optimizeDeps: { exclude: ['gradlock'] },
  worker: { format: 'es' },
};
