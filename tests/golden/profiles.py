"""profiles.json: the ends of 2,000 profile-likelihood intervals, by SciPy.

Random curves with noise: free, bounded, tied, locked, weighted, with robust losses, at levels from
0.683 to 0.99. Each end is found by brentq on tau, the root of the rise of chi square in units of an
error. All else is fitted anew from several starts, by MINPACK (leastsq) or trf, with derivatives by
complex steps.

A row has the data, and for each free parameter [low, slope, high, slope]. The slopes are those of
tau, so that an end can be held to tau. A slope of 0 marks a bound, or "Infinity": tau stays below t
even 1e7 times as far away as the value or its error is large, or as far as the model does not
overflow, if twice the distance has made no difference. A slope of null marks a leap of tau, as where
a logistic curve becomes a step at one of the x. Ends are null where the profile meets a chi square
below that of the fit, which the row starts at.

Left out are fits without a regular minimum: a Jacobian whose condition is above 1e4, an error above
1e6 times the parameter, or a parameter that leaves its start by a factor of 100. So are walks of
more than 100 steps, which are printed.

Some choices keep the lowest point unique. A bell's width, a wave's amplitude, frequency and phase,
and the rates of two exponentials have bounds: without them these have mirror images and aliases, so
that a profile never ends. arctan bounds what a point costs, and cauchy nearly does. A wave may then
leave any points out, and each choice is a minimum; so may bells and saturations with arctan. A walk
by steps may pass a rise between two such minima, so these are not drawn.

Apart from generate.py, so that it needs no TensorFlow: `python profiles.py` with numpy and scipy as
in requirements.txt; some four minutes of one core. Each drawing has its own seed.
"""

import itertools
import json
import sys

import numpy as np
import scipy
from files import HERE
from numpy import exp, log
from scipy import stats
from scipy.optimize import brentq, least_squares, leastsq

COUNT = 2000
FAR = 1e7
MOST_STEPS = 100
GROUP = 100

# Each with typical parameters and the range of x.
MODELS = {
    "line": (lambda x, a, b: a + b * x, {"a": 1, "b": 2}, (0, 4)),
    "decay": (lambda x, a, k, c: a * exp(-k * x) + c, {"a": 5, "k": 0.8, "c": 1}, (0, 5)),
    "saturation": (lambda x, a, k: a * (1 - exp(-k * x)), {"a": 20, "k": 0.6}, (1, 7)),
    "enzyme": (lambda x, v, h: v * x / (h + x), {"v": 200, "h": 0.3}, (0.05, 1.2)),
    "bell": (
        lambda x, h, m, w: h * exp(-(((x - m) / w) ** 2)),
        {"h": 3, "m": 2.2, "w": 0.9},
        (0, 5),
    ),
    "logistic": (lambda x, a, r, m: a / (1 + exp(r * (m - x))), {"a": 10, "r": 1.5, "m": 3}, (0, 7)),
    "power": (lambda x, a, p: a * exp(p * log(x)), {"a": 2, "p": 1.4}, (0.5, 4)),
    "two": (
        lambda x, a, k, b, l: a * exp(-k * x) + b * exp(-l * x),
        {"a": 4, "k": 0.3, "b": 6, "l": 2.5},
        (0, 6),
    ),
    "wave": (
        lambda x, a, f, s, c: a * np.sin(f * x + s) + c,
        {"a": 2, "f": 1.3, "s": 0.4, "c": 1},
        (0, 7),
    ),
}
TIES = {"decay": ("c", "a"), "two": ("l", "k"), "bell": ("w", "m"), "logistic": ("m", "r")}
LEVELS = [0.683, 0.8, 0.9, 0.95, 0.975, 0.99]
LOSSES = ["huber", "softL1", "cauchy", "arctan"]


def rho(loss, z):
    if loss == "huber":
        return np.where(z <= 1, z, 2 * np.sqrt(np.maximum(z, 1)) - 1)
    if loss == "softL1":
        return 2 * (np.sqrt(1 + z) - 1)
    if loss == "cauchy":
        return np.log1p(z)
    return np.arctan(z)


def rounded(values, digits):
    return [float(f"%.{digits}g" % v) for v in values]


