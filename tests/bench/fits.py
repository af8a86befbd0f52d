"""NIST's nonlinear sets by SciPy and lmfit, for fits.mjs: values, evaluations and milliseconds of each run, as JSON.

Jacobians are by the peers' own differences, as their users have them; tolerances are their defaults.
"""

import json
import pathlib
import statistics
import sys
import time
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "golden"))

import lmfit  # noqa: E402
import numpy as np  # noqa: E402
from nist import MODELS  # noqa: E402
from scipy.optimize import least_squares  # noqa: E402

GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "nist.json"
REPEATS = 3
warnings.filterwarnings("ignore")
np.seterr(all="ignore")


def by_least_squares(method):
    def solve(residuals, start):
        found = least_squares(residuals, start, method=method, max_nfev=20000)
        # Differences for Jacobians are not in nfev of trf: the calls are counted outside.
        return found.x

    return solve


def by_lmfit(residuals, start):
    parameters = lmfit.Parameters()
    for i, value in enumerate(start):
        parameters.add(f"b{i}", value=value)

    def of(p):
        return residuals([p[f"b{i}"].value for i in range(len(start))])

    found = lmfit.minimize(of, parameters, max_nfev=20000)
    return [found.params[f"b{i}"].value for i in range(len(start))]


SOLVERS = {
    "SciPy lm": by_least_squares("lm"),
    "SciPy trf": by_least_squares("trf"),
    "lmfit": by_lmfit,
}


def measure(solve, data, start):
    x, y = np.array(data["x"]), np.array(data["y"])
    response = np.log(y) if data["name"] == "Nelson" else y
    model = MODELS[data["name"]]
    calls = 0

    def residuals(b):
        nonlocal calls
        calls += 1
        return model(b, x) - response

    times, values = [], None
    for _ in range(REPEATS):
        calls = 0
        began = time.perf_counter()
        try:
            values = [float(v) for v in solve(residuals, start)]
        except ValueError:
            # Residuals that are not finite.
            values = None
        times.append(1000 * (time.perf_counter() - began))
    return {"values": values, "evaluations": calls, "ms": statistics.median(times)}


def main():
    sets = json.loads(GOLDEN.read_text())["sets"]
    found = {
        name: [measure(solve, data, start) for data in sets for start in data["starts"]]
        for name, solve in SOLVERS.items()
    }
    print(json.dumps(found))


main()
