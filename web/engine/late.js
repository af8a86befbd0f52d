/** The command's run is no longer the live one, so nothing was done. */
export class LateError extends Error {
  constructor() {
    super('another run is open by now');
    this.name = 'LateError';
  }

  /** The engine's own, too. @override @param {any} value */
  static [Symbol.hasInstance](value) {
    return value?.name === 'LateError';
  }
}
