"""<gradlock-grid> in a notebook: shows a NumPy array as cells that you can lock.

    from gradlock_grid import Grid
    grid = Grid([[0.0, 0.0], [0.0, 0.0]], label="x")
    grid                                         # shows it; click cells to lock them
    grid.locks                                   # boolean array, True = locked
    grid.values = grid.values - 0.1 * gradient   # shows new values at once

Runs in JupyterLab, marimo and other hosts of anywidget. Needs anywidget and NumPy. Copy this file
next to your notebook: it is not part of the npm package. The browser loads the element from a CDN.
Without a network, set the environment variable GRADLOCK_URL to the path of the package's grid.js,
or to another address of it, before you make a Grid.

values and locks travel as bytes, little-endian: float32, and one byte per lock.
"""

import asyncio
import os
import threading
import traceback
from pathlib import Path

import anywidget
import numpy as np
import traitlets

__all__ = ["Grid"]

VERSION = "0.1.0"
ADDRESS = f"https://cdn.jsdelivr.net/npm/gradlock@{VERSION}/grid.js"
MOST_SIDE = 16384  # of src/js/grid/source.js
OPTIONS = ("label", "row_names", "col_names", "editable", "readonly", "scale", "reach")
FLOAT32 = np.dtype("<f4")


def _read_only(array):
    array.flags.writeable = False
    return array


def _to_values(given, shape=None):
    """Returns a read-only float32 copy of [n] or [rows, cols] real numbers, or raises."""
    values = np.asarray(given)
    if values.dtype.kind not in "iuf":
        raise TypeError(f"values must be real numbers, got an array of dtype {values.dtype}")
    if shape is None:
        sides = values.shape
        if len(sides) not in (1, 2) or not all(1 <= side <= MOST_SIDE for side in sides):
            raise ValueError(
                f"values must have one or two axes of 1 to {MOST_SIDE} elements, got shape {sides}"
            )
    elif values.shape != shape:
        raise ValueError(f"values must have the grid's shape {shape}, got {values.shape}")
    with np.errstate(over="ignore"):
        floats = values.astype(FLOAT32, order="C")
    lost = np.isinf(floats) & np.isfinite(values)
    if lost.any():
        raise ValueError(f"values has {values[lost][0]}, which is too large for float32")
    return _read_only(floats)


def _to_locks(given, shape):
    """Returns a read-only boolean copy of locks, True = locked, or raises. None locks nothing."""
    locks = np.zeros(shape, bool) if given is None else np.asarray(given)
    if locks.dtype != bool:
        raise TypeError(
            f"locks must be a boolean array, True = locked, got dtype {locks.dtype}. Some libraries "
            "read 1 in a mask as locked, others as trained, so numbers are refused: "
            "write mask != 0 if 1 means locked, mask == 0 if 1 means trained"
        )
    if locks.shape != shape:
        raise ValueError(f"locks must have the grid's shape {shape}, got {locks.shape}")
    return _read_only(locks.copy(order="C"))


