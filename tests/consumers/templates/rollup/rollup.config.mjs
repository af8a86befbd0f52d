import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: ['main.js', 'worker.js'],
  plugins: [nodeResolve({ browser: true })],
  external: [/^node:/],
  output: { dir: 'dist' },
};
