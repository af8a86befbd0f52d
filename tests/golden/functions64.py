"""Values of functions, correctly rounded to f64, by mpmath with 400 bits: what gradlock/double is held to.

Arguments are seeded draws of all kinds: any bits, the range where functions bend, the neighbours of 0, 1 and of
multiples of pi. Each number is written as Python's repr, which reads back as the same f64.
"""

import json
import math
import pathlib
import random
import struct

import mpmath
from mpmath import mp, mpf

mp.prec = 400
COUNT = 120

FUNCTIONS = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "log1p": lambda x: mpmath.log(1 + x),
    "expm1": mpmath.expm1,
    "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log(1 + mpmath.exp(x)),
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "atan": mpmath.atan,
    "erf": mpmath.erf,
    "pow": lambda a, b: a**b,
    "atan2": mpmath.atan2,
    "gelu": lambda x: x * mpmath.erfc(-x / mpmath.sqrt(2)) / 2,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
}
LIMITS = {"exp": 745, "expm1": 709, "tanh": 30, "sigmoid": 745, "softplus": 745, "erf": 7, "gelu": 39}


def near(draw, seam):
    """A number a few ulps away from another."""
    return seam * (1 + draw.randint(-40, 40) * 2.0**-52)


def argument(name, draw):
    kind = draw.randrange(4)
    limit = LIMITS.get(name, 1e300)
    while True:
        if kind == 0:
            (x,) = struct.unpack("<d", draw.randbytes(8))
        elif kind == 1:
            x = draw.uniform(-30, 30)
        elif kind == 2:
            x = draw.uniform(-1, 1) * 2.0 ** -draw.randrange(60)
        else:
            x = near(draw, draw.choice([1, -1, math.pi / 2, math.pi, 100 * math.pi, 0.5, 2**0.5, 2.0**60]))
        if name in ("log", "rsqrt"):
            x = abs(x)
        if name == "log1p" and x <= -1:
            x = -x
        if math.isfinite(x) and 0 < abs(x) <= limit:
            return x
        kind = 1 + kind % 3


def pair(name, draw):
    if name == "atan2":
        return argument(name, draw), argument(name, draw)
    a = abs(argument("sin", draw)) if draw.randrange(2) else draw.uniform(0, 20)
    return a, draw.uniform(-700, 700) / max(abs(math.log(a)), 1e-3)


def main():
    draw = random.Random(64)
    found = {}
    for name, function in FUNCTIONS.items():
        rows = []
        while len(rows) < COUNT:
            given = pair(name, draw) if name in ("pow", "atan2") else (argument(name, draw),)
            result = float(function(*map(mpf, given)))
            if math.isfinite(result) and result != 0:
                rows.append([*given, result])
        found[name] = rows
    path = pathlib.Path(__file__).with_name("functions64.json")
    lists = ['"%s": [\n%s\n]' % (name, ",\n".join(map(json.dumps, rows))) for name, rows in found.items()]
    path.write_text("{\n" + ",\n".join(lists) + "\n}\n")


if __name__ == "__main__":
    main()
