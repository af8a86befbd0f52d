// How the other entries of the package open an instance. They must have its version.
import { GradlockError } from './errors.js';
import { useKit } from './instance-kit.js';
import { version } from './version.js';

/** Where an instance has its parts for other entries. */
const KIT = Symbol.for('gradlock.kit');

/** Returns the kit of an instance. @param {any} g @param {string} entry @param {string} takes */
export const openKit = (g, entry, takes) => {
  const kit = g?.[KIT];
  if (!kit) throw new TypeError(takes);
  useKit(kit.parts);
  if (kit.version === version) return kit;
  throw new GradlockError(
    `gradlock/${entry} has version ${version}, the instance has ${kit.version}: install the same version of both`,
  );
};
