/**
 * How tests start programs of their own. Without it, V8's compiler thread now and then waits at
 * exit for a collection that never comes (Node.js 20, nodejs/node#54918).
 */
export const STEADY = '--single-threaded-gc';
