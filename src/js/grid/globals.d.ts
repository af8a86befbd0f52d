/* What <gradlock-grid> adds to the DOM's types. src/npm/types.mjs publishes it. */
import type { GradlockGrid } from 'gradlock/grid';

declare global {
  interface HTMLElementTagNameMap {
    'gradlock-grid': GradlockGrid;
  }
  interface HTMLElementEventMap {
    /** Before locks of a grid change; `continued` if the gesture has changed locks already. */
    lockschange: CustomEvent<{ indices: number[]; locked: boolean; continued: boolean }>;
    /** Before a value that was typed into a grid is set; NaN where `text` is no number. */
    valuechange: CustomEvent<{ index: number; value: number; text: string }>;
    /** Before a cell's value is pulled, by every move in between; `value` is what it would become. */
    cellpull: CustomEvent<{ type: 'begin' | 'move' | 'end'; index: number; value: number }>;
    /** After another cell of a grid was selected. */
    cellselect: CustomEvent<{ index: number; row: number; col: number }>;
    /** An arrow key at the border of a grid; nothing happens by itself. */
    cellleave: CustomEvent<{
      index: number;
      row: number;
      col: number;
      direction: 'up' | 'down' | 'left' | 'right';
    }>;
  }
}
