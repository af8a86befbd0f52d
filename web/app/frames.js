/**
 * Asks the engine for frames, one at a time. It asks for the next one before it draws the last, so
 * the engine trains while the page draws. Out of sight it asks for none, so its run pauses. Arrays
 * of values that are no longer shown go back to the engine to be filled again.
 */

/** @typedef {import('../engine/protocol.js').Frame} Frame */

/** The time between frames under reduced motion, in ms; training keeps its own speed. */
const CALM_INTERVAL = 250;

/** Reports an error once, however many frames have it. @param {(error: Error) => void} tell */
function once(tell) {
  let last = '';
  return (/** @type {any} */ error) => {
    if (String(error) !== last) tell(error);
    last = String(error);
  };
}

/** Returns what resolves once the screen is ready for another frame, and visible. */
function screen() {
  /** True if a part of the page is in the embedding page's visible area. */
  let isInSight = true;
  let onSight = () => {};
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  document.addEventListener('visibilitychange', () => onSight());
  new IntersectionObserver((entries) => {
    isInSight = entries[entries.length - 1].isIntersecting;
    onSight();
  }).observe(document.body);
  const isUnseen = () => document.hidden || !isInSight;
  return async () => {
    if (isCalm.matches) await new Promise((done) => setTimeout(done, CALM_INTERVAL));
    do {
      while (isUnseen()) {
        await new Promise((/** @type {(value?: unknown) => void} */ done) => {
          onSight = done;
        });
      }
      await new Promise((done) => requestAnimationFrame(done));
      // Firefox calls once more, a second after its page was hidden.
    } while (isUnseen());
  };
}

/** @param {import('./app.js').App} app */
export async function drawFrames(app) {
  const { engine, views } = app;
  const fail = once((error) => views.trouble({ kind: 'failed', error }));
  const failToDraw = once((error) => {
    // The page continues; the console shows the stack.
    views.trouble({ kind: 'drawing', error });
    reportError(error);
  });
  const isReady = screen();
  /** Arrays to be filled again; the engine takes those of the right size. @type {Frame | null} */
  let old = null;
  const ask = async () => {
    const [values, beside] = [old?.values, old?.beside?.values];
    old = null;
    const buffers = [values, beside].flatMap((row) => row?.buffer ?? []);
    try {
      /** @type {Frame} */
      const frame = await engine.send({ type: 'frame', values, beside }, buffers);
      app.accept(frame);
      return frame;
    } catch (error) {
      fail(error);
      return null;
    }
  };
  // An error while drawing cannot stop the frames.
  const attempt = (/** @type {() => void} */ task) => {
    try {
      task();
    } catch (error) {
      failToDraw(error);
    }
  };
  for (let coming = ask(); ; ) {
    const frame = await coming;
    await isReady();
    attempt(() => {
      old = frame && app.take(frame);
    });
    coming = ask();
    if (frame) attempt(views.draw);
  }
}