def draw(seed):
    """A row without its results."""
    random = np.random.default_rng(seed)
    # The last two take most of the time: they are among the first drawings only.
    name = list(MODELS)[seed % (9 if seed < 315 else 7)]
    f, typical, (low, high) = MODELS[name]
    true = {k: v * exp(random.normal() * 0.2) for k, v in typical.items()}
    n = int(random.integers(len(true) + 3, 16))
    x = np.linspace(low, high, n)
    x[1:-1] += random.uniform(-0.4, 0.4, n - 2) * (x[1] - x[0])  # so that no wave has an alias
    x = rounded(x, 4)
    row = {"model": name, "level": LEVELS[int(random.integers(len(LEVELS)))], "x": x}
    parameters = {k: {"value": float("%.3g" % v)} for k, v in true.items()}
    if name == "bell":
        parameters["w"]["min"] = 0.2
    if name == "wave":
        parameters["a"]["min"], parameters["f"]["min"], parameters["f"]["max"] = 0, 0.5, 2.6
        parameters["s"]["min"], parameters["s"]["max"] = -2.7, 3.5
    if name == "two":
        parameters["k"]["max"] = parameters["l"]["min"] = 1
    kind = random.random()
    if kind < 0.15 and name in TIES:
        own, other = TIES[name]
        factor = float("%.3g" % (true[own] / true[other]))
        true[own] = factor * true[other]
        parameters[own] = {"tie": [factor, other]}
    elif kind < 0.25 and len(true) > 2:
        name_locked = list(true)[int(random.integers(len(true)))]
        parameters[name_locked]["lock"] = True
    clean = f(np.array(x), **true)
    noise = np.ptp(clean) * exp(random.uniform(log(0.005), log(0.2)))
    sigma = noise * np.array([1, 1.5, 0.7])[np.arange(n) % 3]
    y = clean + sigma * random.normal(size=n)
    if random.random() < 0.35:
        row["sigma"] = rounded(sigma, 3)
    if random.random() < 0.2:
        y[int(random.integers(n))] += 8 * noise
        row["loss"] = LOSSES[int(random.integers(2 if name == "wave" else len(LOSSES)))]
        row["lossScale"] = 1.5 if "sigma" in row else float("%.3g" % (1.5 * noise))
    row["y"] = rounded(y, 5)
    row["parameters"] = parameters
    if random.random() < 0.35:
        free = [k for k, spec in parameters.items() if set(spec) == {"value"}]
        bounded = free[int(random.integers(len(free)))]
        edge = true[bounded] * (1 + random.normal() * 0.3)
        side = "min" if edge < true[bounded] else "max"
        if random.random() < 0.25:  # on the other side of the truth: the fit ends at it
            side = {"min": "max", "max": "min"}[side]
        edge = float("%.3g" % edge)
        parameters[bounded][side] = edge
        inside = edge + 0.1 * abs(edge) * (1 if side == "min" else -1)
        value = parameters[bounded]["value"]
        is_out = value < edge if side == "min" else value > edge
        parameters[bounded]["value"] = float("%.3g" % inside) if is_out else value
    return row


class Lower(Exception):
    """A profile met a point that is lower than the fit."""

    def __init__(self, point):
        super().__init__(str(point))
        self.point = point


class Endless(Exception):
    """A walk that ends nowhere: branch after branch is lower."""


