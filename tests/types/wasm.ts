/* The module itself, for those who compile it or serve it. */
import { init } from 'gradlock/external';
import wasm from 'gradlock/gradlock.wasm';
export const g = await init({ wasm });
// @ts-expect-error It is no number.
export const number: number = wasm;
