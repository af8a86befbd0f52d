"""What Grid refuses, and that a refusal changes nothing: prints one line per claim that fails."""

import asyncio
import contextlib
import gc
import io
import os
import sys
import threading
import time

import numpy as np
import traitlets

sys.dont_write_bytecode = True
sys.path.insert(0, "docs/notebooks")
os.environ["GRADLOCK_URL"] = "build/npm/grid.js"
from gradlock_grid import Grid  # noqa: E402

START = np.array([[0.1, -0.0, np.inf], [np.nan, 1e-45, 6]], "f4")
LOCKS = np.array([[True, False, False], [False, False, True]])


def grid():
    return Grid(START, LOCKS, row_names=["a", "b"])


def setter(name, value):
    return lambda g: setattr(g, name, value)


def inside(name):
    def assign(g):
        getattr(g, name)[0, 0] = 1

    return assign


REFUSED = [
    ("a number", lambda g: Grid(3.0), ValueError, "one or two axes"),
    ("three axes", lambda g: Grid(np.zeros((1, 1, 1))), ValueError, r"shape (1, 1, 1)"),
    ("no elements", lambda g: Grid([]), ValueError, "shape (0,)"),
    ("a side that is too long", lambda g: Grid(np.zeros(16385)), ValueError, "16384"),
    ("text", lambda g: Grid(["a"]), TypeError, "dtype <U1"),
    ("booleans as values", lambda g: Grid([True]), TypeError, "dtype bool"),
    ("an unknown option", lambda g: Grid([1], color="red"), TypeError, "color"),
    ("names of another length", lambda g: Grid([1, 2], col_names=["a"]), ValueError, "1 names, not 2"),
    ("complex values", setter("values", START.astype(complex)), TypeError, "complex"),
    ("values of another shape", setter("values", np.zeros(6)), ValueError, "(2, 3), got (6,)"),
    ("values of the other order", setter("values", START.T), ValueError, "got (3, 2)"),
    ("a value beyond float32", setter("values", np.full((2, 3), 1e39)), ValueError, "1e+39"),
    ("a mask of integers", setter("locks", LOCKS.astype(int)), TypeError, "True = locked"),
    ("a mask of floats", setter("locks", LOCKS.astype(float)), TypeError, "mask == 0"),
    ("locks of another shape", setter("locks", LOCKS[0]), ValueError, "got (3,)"),
    ("an element of values", inside("values"), ValueError, "read-only"),
    ("an element of locks", inside("locks"), ValueError, "read-only"),
    ("another scale", setter("scale", "log"), traitlets.TraitError, "diverging"),
    ("a reach of 0", setter("reach", 0), traitlets.TraitError, "reach"),
    ("a reach that is no number", setter("reach", np.nan), traitlets.TraitError, "nan"),
    ("an endless reach", setter("reach", np.inf), traitlets.TraitError, "inf"),
    ("another shape", setter("shape", (6,)), AttributeError, "shape"),
    ("too few names", setter("row_names", ["a"]), ValueError, "1 names, not 2"),
]

for what, refused, kind, words in REFUSED:
    g = grid()
    heard = []
    g.observe(heard.append)
    try:
        refused(g)
        print(f"{what} is not refused")
    except kind as error:
        if words not in str(error):
            print(f"{what}: {error}")
    same = g.values.tobytes() == START.tobytes() and (g.locks == LOCKS).all()
    if not same or heard or g.row_names != ["a", "b"] or g.scale != "diverging" or g.reach != "auto":
        print(f"{what} is refused, and changes something")

g = grid()
heard = []
g.observe(lambda change: heard.append(change["name"]), names=["values", "locks"])
g.values, g.locks = START.copy(), LOCKS.copy()
if heard:
    print("the same bits again are a change")
g.values = np.where(START == 0, 0, START)
if heard != ["values"]:
    print("-0 that becomes 0 is no change")
g.locks = None
if g.locks.any() or g.locks.dtype != bool:
    print("None does not free all cells")
for given in ([1, 2], np.array([1, 2], "i8"), np.array([1, 2], ">f8"), np.array([[1, 0], [2, 0]])[:, 0]):
    got = Grid(given).values
    if got.dtype != np.float32 or got.tolist() != [1, 2]:
        print(f"{given!r} becomes {got!r}")

g = Grid([1.0, 2.0], [True, False])
g.values = [1, 3]
if g.moved.any():
    print("a free cell has moved")
g.values = [5, 3]
if g.moved.tolist() != [True, False]:
    print("a locked cell that moved is not seen")
g.locks = None
g.locks = np.array([True, False])
if g.moved.any():
    print("a cell that is locked again holds an old value")

g = Grid(np.zeros(8))
has_begun, is_locked = threading.Event(), threading.Event()


def lock_each():
    for cell in range(8):
        has_begun.wait()
        has_begun.clear()
        g.locks = np.arange(8) <= cell
        is_locked.set()


def slow(values, locks):
    has_begun.set()
    time.sleep(0.01)  # The other thread has the time to lock.
    return np.where(locks, values, values + 1)


async def train_beside_a_thread():
    thread = threading.Thread(target=lock_each)
    thread.start()
    for _ in range(8):
        await g.train(slow, steps=1, pause=0)
        is_locked.wait()
        is_locked.clear()
    thread.join()


asyncio.run(train_beside_a_thread())
if g.moved.any() or g.values.tolist() != [1, 2, 3, 4, 5, 6, 7, 8]:
    print(f"a lock of another thread splits a step: {g.values}")


async def fail_and_close():
    await asyncio.wait([g.train(lambda values, locks: values[0], steps=3)])
    task = g.train(lambda values, locks: values, steps=10**9)
    await asyncio.sleep(0)
    g.close()
    await asyncio.wait([task])
    if not task.cancelled():
        print("close() does not end training")


with contextlib.redirect_stderr(io.StringIO()) as output:
    asyncio.run(fail_and_close())
    del g
    gc.collect()
if output.getvalue().count("Traceback") != 1 or "got ()" not in output.getvalue():
    print(f"an error in a step is not printed once: {output.getvalue()}")
print("done")