class Problem:
    def __init__(self, row):
        self.f, self.typical, _ = MODELS[row["model"]]
        self.is_bell = row["model"] == "bell"
        self.x, self.y = np.array(row["x"]), np.array(row["y"])
        self.sigma = np.array(row.get("sigma", 1.0))
        self.loss, self.scale = row.get("loss"), row.get("lossScale", 1.0)
        specs = row["parameters"]
        self.names = [k for k, spec in specs.items() if "tie" not in spec and not spec.get("lock")]
        # Each argument of f: an element by its number, times a factor; or a constant.
        self.terms = []
        for name, spec in specs.items():
            factor, source = spec.get("tie", [1.0, name])
            if source in self.names:
                self.terms.append((self.names.index(source), factor))
            else:
                self.terms.append((None, factor * specs[source]["value"]))
        self.low = np.array([specs[k].get("min", -np.inf) for k in self.names])
        self.high = np.array([specs[k].get("max", np.inf) for k in self.names])
        self.start = np.array([specs[k]["value"] for k in self.names])
        self.dof = len(self.x) - len(self.names)
        self.steps = 1e-30j * np.eye(len(self.names))[:, :, None]

    def residuals(self, p):
        """For one point [k], or for many at once, [k, m, 1]."""
        given = [factor if i is None else factor * p[i] for i, factor in self.terms]
        return (self.f(self.x, *given) - self.y) / self.sigma

    def jacobian(self, p):
        return self.residuals(p[:, None, None] + self.steps).imag.T / 1e-30

    def chi(self, p):
        z = (self.residuals(p) / self.scale) ** 2
        chi = self.scale**2 * np.sum(z if self.loss is None else rho(self.loss, z), axis=-1)
        return np.where(np.isnan(chi), np.inf, chi)

    def bent(self, p):
        """Residuals whose squares are those of the loss, and their Jacobian."""
        r, j = self.residuals(p), self.jacobian(p)
        if self.loss is None:
            return r, j
        z = np.maximum((r / self.scale) ** 2, 1e-16)
        d = z * 1e-6
        rate = (rho(self.loss, z + d) - rho(self.loss, z - d)) / (2 * d)
        ratio = np.sqrt(rho(self.loss, z) / z)
        return r * ratio, j * (rate / ratio)[:, None]

    def minimise(self, start, held):
        """The best within bounds from one start, some elements held at it: (chi square, point)."""
        free = np.array([i for i in range(len(start)) if i not in held], int)
        p = np.array(start, float)
        if not len(free):
            return self.chi(p), p

        def at(q):
            full = p.copy()
            full[free] = q
            return full

        def residuals(q):
            r = self.bent(at(q))[0]
            return r if np.all(np.isfinite(r)) else np.full(len(r), 1e100)

        def jacobian(q):
            j = self.bent(at(q))[1][:, free]
            return np.where(np.isfinite(j), j, 0)

        tight = {"ftol": 1e-14, "xtol": 1e-13, "gtol": 1e-15}
        point = at(leastsq(residuals, p[free], Dfun=jacobian, maxfev=100, **tight)[0])
        low, high = self.low, self.high
        out = [int(i) for i in free if not low[i] <= point[i] <= high[i]]
        if not out:
            return self.chi(point), point
        # Hold what left its bounds there; if it does not want back, that is the minimum.
        other = self.minimise(np.clip(point, low, high), [*held, *out])
        r, j = self.bent(other[1])
        pull = j[:, out].T @ r
        if np.all(np.where(other[1][out] == low[out], pull >= 0, pull <= 0)):
            return other
        begin = np.clip(p[free], low[free], high[free])
        limits = (low[free], high[free])
        found = least_squares(residuals, begin, jacobian, bounds=limits, x_scale="jac", **tight)
        point = at(found.x)
        # trf stays inside: try what is near a bound on it.
        for bound in (low, high):
            stopped = [int(i) for i in free if abs(point[i] - bound[i]) <= 1e-4 * abs(point[i] or 1)]
            if stopped:
                edge = point.copy()
                edge[stopped] = bound[stopped]
                other = min(other, self.minimise(edge, [*held, *stopped]), key=lambda f: f[0])
        return min((self.chi(point), point), other, key=lambda f: f[0])


def best_of(problem, starts, held):
    return min((problem.minimise(s, held) for s in starts), key=lambda found: found[0])


def screened(problem, centres, held, random, count):
    """Starts scattered around centres: of each of so many groups, the one that is lowest at once."""
    k = len(problem.start)
    groups = []
    for g in range(count):
        centre = np.array(centres[g % len(centres)])
        spread = np.where(np.arange(GROUP) % 3 == 0, 0.3, np.where(np.arange(GROUP) % 3 == 1, 1, 2))
        at = centre[:, None] * exp(random.normal(size=(k, GROUP)) * spread)
        at = np.clip(at, problem.low[:, None], problem.high[:, None])
        at[held] = centre[held][:, None]
        groups.append(at)
    at = np.concatenate(groups, axis=1)
    chi = problem.chi(at[:, :, None]).reshape(count, GROUP)
    return [at[:, g * GROUP + chi[g].argmin()] for g in range(count)]


