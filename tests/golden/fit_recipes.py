"""The data of the recipes of fits, docs/recipes/fits.json, and what lmfit finds with them, fit-recipes.json.

Apart from generate.py, so that it needs no TensorFlow: `python fit_recipes.py` with the versions that
fit-recipes.json names of numpy, scipy and lmfit. Gauss2 is NIST's, in gauss2.txt; Puromycin is from Bates & Watts
1988; the other data are drawn here.
"""

import json

import lmfit
import numpy as np
import scipy
from files import HERE, write
from fits import PUROMYCIN, peaks

RECIPES = HERE.parent.parent / "docs" / "recipes"
# NIST's certified widths of Gauss2.
WIDTHS = [23.578584029, 19.525972636]
NAMES = range(1, 11)


def half_life(t, counts, halfLife, background):
    return counts * np.exp(-np.log(2) * t / halfLife) + background


def enzyme(x, speed, half):
    return speed * x / (half + x)


def line(x, slope, level):
    return slope * x + level


def ten_peaks(x, **p):
    return sum(
        p[f"height{i}"] * np.exp(-(((x - p[f"centre{i}"]) / p[f"width{i}"]) ** 2)) for i in NAMES
    )


def gauss2(x, **p):
    """Its decay is of the order of 1 in hundreds of readings."""
    return peaks(x, **{**p, "decay": p["decay"] / 100})


def rounded(values, digits):
    return [float(v) for v in np.round(values, digits)]


def made():
    draws = np.random.default_rng(32)
    t = np.arange(0, 12.5, 0.5)
    # Barium-137m: a half-life of 2.552 minutes.
    counts = draws.poisson(half_life(t, 900, 2.552, 12))
    x = np.arange(0, 21, 0.1)
    truth = {f"height{i}": 1 + i / 10 for i in NAMES}
    truth.update({f"centre{i}": 1.9 * i for i in NAMES})
    truth.update({f"width{i}": 0.6 for i in NAMES})
    spectrum = ten_peaks(x, **truth) + 0.03 * draws.normal(size=x.size)
    amounts = np.array([0, 1, 2, 5, 10, 20, 50, 100.0])
    spread = np.round(0.02 + 0.03 * line(amounts, 0.052, 0.11), 4)
    signal = line(amounts, 0.052, 0.11) + spread * draws.normal(size=amounts.size)
    readings = [float(v) for v in (HERE / "gauss2.txt").read_text().split()]
    return {
        "gauss2": {"x": [float(i + 1) for i in range(len(readings))], "y": readings},
        "puromycin": PUROMYCIN,
        "halfLife": {
            "x": rounded(t, 1),
            "y": [int(n) for n in counts],
            # Poisson's: the root of the count.
            "sigma": rounded(np.sqrt(np.maximum(counts, 1)), 6),
        },
        "tenPeaks": {"x": rounded(x, 1), "y": rounded(spectrum, 4)},
        "calibration": {"x": rounded(amounts, 1), "y": rounded(signal, 4), "sigma": list(spread)},
    }


def specs():
    ten = {}
    for i in NAMES:
        ten[f"height{i}"] = {"value": 1}
        ten[f"centre{i}"] = {"value": 1.9 * i + 0.1}
        ten[f"width{i}"] = {"value": 0.5} if i == 1 else {"tie": "width1"}
    start = {"height1": 103, "centre1": 106, "height2": 72, "centre2": 151, "level": 96, "decay": 0.9}
    known = {name: {"value": value} for name, value in start.items()}
    locked = {f"width{i + 1}": {"value": width, "lock": True} for i, width in enumerate(WIDTHS)}
    decaying = {"counts": {"value": 800}, "background": {"value": 5}}
    return [
        ("fit-known-widths", "gauss2", gauss2, {**known, **locked}),
        (
            "fit-michaelis-menten",
            "puromycin",
            enzyme,
            {"speed": {"value": 200}, "half": {"value": 0.06, "lock": True}},
        ),
        (
            "fit-known-half-life",
            "halfLife",
            half_life,
            {**decaying, "halfLife": {"value": 2.552, "lock": True}},
        ),
        ("fit-shared-width", "tenPeaks", ten_peaks, ten),
        ("fit-calibration", "calibration", line, {"slope": {"value": 1}, "level": {"value": 0}}),
    ]


def fitted(data, curve, spec):
    parameters = lmfit.Parameters()
    for name, given in spec.items():
        if "tie" in given:
            parameters.add(name, expr=given["tie"])
        else:
            parameters.add(name, value=given["value"], vary=not given.get("lock", False))
    x, y = np.array(data["x"]), np.array(data["y"])
    sigma = np.array(data.get("sigma", 1.0))
    fitter = lmfit.Minimizer(
        lambda p: (curve(x, **p.valuesdict()) - y) / sigma,
        parameters,
        scale_covar="sigma" not in data,
    )
    found = fitter.minimize(method="leastsq", xtol=1e-15, ftol=1e-15, gtol=1e-15)
    return {
        "values": {p.name: float(p.value) for p in found.params.values()},
        "errors": {p.name: float(p.stderr) for p in found.params.values() if p.vary or p.expr},
        "chiSquare": float(found.chisqr),
    }


def write_fit_recipes():
    data = made()
    lines = [f"  {json.dumps(name)}: {json.dumps(columns)}" for name, columns in data.items()]
    (RECIPES / "fits.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    rows = [
        {"recipe": name, **fitted(data[of], curve, spec)} for name, of, curve, spec in specs()
    ]
    versions = {"scipy": scipy.__version__, "numpy": np.__version__, "lmfit": lmfit.__version__}
    write("fit-recipes.json", {"versions": versions}, "recipes", rows)


if __name__ == "__main__":
    write_fit_recipes()
