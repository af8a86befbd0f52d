/**
 * The console's object, for tests and teachers:
 *   await gradlockDemo.snapshot()        exact values, bits, locks, loss, step (engine/protocol.js)
 *   await gradlockDemo.shown()           until the page shows the engine's current state
 *   await gradlockDemo.step(50)          the same as the button
 *   await gradlockDemo.change({ … })     whatever state/state.js allows, with the same messages
 *   gradlockDemo.toggle(0)               toggle the lock of a cell
 *   await gradlockDemo.link()            a link to this exact run
 *   await gradlockDemo.code()            the run as code for npm
 *   gradlockDemo.frame()                 the last drawn frame, with the engine's time for it
 *   gradlockDemo.recorded()              the recorded runs of its figure (scenes/shared/figure.js)
 *   await gradlockDemo.memory()          bytes of WebAssembly, and how many the library uses
 * @param {import('./app.js').App} app
 * @param {import('./address.js').Address} address
 */
export const makeConsole = (app, address) => ({
  snapshot: () => app.snapshot(),
  shown: () => app.caughtUp(),
  step: (/** @type {number} */ steps) => app.runs.step(steps),
  change: (/** @type {Record<string, unknown>} */ patch) => app.change(patch),
  toggle: (/** @type {number} */ cell) => app.cells.toggle(cell),
  link: () => address.link(),
  code: app.code,
  frame: () => app.frame,
  recorded: () => app.recorded,
  memory: () => app.engine.send({ type: 'memory' }),
});
