/**
 * For tests and teachers' consoles:
 *   await gradlockDemo.snapshot()        values, bits, locks, loss and step, exactly (engine/protocol.js)
 *   await gradlockDemo.step(50)          train, as the button does
 *   await gradlockDemo.change({ … })     whatever state/state.js allows, refused as kindly
 *   gradlockDemo.toggle(0)               the lock of a cell
 *   await gradlockDemo.link()            a link to this very run
 *   await gradlockDemo.code()            the run as code for npm
 *   gradlockDemo.frame()                 what was drawn last, with the engine's time for it
 *   gradlockDemo.study()                 what is known of the scene's study (figures/figure.js)
 *   await gradlockDemo.memory()          bytes of WebAssembly, and what of it the library uses
 *   gradlockDemo.drawTime()              what drawing it took, in ms
 * @param {import('./app.js').App} app
 * @param {import('./address.js').Address} address
 * @param {() => number} drawTime
 */
export const makeConsole = (app, address, drawTime) => ({
  snapshot: () => app.snapshot(),
  step: (/** @type {number} */ steps) => app.player.step(steps),
  change: (/** @type {Record<string, unknown>} */ patch) => app.change(patch),
  toggle: (/** @type {number} */ cell) => app.locks.toggle(cell),
  link: () => address.link(),
  code: () => app.code(),
  frame: () => app.frame,
  study: () => app.study,
  memory: () => app.engine.send({ type: 'memory' }),
  drawTime,
});