# The page's side. Locks travel whole. Typed values are appended to a log, so that one that arrives
# late never brings back the other values of an older picture; cells show them when Python has them.
PAGE = r"""
const bytesOf = (view) => view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
const NAMES = { rowNames: 'row_names', colNames: 'col_names' };
const OPTIONS = ['label', 'editable', 'readonly', 'scale', 'reach'];

const load = async (model) => {
  if (customElements.get('gradlock-grid')) return;
  const text = model.get('_text');
  if (!text) return import(model.get('_address'));
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
};

/** True if the text around an element is light, as it is in dark themes. */
const isDark = (element) => {
  // A canvas knows every notation of colours.
  const context = document.createElement('canvas').getContext('2d');
  context.fillStyle = getComputedStyle(element).color;
  context.fillRect(0, 0, 1, 1);
  const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
  return 0.3 * r + 0.59 * g + 0.11 * b > 127;
};

export default {
  async render({ model, el }) {
    try {
      await load(model);
    } catch (error) {
      el.textContent = `gradlock_grid: could not load ${model.get('_address')} (${error.message}). ` +
        'Without a network, set GRADLOCK_URL to the path of grid.js before you make a Grid.';
      return;
    }
    const grid = document.createElement('gradlock-grid');
    // Its keys are no shortcuts of JupyterLab, where D twice deletes a notebook's cell.
    grid.dataset.lmSuppressShortcuts = 'true';
    let edition = 0;
    const readers = { values: Float32Array, locks: Uint8Array, _held: Float32Array };
    const arrays = {};
    const read = (name) => {
      arrays[name] = new readers[name](bytesOf(model.get(name)));
      edition++;
    };
    for (const name of Object.keys(readers)) read(name);
    const [rows, cols] = model.get('_sides');
    grid.source = {
      rows,
      cols,
      values: () => arrays.values,
      locks: () => arrays.locks,
      held: () => arrays._held,
      version: () => edition,
      setLocks(indices, isLocked) {
        const { values, locks, _held } = arrays;
        for (const index of indices) {
          if (isLocked && !locks[index]) _held[index] = values[index];
          locks[index] = Number(isLocked);
        }
        model.set('locks', new DataView(locks.slice().buffer));
        model.save_changes();
      },
      setValue(index, value) {
        const typed = new Uint8Array(bytesOf(model.get('_typed')));
        const log = new DataView(new ArrayBuffer(typed.length + 8));
        new Uint8Array(log.buffer).set(typed);
        log.setUint32(typed.length, index, true);
        log.setFloat32(typed.length + 4, value, true);
        model.set('_typed', log);
        model.save_changes();
      },
    };
    const settle = () => {
      for (const option of OPTIONS) grid[option] = model.get(option);
      // No names at all is undefined to the element.
      for (const [name, option] of Object.entries(NAMES)) {
        const names = model.get(option);
        grid[name] = names.length > 0 ? names : undefined;
      }
    };
    const events = [
      ...Object.keys(readers).map((name) => [`change:${name}`, () => read(name)]),
      ...[...OPTIONS, ...Object.values(NAMES)].map((name) => [`change:${name}`, settle]),
    ];
    for (const [event, react] of events) model.on(event, react);
    settle();
    const dress = () => {
      const scheme = isDark(el) ? 'dark' : 'light';
      if (grid.style.colorScheme === scheme) return;
      grid.style.colorScheme = scheme;
      grid.restyle();
    };
    el.classList.add('gradlock');
    el.append(grid);
    dress();
    const themes = new MutationObserver(dress);
    for (const element of [document.documentElement, document.body])
      themes.observe(element, { attributes: true });
    return () => {
      themes.disconnect();
      for (const [event, react] of events) model.off(event, react);
      grid.remove();
    };
  },
};
"""


class _Array(traitlets.TraitType):
    """An array trait that is checked by `check(given, shape)` and travels as bytes of `dtype`."""

    def __init__(self, check, dtype):
        super().__init__()
        self._check = check
        self.tag(
            sync=True,
            to_json=lambda array, grid: array.astype(dtype).tobytes(),
            from_json=lambda data, grid: np.frombuffer(data, dtype).reshape(grid.shape),
        )

    def validate(self, obj, value):
        return self._check(value, obj.shape)

    def set(self, obj, value):
        """Sets an array. The same bits again are no change, and notify nobody."""
        with obj._turn:
            new, old = self._validate(obj, value), obj._trait_values.get(self.name)
            if old is None or old.tobytes() != new.tobytes():
                super().set(obj, new)


