"""bounded.json: least squares within boxes, and what SciPy finds there; and how much work free fits of
NIST's sets take in SciPy and lmfit.

Problems are NIST's 27 sets (nist.py), and those of SciPy's own tests and benchmarks whose definitions
and data are published:
- Rosenbrock's valley with the six starts and boxes of SciPy's test suite.
- Broyden's tridiagonal system of 100 unknowns, Chebyshev quadrature of 8 points, Osborne's
  exponentials and Gaussians: Moré, Garbow & Hillstrom 1981, ACM TOMS 7, problems 30, 35, 17 and 19.
  Their enzyme reaction (15) and thermistor (10) are NIST's MGH09 and MGH10.
- An exponential through noisy points.
- The isomerization of alpha-pinene: Box, Hunter, MacGregor & Erjavec 1973, Technometrics 15. The
  equations are linear; each step takes six terms of their Taylor series, here and in the tests.

Boxes cut the way from a start to the free solution. `one`: one parameter may go 0.7 of its way, for up to three of them. `all`:
none may go further. `walls`: all start at a bound that they must leave. `mixed`: by turns.
Starts and bounds are f32 values, as gradlock takes them.

Apart from generate.py, so that it needs no TensorFlow: `python bounded.py` with numpy, scipy, lmfit and pip.
"""

import json

import lmfit
import numpy as np
import scipy
from files import HERE, Draws
from nist import EVALUATIONS, MODELS, SOURCE, fetch, read
from numpy import exp
from scipy.optimize import least_squares

PART = 0.7


def f32(values):
    return np.array(values, np.float32).astype(float)


# ----------------------------------------------------------------------------------------- problems

OSBORNE1 = """.844 .908 .932 .936 .925 .908 .881 .850 .818 .784 .751 .718 .685 .658 .628 .603 .580 .558 .538 .522
.506 .490 .478 .467 .457 .448 .438 .431 .424 .420 .414 .411 .406"""
OSBORNE2 = """1.366 1.191 1.112 1.013 .991 .885 .831 .847 .786 .725 .746 .679 .608 .655 .616 .606 .602 .626 .651
.724 .649 .649 .694 .644 .624 .661 .612 .558 .533 .495 .500 .423 .395 .375 .372 .391 .396 .405 .428 .429 .523 .562
.607 .653 .672 .708 .633 .668 .645 .632 .591 .559 .597 .625 .739 .710 .729 .720 .636 .581 .428 .292 .162 .098 .054"""
PINENE_TIMES = [1230, 3060, 4920, 7800, 10680, 15030, 22620, 36420]
PINENE = """88.35 7.3 2.3 .4 1.75 76.4 15.6 4.5 .7 2.8 65.1 23.1 5.3 1.1 5.8 50.4 32.9 6 1.5 9.3
37.5 42.7 6 1.9 12 25.9 49.1 5.9 2.2 17 14 57.4 5.1 2.6 21 4.5 63.1 3.8 2.9 25.7"""
LONGEST_STEP = 2000


def numbers(text):
    return [float(v) for v in text.split()]


def rosenbrock(b, x, y):
    return np.array([10 * (b[1] - b[0] ** 2), 1 - b[0]])


def broyden(b, x, y):
    r = (3 - b) * b + 1
    r[1:] -= b[:-1]
    r[:-1] -= 2 * b[1:]
    return r


def chebyshev(b, x, y):
    """The mean of each shifted polynomial over the points, less its integral."""
    argument = 2 * b - 1
    before, now, rows = np.ones_like(argument), argument, []
    for i in range(1, len(b) + 1):
        integral = 0 if i % 2 else -1 / (i * i - 1)
        rows.append(np.mean(now) - integral)
        before, now = now, 2 * argument * now - before
    return np.array(rows)


def exponential(b, x, y):
    return b[0] * exp(b[1] * x) - y


def osborne1(b, x, y):
    return b[0] + b[1] * exp(-b[3] * x) + b[2] * exp(-b[4] * x) - y


def osborne2(b, x, y):
    peaks = [b[i + 1] * exp(-b[i + 5] * (x - b[i + 8]) ** 2) for i in range(3)]
    return b[0] * exp(-b[4] * x) + peaks[0] + peaks[1] + peaks[2] - y