def fit(problem, random):
    """The minimum that the start leads to, and the lowest one."""
    starts = screened(problem, [problem.start], [], random, 12)
    own, other = problem.minimise(problem.start, []), best_of(problem, starts, [])
    # Of mirror images, such as a wave of negative amplitude, the one that the start leads to.
    return own, other if other[0] < own[0] * (1 - 1e-9) else own


def end_of(problem, best, i, side, t, unit, error, random):
    """[end, slope of tau there]."""
    base, point = best
    edge = (problem.low if side < 0 else problem.high)[i]
    typical = np.array([problem.typical[name] for name in problem.names])
    # A bell may also go far to a side, where a flank of it is left.
    directions = itertools.product((-10.0, 10.0), repeat=len(point) if problem.is_bell else 0)
    directions = [np.array(d) for d in directions if d]
    infinite = ["Infinity" if side > 0 else "-Infinity", 0]
    memory = {point[i]: best}  # by value: the lowest found there

    def clipped(start, value):
        s = np.clip(start, problem.low, problem.high)
        s[i] = value
        return s

    def tau(value, starts, is_thorough=False):
        """From the start that is lowest at once, or from all, and others scattered around them."""
        full = []
        for start in starts:
            s = clipped(start, value)
            full.append((problem.chi(s), len(full), s))
        full = [s for _, _, s in sorted(full)]
        tried = full[:1]
        if is_thorough:
            far = [clipped(full[0] + d * np.abs(full[0]), value) for d in directions]
            tried = full + screened(problem, full, [i], random, 12) + far
        found = best_of(problem, tried, [i])
        if value not in memory or found[0] < memory[value][0]:
            memory[value] = found
        chi, at = memory[value]
        if chi < base - 1e-7 * unit:
            raise Lower(at)
        return np.sqrt(max(0, chi - base) / unit)

    def off(value):
        if value in memory:
            return np.sqrt(max(0, memory[value][0] - base) / unit) - t
        nearest = sorted(memory, key=lambda known: abs(known - value))[:3]
        a, b = (memory[known][1] for known in nearest[:2])
        share = (value - nearest[0]) / (nearest[1] - nearest[0])
        line = a + share * (b - a)
        return tau(value, [line, *(memory[known][1] for known in nearest)]) - t

    before, last, step = None, (point[i], 0.0), t * error / 5
    steep = point[i]  # the last value where tau changed
    for _ in range(MOST_STEPS):
        value = last[0] + side * step
        if side * (value - edge) >= 0:
            value = edge
        if value == last[0]:
            return [edge, 0]
        starts = [memory[last[0]][1], point]
        if before:
            a, b = memory[before[0]][1], memory[last[0]][1]
            share = (value - last[0]) / (last[0] - before[0])
            power = log(value / last[0]) / log(last[0] / before[0])
            ahead = [b + share * (b - a), b * (b / a) ** power]
            starts += [s for s in ahead if np.all(np.isfinite(s))]
        now = tau(value, starts)
        if not np.isfinite(now):
            if abs(last[0] - point[i]) >= 2 * abs(steep - point[i]) > 0:
                return infinite
            step /= 4
            continue
        if now >= t:
            end = brentq(off, last[0], value, xtol=1e-11 * abs(value), rtol=1e-11)
            near, is_leap = memory[end][1], abs(off(end)) > 1e-6
            if is_leap:  # as where a logistic curve becomes a step at one of the x
                end += side * 1e-9 * abs(end)
            # Far from here there may be something lower: then tau is not yet t, and the walk goes on.
            far = tau(end, [near, point, problem.start, typical], True)
            if far >= t - 1e-6 and is_leap:
                return [float("%.9g" % end), None]
            if far >= t - 1e-6:
                width = 1e-4 * max(abs(end - point[i]), error)
                slope = (off(end + width / 2) - off(end - width / 2)) / width
                return [float("%.9g" % end), float("%.3g" % slope)]
            value, now = end, far
        if value == edge:
            return [edge, 0]
        if abs(value - point[i]) > FAR * max(abs(point[i]), error):
            return infinite
        steep = value if abs(now - last[1]) > 1e-6 * t else steep
        before, last = last, (value, now)
        rise = now - before[1]
        step *= 2 if rise < t / 8 else 1.3 if rise < t / 4 else 0.7
    raise Endless(f"{problem.names[i]} beyond {last}")


