/**
 * What a person did to the run since the engine was last asked what the run is. A page that goes away cannot ask any
 * more, and writes these down itself.
 */

import { packMask } from '../state/codec.js';

/** @typedef {import('../engine/protocol.js').Command} Command */
/** @typedef {import('../state/history.js').Event} Event */

/** Commands that change how a run is looked at, and no bit of it. */
const LOOKS = ['look', 'tell', 'study'];

/** A command as the event that the engine makes of it; null if it makes another run. @param {Command} command @param {number} step @returns {Event | null} */
function eventOf(command, step) {
  switch (command.type) {
    case 'locks':
      return { step, do: 'locks', mask: packMask(command.mask) };
    case 'optimizer':
      return { step, do: 'optimizer', settings: command.settings };
    case 'assign':
      return { step, do: 'assign', index: command.index, value: command.value };
    case 'prune':
      return command.isAnew ? null : { step, do: 'prune', fraction: command.fraction };
    case 'hold':
      return { step, do: 'hold', cells: command.cells };
    case 'place':
      return { step, do: 'place', values: command.values };
    case 'unprune':
    case 'release':
      return { step, do: command.type };
    default:
      return null;
  }
}

export class Unheard {
  /** @type {{ number: number, command: Command }[]} */
  #commands = [];

  /** @param {number} number of the change @param {Command} command */
  add(number, command) {
    this.#commands.push({ number, command });
  }

  /** The engine refused it. @param {Command} command */
  drop(command) {
    this.#commands = this.#commands.filter((one) => one.command !== command);
  }

  /** The engine has told of so many changes. @param {number} changes */
  forget(changes) {
    this.#commands = this.#commands.filter(({ number }) => number > changes);
  }

  /** What came after so many changes; null if another run came of it. @param {number} changes @param {number} step @returns {Event[] | null} */
  since(changes, step) {
    const events = this.#commands
      .filter(({ number, command }) => number > changes && !LOOKS.includes(command.type))
      .map(({ command }) => eventOf(command, step));
    return events.every((event) => event !== null) ? events : null;
  }
}
