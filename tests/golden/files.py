"""What the generators share that needs NumPy only: the values drawn on both sides, and JSON of f32."""

import json
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent


class Draws:
    """Reproducible f32 values from a 32-bit linear congruential generator (Numerical Recipes' constants).

    Each value takes two states: the first gives 24 bits in [-2, 2), the second a scale of 1, 1/4, 1/16 or 1/64.
    All of it is exact in f32, in Python as in JavaScript.
    """

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return self.state

    def value(self):
        mantissa = ((self.next() >> 8) - 2**23) / 2**22
        return mantissa * 4.0 ** -(self.next() >> 30)

    def array(self, shape):
        count = int(np.prod(shape, dtype=int))
        return np.array([self.value() for _ in range(count)], np.float32).reshape(shape)


def number(value):
    """The shortest decimal that reads back as this f32; what JSON has no number for becomes a string."""
    value = np.float32(value)
    if np.isnan(value):
        return '"NaN"'
    if np.isinf(value):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    text = np.format_float_scientific(value, unique=True, trim="-", exp_digits=1)
    plain = np.format_float_positional(value, unique=True, trim="-")
    text = plain if len(plain) <= len(text) else text
    # Readers go through f64: that second rounding must not matter.
    if np.float32(float(text)).view(np.uint32) != value.view(np.uint32):
        raise ValueError(f"{value!r} does not survive being written as {text}")
    return text


def compact(value):
    """JSON in which arrays of f32 are written by number()."""
    if isinstance(value, np.ndarray):
        return "[" + ",".join(number(v) for v in value.reshape(-1)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{compact(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(compact(v) for v in value) + "]"
    return json.dumps(value)


def write(name, head, rows_name, rows):
    """One row per line, so that a change of one row is one line of a diff."""
    lines = [f" {json.dumps(k)}: {compact(v)}," for k, v in head.items()]
    body = ",\n".join("  " + compact(row) for row in rows)
    text = "{\n" + "\n".join(lines) + f"\n {json.dumps(rows_name)}: [\n{body}\n ]\n}}\n"
    json.loads(text)
    (HERE / name).write_text(text)
    print(f"{name}: {len(rows)} {rows_name}, {len(text)} bytes")