class Grid(anywidget.AnyWidget):
    """A NumPy array as a grid of cells that lock.

    values     [n] or [rows, cols] real numbers, kept as float32. [n] is shown as one row.
    locks      Boolean array of the same shape, True = locked. None locks nothing.
    label      Name of the grid for screen readers.
    row_names, col_names   Lists of names, shown up to 16 × 16.
    editable   True if a person may type values. A locked cell refuses them.
    readonly   True if a person may not change anything.
    scale      "diverging", or "sequential" for values that start at 0.
    reach      Size of a value at the end of the colour scale, above 0; or "auto".

    Raises TypeError for a wrong dtype, ValueError for a wrong shape or size, and TraitError, a
    kind of Exception, for other options. A refused assignment changes nothing.
    """

    values = _Array(_to_values, FLOAT32)
    locks = _Array(_to_locks, np.dtype(bool))
    label = traitlets.Unicode("").tag(sync=True)
    row_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    col_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    editable = traitlets.Bool(True).tag(sync=True)
    readonly = traitlets.Bool(False).tag(sync=True)
    scale = traitlets.Enum(["diverging", "sequential"], "diverging").tag(sync=True)
    reach = traitlets.Union(
        [traitlets.Enum(["auto"]), traitlets.Float()], default_value="auto"
    ).tag(sync=True)

    _sides = traitlets.List().tag(sync=True)
    _address = traitlets.Unicode().tag(sync=True)
    _text = traitlets.Unicode().tag(sync=True)
    _held = _Array(_to_values, FLOAT32)
    _typed = traitlets.Bytes().tag(sync=True, from_json=lambda data, grid: bytes(data))

    _task = None  # of train()

    _esm = PAGE
    _css = ".gradlock { padding: 6px; } .gradlock > gradlock-grid { --gradlock-max-cell: 4rem; }"

    def __init__(self, values, locks=None, **options):
        unknown = options.keys() - OPTIONS
        if unknown:
            raise TypeError(f"unknown options: {', '.join(unknown)}; known: {', '.join(OPTIONS)}")
        values = _to_values(values)
        self._shape = values.shape
        locks = _to_locks(locks, self._shape)
        address = os.environ.get("GRADLOCK_URL") or ADDRESS
        text = "" if "://" in address else Path(address).read_text(encoding="utf-8")
        # Jupyter may read the page's messages in a thread of their own.
        self._turn = threading.RLock()
        super().__init__(
            values=values,
            locks=locks,
            _held=values,
            _sides=[1, *self.shape][-2:],
            _address=address,
            _text=text,
            **options,
        )

    @property
    def shape(self):
        """The shape of values and locks, which stays."""
        return self._shape

    @property
    def moved(self):
        """Boolean array: True for a locked cell whose bits changed since it was locked."""
        return self.locks & (self.values.view("<u4") != self._held.view("<u4"))

    def reset(self, values):
        """Starts again with values. Locked cells hold the new ones from now on."""
        with self.hold_sync():
            self.values = values
            self._held = self.values

    def train(self, step, steps=200, pause=0.02):
        """Shows `step(values, locks)` after each of `steps` calls, `pause` seconds apart.

        step gets read-only arrays and returns the new values; it has to leave locked cells alone.
        Returns an asyncio.Task that runs between cells, so that clicks on locks count from the next
        step on. task.cancel() ends it, and so does the next train(). Needs a running event loop,
        which notebooks have.
        """
        self._end_training()
        self._task = asyncio.get_running_loop().create_task(self._train(step, steps, pause))
        # It is printed below, and asyncio need not print it again.
        self._task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._task

    def close(self):
        """Ends training, and takes the grid from its pages."""
        self._end_training()
        super().close()

    def _end_training(self):
        if self._task:
            self._task.cancel()

    async def _train(self, step, steps, pause):
        try:
            for _ in range(steps):
                with self._turn:
                    self.values = step(self.values, self.locks)
                await asyncio.sleep(pause)
        except Exception:
            traceback.print_exc()
            raise

    @traitlets.validate("row_names", "col_names")
    def _check_names(self, proposal):
        names, side = proposal["value"], self._sides[proposal["trait"].name == "col_names"]
        if names and len(names) != side:
            raise ValueError(f"{proposal['trait'].name} has {len(names)} names, not {side}")
        return names

    @traitlets.validate("reach")
    def _check_reach(self, proposal):
        reach = proposal["value"]
        if reach != "auto" and not np.finfo("f4").tiny <= reach <= np.finfo("f4").max:
            raise traitlets.TraitError(f"reach must be 'auto' or a float32 above 0, got {reach}")
        return reach

    @traitlets.observe("locks")
    def _hold(self, change):
        if isinstance(change["old"], np.ndarray):
            is_new = self.locks & ~change["old"]
            self._held = np.where(is_new, self.values, self._held)

    @traitlets.observe("_typed")
    def _take_typed(self, change):
        with self._turn:
            values = self.values.copy()
            for at in range(len(change["old"] or b""), len(change["new"]), 8):
                index = int.from_bytes(change["new"][at : at + 4], "little")
                if not self.locks.flat[index]:
                    values.flat[index] = np.frombuffer(change["new"], FLOAT32, 1, at + 4)[0]
            self.values = values
