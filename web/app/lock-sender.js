/**
 * Sends locks to the engine: each change of a small grid; of a fast stroke over a large one, what there is whenever the
 * engine is ready for more.
 */

/** Cells above which a grid is large. */
const LARGE = 1 << 16;

export class LockSender {
  #send;
  #underWay = 0;
  /** @type {Uint8Array} */
  #newest = new Uint8Array(0);

  /** @param {(mask: Uint8Array) => Promise<void>} send */
  constructor(send) {
    this.#send = send;
  }

  /** Whether the engine does not have the newest locks yet. */
  get isUnderWay() {
    return this.#underWay > 0;
  }

  /** Whether a mask would be sent at once. @param {Uint8Array} mask */
  takes(mask) {
    return mask.length <= LARGE || !this.isUnderWay;
  }

  /** @param {Uint8Array} mask @returns {Promise<boolean>} false if it goes with what is under way */
  async send(mask) {
    this.#newest = mask;
    if (!this.takes(mask)) return false;
    for (let sent = null; sent !== this.#newest; ) {
      sent = this.#newest;
      this.#underWay++;
      await this.#send(sent);
      this.#underWay--;
      if (sent.length <= LARGE) break;
    }
    return true;
  }
}
