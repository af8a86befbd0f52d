export default { serverExternalPackages: ['gradlock'] };