def pinene(b, x, y):
    """Rates b are in 1e-5 / s; the state is in per cent of five substances."""
    rate = b * 1e-5

    def slope(s):
        return np.array([
            -(rate[0] + rate[1]) * s[0],
            rate[0] * s[0],
            rate[1] * s[0] - (rate[2] + rate[3]) * s[2] + rate[4] * s[4],
            rate[2] * s[2],
            rate[3] * s[2] - rate[4] * s[4],
        ])

    state, time, rows = np.array([100, 0, 0, 0, 0], b.dtype), 0, []
    for until in PINENE_TIMES:
        steps = -(-(until - time) // LONGEST_STEP)
        for _ in range(steps):
            term = state
            for k in range(1, 7):
                term = slope(term) * ((until - time) / steps / k)
                state = state + term
        time = until
        rows.append(state)
    return np.concatenate(rows) - y


def noisy_exponential():
    draws = Draws(32)
    x = np.linspace(-1, 2, 21)
    return x, exp(0.4 * x) + 0.02 * draws.array([21])


def own_problems():
    """Name, residuals, x, y, starts."""
    exp_x, exp_y = noisy_exponential()
    thirds = [10 * i for i in range(33)]
    tenths = [i / 10 for i in range(65)]
    start2 = [1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5]
    return [
        ("rosenbrock", rosenbrock, [], [0, 0], [[-1.2, 1], [-2, 1]]),
        ("broyden", broyden, [], [0] * 100, [[-1] * 100]),
        ("chebyshev8", chebyshev, [], [0] * 8, [[(i + 1) / 9 for i in range(8)]]),
        ("exponential", exponential, exp_x, exp_y, [[0.5, 1], [2, -1]]),
        ("osborne1", osborne1, thirds, numbers(OSBORNE1), [[0.5, 1.5, -1, 0.01, 0.02]]),
        ("osborne2", osborne2, tenths, numbers(OSBORNE2), [start2]),
        ("pinene", pinene, [], numbers(PINENE), [[5.84, 2.65, 1.63, 27.77, 4.61]]),
    ]


def nist_problems():
    files = fetch()
    for name in MODELS:
        data = read(files[name])
        y = np.log(data["y"]) if name == "Nelson" else data["y"]

        def residuals(b, x, y, model=MODELS[name]):
            return model(b, x) - y

        yield name, residuals, data["x"], y, data["starts"], data["certified"]


# -------------------------------------------------------------------------------------------- solving


def with_jacobian(residuals, x, y):
    """Residuals, and their exact Jacobian by a complex step (Squire & Trapp 1998)."""
    x, y = np.array(x, float), np.array(y, float)

    def fun(b):
        with np.errstate(all="ignore"):
            return residuals(np.asarray(b, float), x, y)

    def jac(b):
        columns = []
        for k in range(len(b)):
            moved = np.array(b, complex)
            moved[k] += 1e-30j
            with np.errstate(all="ignore"):
                columns.append(residuals(moved, x, y).imag / 1e-30)
        return np.array(columns).T

    return fun, jac


def attempt(fun, jac, start, **options):
    """A run, or None where SciPy refuses: it asks for finite residuals at the start. Evaluations are
    100 for each parameter, SciPy's default, unless options say otherwise."""
    try:
        return least_squares(fun, start, jac=jac, **options)
    except (ValueError, np.linalg.LinAlgError):
        return None


def squares_of(run):
    return float(f"{2 * run.cost:.10e}") if run and np.isfinite(run.cost) else None


def boxes(start, solution):
    """(kind, lower, upper) with the start inside."""
    start, cut = f32(start), f32(np.array(start) + PART * (np.array(solution) - start))
    n = len(start)
    up = cut > start

    def box(is_cut, is_wall):
        lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
        for j in range(n):
            if is_cut(j):
                (upper if up[j] else lower)[j] = cut[j]
            if is_wall(j):
                (lower if up[j] else upper)[j] = start[j]
        return lower, upper

    moving = [j for j in range(n) if cut[j] != start[j]]
    for one in moving[:: -(-len(moving) // 3)]:
        yield "one", *box(lambda j, one=one: j == one, lambda j: False)
    yield "all", *box(lambda j: j in moving, lambda j: False)
    yield "walls", *box(lambda j: False, lambda j: j in moving)
    yield "mixed", *box(lambda j: j in moving and j % 2 == 0, lambda j: j in moving and j % 2)


SCIPY_TESTS = [
    ([-2, 1], [-np.inf, -1.5], [np.inf, np.inf]),
    ([2, 2], [-np.inf, 1.5], [np.inf, np.inf]),
    ([-2, 2], [-np.inf, 1.5], [np.inf, np.inf]),
    ([0, 2], [-np.inf, 1.5], [1, np.inf]),
    ([2, 2], [1, 1.5], [3, 3]),
    ([-1.2, 1], [-50, 0], [0.5, 100]),
]


def ends(values):
    return [float(v) if np.isfinite(v) else None for v in values]


def bounded_run(fun, jac, start, kind, lower, upper):
    """What trf finds by default, and the least that any of SciPy's ways finds."""
    start = f32(start)
    bounds = (lower, upper)
    trf = attempt(fun, jac, start, method="trf", bounds=bounds)
    others = [
        attempt(fun, jac, start, method=method, bounds=bounds, x_scale=scale, xtol=1e-12, ftol=1e-12, gtol=1e-12)
        for method, scale in [("trf", "jac"), ("dogbox", "jac")]
    ]
    best = min((run for run in [trf, *others] if squares_of(run) is not None), key=squares_of, default=None)
    if best is None:
        return None
    return {
        "kind": kind,
        "start": [float(v) for v in start],
        "min": ends(lower),
        "max": ends(upper),
        "best": squares_of(best),
        "at": [float(f"{v:.12e}") for v in best.x],
        "trf": squares_of(trf),
        "evaluations": trf and [int(trf.nfev), int(trf.njev)],
    }


def bounded_runs(name, fun, jac, starts, solution):
    for start in starts:
        free = solution
        if free is None:
            free = least_squares(fun, start, jac=jac, xtol=1e-14, ftol=1e-14, gtol=1e-14).x
        for kind, lower, upper in boxes(start, free):
            yield bounded_run(fun, jac, start, kind, lower, upper)
    if name == "rosenbrock":
        for start, lower, upper in SCIPY_TESTS:
            yield bounded_run(fun, jac, start, "SciPy", np.array(lower, float), np.array(upper, float))


# ---------------------------------------------------------------------------------------- free fits


def free_run(fun, jac, start):
    """By lm, trf and lmfit's leastsq: sums of squares, evaluations of residuals, and of Jacobians."""
    start = f32(start)
    row = {}
    for method in ["lm", "trf"]:
        run = attempt(fun, jac, start, method=method, max_nfev=EVALUATIONS)
        row[method] = run and [squares_of(run), int(run.nfev), int(run.njev)]
    parameters = lmfit.Parameters()
    for j, value in enumerate(start):
        parameters.add(f"b{j}", value=value)
    calls = {"fun": 0, "jac": 0}

    def residuals(p):
        calls["fun"] += 1
        return fun(np.array([p[f"b{j}"].value for j in range(len(start))]))

    def jacobian(p):
        calls["jac"] += 1
        return jac(np.array([p[f"b{j}"].value for j in range(len(start))]))

    try:
        found = lmfit.minimize(residuals, parameters, method="leastsq", Dfun=jacobian, max_nfev=EVALUATIONS)
        total = float(np.sum(np.asarray(found.residual) ** 2))
        row["lmfit"] = [float(f"{total:.10e}") if np.isfinite(total) else None, calls["fun"], calls["jac"]]
    except (ValueError, TypeError, np.linalg.LinAlgError):
        row["lmfit"] = None
    return row


def text_of(head, key, entries):
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    return f"{json.dumps(head)[:-1]},\n\"{key}\": [\n{lines}\n]}}\n"


def write_bounded():
    sets = []
    for name, residuals, x, y, starts in own_problems():
        fun, jac = with_jacobian(residuals, x, y)
        runs = [run for run in bounded_runs(name, fun, jac, starts, None) if run]
        sets.append({"name": name, "x": [float(v) for v in x], "y": [float(v) for v in y], "runs": runs})
        print(name, len(runs), flush=True)
    for name, residuals, x, y, starts, certified in nist_problems():
        fun, jac = with_jacobian(residuals, x, y)
        runs = [run for run in bounded_runs(name, fun, jac, starts, certified) if run]
        free = [free_run(fun, jac, start) for start in starts]
        sets.append({"name": name, "runs": runs, "free": free})
        print(name, len(runs), flush=True)
    head = {
        "versions": {
            "scipy": scipy.__version__,
            "numpy": np.__version__,
            "lmfit": lmfit.__version__,
            "source": SOURCE,
        },
        "layout": "runs: best is the least sum of squares that SciPy finds, found at `at`; trf is what trf finds by "
        "default, after so many evaluations of residuals and of Jacobians; null bounds are infinite. free, one a "
        "start: sum of squares, evaluations of residuals, of Jacobians",
    }
    (HERE / "bounded.json").write_text(text_of(head, "sets", sets))


if __name__ == "__main__":
    write_bounded()
