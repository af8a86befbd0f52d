// The padlock of a locked cell, which makes it visible without colour.
import { icon } from './dom.js';

/** Its crack is visible if the cell's value has changed. */
export const padlock = () =>
  icon({
    case: 'M4 7.5h8a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1z',
    shackle: 'M5 7.5V5a3 3 0 0 1 6 0v2.5',
    crack: 'M10 0 7 6l3 3-3 7',
  });
