// The end of a task: messages come in, and a new task follows at once. A timer takes milliseconds.

/** @returns {Promise<void>} */
export const nextTask = () =>
  new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else if (typeof MessageChannel !== 'function')
      setTimeout(resolve); // as in Jest's jsdom
    else {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }
  });
