/**
 * How tests start Node.js. Without these, one of V8's threads now and then waits at exit for a
 * collection that never comes (Node.js 20, nodejs/node#54918): one that collects, or one that
 * compiles JavaScript and needs room for a number.
 */
export const STEADY = ['--single-threaded-gc', '--no-concurrent-recompilation'];