def solve(seed):
    """Rows of one drawing: of the lowest minimum, and of another one that the start leads to."""
    np.seterr(all="ignore")
    random = np.random.default_rng(10**6 + seed)
    row = draw(seed)
    if row["model"] == "wave" and seed > 150:
        return []
    if row["model"] in ("bell", "saturation") and row.get("loss") == "arctan":
        return []
    problem = Problem(row)
    own, best = fit(problem, random)
    try:
        return rows_of(row, problem, own, best, random)
    except Endless as found:
        print(seed, row["model"], found, file=sys.stderr)
        return []


def rows_of(row, problem, own, best, random):
    lowest = ends_of(row, problem, best, random)
    while lowest and None in lowest["ends"].values():
        best = lowest["lower"]
        lowest = ends_of(row, problem, best, random)
    rows = [lowest]
    if own[0] > best[0] * (1 + 1e-6):
        rows.append(ends_of(row, problem, own, random))
    return [{k: v for k, v in r.items() if k != "lower"} for r in rows if r]


def starting(row, problem, point):
    """The row's parameters, started near a point."""
    specs = {k: dict(v) for k, v in row["parameters"].items()}
    for i, name in enumerate(problem.names):
        value = float("%.4g" % point[i])
        specs[name]["value"] = float(np.clip(value, problem.low[i], problem.high[i]))
    return specs


def ends_of(row, problem, best, random):
    """The row with what was found; None if its minimum is not regular. Ends are None, where a profile
    met something lower."""
    chi, point = best
    is_held = (point == problem.low) | (point == problem.high)
    free = [i for i in range(len(point)) if not is_held[i]]
    weighted = problem.bent(point)[1]
    norms = np.linalg.norm(weighted, axis=0)
    scaled = weighted[:, free] / norms[free]
    if problem.dof < 2 or not np.all(norms > 0) or np.linalg.cond(scaled) > 1e4:
        return None
    if np.any(np.abs(log(np.abs(point / problem.start))) > log(100)):
        return None
    is_scaled = "sigma" not in row
    unit = chi / problem.dof if is_scaled else 1.0
    tail = (1 + row["level"]) / 2
    t = stats.t.ppf(tail, problem.dof) if is_scaled else stats.norm.ppf(tail)
    inverse = np.linalg.inv(scaled.T @ scaled)
    ends, lower = {}, None
    for i, name in enumerate(problem.names):
        variance = inverse[free.index(i), free.index(i)] if i in free else 1.0
        error = np.sqrt(variance * unit) / norms[i]
        if error > 1e6 * max(abs(point[i]), problem.typical[name]):
            return None
        try:
            both = [end_of(problem, best, i, s, t, unit, error, random) for s in (-1, 1)]
            ends[name] = both[0] + both[1]
        except Lower as found:
            ends[name], lower = None, problem.minimise(found.point, [])
    specs = row["parameters"]
    if problem.minimise(problem.start, [])[0] > chi * (1 + 1e-9) or lower:
        specs = starting(row, problem, point)
    chi = float("%.10g" % chi)
    return {**row, "parameters": specs, "chiSquare": chi, "ends": ends, "lower": lower}


def main(count):
    profiles, left_out, seed = 0, 0, 0
    with (HERE / "profiles.json").open("w") as file:
        file.write(json.dumps({"numpy": np.__version__, "scipy": scipy.__version__})[:-1])
        while profiles < count:
            found = solve(seed)
            for row in found:
                file.write(',\n  ' if profiles else ', "rows": [\n  ')
                file.write(json.dumps(row, separators=(",", ":"), allow_nan=False))
                profiles += len(row["ends"])
            file.flush()
            left_out += not found
            seed += 1
        file.write("\n]}\n")
    print(f"profiles.json: {profiles} profiles, {left_out} of {seed} drawings left out", file=sys.stderr)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
