"""fits.json: what lmfit, SciPy and NIST say of fits: standard errors, correlations, criteria,
profiles, robust losses, and quantiles.

- `certified`: the standard deviations that NIST certifies for its 27 sets (nist.py has the rest).
- `cases`: curves with sigma, locks, ties and robust losses. lmfit fits those of a linear loss, by
  MINPACK; SciPy's curve_fit those of a robust one. Derivatives are exact, by a complex step, where the
  peer takes them.
- `quantiles`: of Student's t, F and chi-square, by SciPy; t's by way of F, which has more digits there.
- `tails`: of the same, by mpmath to 50 digits.

Apart from generate.py, so that it needs no TensorFlow: `python fits.py` with the versions that
`fits.json` names of numpy, scipy, lmfit and mpmath.
"""

import lmfit
import mpmath
import numpy as np
import scipy
from files import write
from nist import MODELS, fetch, read
from scipy import stats
from scipy.optimize import curve_fit

# Bates & Watts 1988, table A1.3: the velocity of an enzyme's reaction, with puromycin.
PUROMYCIN = {
    "x": [0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1],
    "y": [76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200],
}


def enzyme(x, speed, half):
    return speed * x / (half + x)


def decay(x, height, rate, level):
    return height * np.exp(-rate * x) + level


def peaks(x, height1, centre1, width1, height2, centre2, width2, level, decay):
    def bell(height, centre, width):
        return height * np.exp(-(((x - centre) / width) ** 2))

    ground = level * np.exp(-decay * x)
    return ground + bell(height1, centre1, width1) + bell(height2, centre2, width2)


CURVES = {"enzyme": enzyme, "decay": decay, "peaks": peaks}


def decaying(seed, outliers):
    """A decay with noise that grows with it; some readings are far off."""
    draws = np.random.default_rng(seed)
    x = np.linspace(0, 6, 40)
    clean = decay(x, 5, 0.8, 1)
    sigma = np.round(0.05 + 0.02 * clean, 4)
    y = clean + sigma * draws.normal(size=x.size)
    y[outliers] += 20 * sigma[outliers]
    return {"x": list(np.round(x, 6)), "y": list(np.round(y, 5)), "sigma": list(sigma)}


def spectrum():
    data = read(fetch()["Gauss2"])
    return {"x": data["x"], "y": data["y"]}


def by_lmfit(case, profile):
    """lmfit, by MINPACK, its tolerances at the least that doubles allow."""
    curve = CURVES[case["curve"]]
    x, y = np.array(case["x"]), np.array(case["y"])
    sigma = np.array(case.get("sigma", 1.0))
    parameters = lmfit.Parameters()
    for name, given in case["parameters"].items():
        if "tie" in given:
            parameters.add(name, expr=given["tie"])
        else:
            parameters.add(name, value=given["value"], vary=not given.get("lock", False))

    def residuals(p):
        values = {k: v for k, v in p.valuesdict().items() if k in curve.__code__.co_varnames}
        return (curve(x, **values) - y) / sigma

    fitter = lmfit.Minimizer(residuals, parameters, scale_covar=case["scale"])
    found = fitter.minimize(method="leastsq", xtol=1e-15, ftol=1e-15, gtol=1e-15, epsfcn=1e-15)
    free = [p for p in found.params.values() if p.vary]
    result = {
        "values": {p.name: p.value for p in found.params.values()},
        "errors": {p.name: p.stderr for p in found.params.values() if p.vary or p.expr},
        "correlations": {
            f"{a.name} {b.name}": a.correl[b.name] for a in free for b in free if a is not b
        },
        "chiSquare": found.chisqr,
        "reducedChiSquare": found.redchi,
        "aic": found.aic,
        "bic": found.bic,
    }
    if profile:
        levels = lmfit.conf_interval(fitter, found, sigmas=[0.95])
        result["intervals"] = {name: [rows[0][1], rows[2][1]] for name, rows in levels.items()}
    return result


def by_scipy(case):
    """SciPy's curve_fit, by its trust region."""
    names = list(case["parameters"])
    start = [case["parameters"][name]["value"] for name in names]
    losses = {"softL1": "soft_l1"}
    sigma = case.get("sigma")
    values, covariance = curve_fit(
        CURVES[case["curve"]],
        np.array(case["x"]),
        np.array(case["y"]),
        start,
        sigma=sigma,
        absolute_sigma=not case["scale"],
        method="trf",
        jac="cs",
        loss=losses.get(case["loss"], case["loss"]),
        f_scale=case["lossScale"],
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
        max_nfev=1000,
    )
    return {
        "values": dict(zip(names, values)),
        "errors": dict(zip(names, np.sqrt(np.diag(covariance)))),
        "covariance": [list(row) for row in covariance],
    }


PROFILED = ["enzyme", "decay, sigma up to a factor"]


def free(**starts):
    return {name: {"value": value} for name, value in starts.items()}


def locked(value):
    return {"value": value, "lock": True}


def make_cases():
    two = free(height1=103, centre1=106, width1=18, height2=72, centre2=151, width2=18)
    ground = free(level=96, decay=0.009)
    known = {"width1": locked(23.578584029), "width2": locked(19.525972636)}
    shared = {"width2": {"tie": "width1"}, "area1": {"tie": "height1 * width1 * sqrt(pi)"}}
    starts = free(height=4, rate=1, level=0.5)
    clean, off = decaying(1, []), decaying(2, [5, 17, 30])
    linear = {"loss": "linear", "lossScale": 1}
    cases = [
        {"name": "enzyme", "curve": "enzyme", **PUROMYCIN, "parameters": free(speed=205, half=0.08)},
        {
            "name": "enzyme, half known",
            "curve": "enzyme",
            **PUROMYCIN,
            "parameters": {**free(speed=205), "half": locked(0.06)},
        },
        {"name": "peaks", "curve": "peaks", **spectrum(), "parameters": {**two, **ground}},
        {
            "name": "peaks, widths known",
            "curve": "peaks",
            **spectrum(),
            "parameters": {**two, **ground, **known},
        },
        {
            "name": "peaks, one width for both",
            "curve": "peaks",
            **spectrum(),
            "parameters": {**two, **ground, **shared},
        },
        {"name": "decay, sigma given", "curve": "decay", **clean, "parameters": starts},
        {
            "name": "decay, sigma up to a factor",
            "curve": "decay",
            **clean,
            "parameters": starts,
            "scale": True,
        },
        {
            "name": "decay, sigma given, level known",
            "curve": "decay",
            **clean,
            "parameters": {**starts, "level": locked(1)},
        },
    ]
    for case in cases:
        case.update({"scale": "sigma" not in case, **linear, **case})
        case["found"] = by_lmfit(case, case["name"] in PROFILED)
    for loss in ["linear", "huber", "softL1", "cauchy", "arctan"]:
        for scale, size in [(False, 1.0), (True, 1.5)]:
            case = {
                "name": f"decay with outliers, {loss}, C = {size}",
                "curve": "decay",
                **off,
                "parameters": starts,
                "scale": scale,
                "loss": loss,
                "lossScale": size,
            }
            cases.append({**case, "found": by_scipy(case)})
    return cases


def certified():
    """NIST's second column of results."""
    found = []
    for name, text in fetch().items():
        if name not in MODELS:
            raise ValueError(name)
        lines = text.splitlines()
        deviations = []
        while "=" in lines[40 + len(deviations)]:
            deviations.append(float(lines[40 + len(deviations)].split("=")[1].split()[3]))
        found.append({"name": name, "deviations": deviations})
    return sorted(found, key=lambda row: row["name"])


def fisher_tail(x, d1, d2):
    share = mpmath.mpf(d2) / (d2 + mpmath.mpf(d1) * x)
    halves = [mpmath.mpf(d2) / 2, mpmath.mpf(d1) / 2]
    return float(mpmath.betainc(*halves, 0, share, regularized=True))


def quantiles():
    mpmath.mp.dps = 50
    rows = []
    levels = [1e-10, 0.001, 0.1, 0.5, 0.6826894921370859, 0.95, 0.999]
    for level in levels:
        for dof in [1, 2, 3, 4.5, 10, 58, 1000, 1e6]:
            # The level is two-sided: the middle of t, whose square is F's.
            rows.append(["student", [level, dof], float(np.sqrt(stats.f.ppf(level, 1, dof)))])
            rows.append(["chiSquare", [level, dof], float(stats.chi2.ppf(level, dof))])
            for other in [1, 7, 300]:
                quantile = float(stats.f.ppf(level, other, dof))
                rows.append(["fisher", [level, other, dof], quantile])
    tails = []
    for x in [1e-6, 0.3, 1, 2.5, 12, 60]:
        for dof in [1, 2, 3, 10, 58, 1000]:
            tails.append(["student", [x, dof], fisher_tail(mpmath.mpf(x) ** 2, 1, dof)])
            above = mpmath.gammainc(mpmath.mpf(dof) / 2, mpmath.mpf(x) / 2, regularized=True)
            tails.append(["chiSquare", [x, dof], float(above)])
            tails.append(["fisher", [x, 1, dof], fisher_tail(x, 1, dof)])
            tails.append(["fisher", [x, dof, 5], fisher_tail(x, dof, 5)])
    return {"quantiles": rows, "tails": tails}


def write_fits():
    head = {
        "versions": {
            "scipy": scipy.__version__,
            "numpy": np.__version__,
            "lmfit": lmfit.__version__,
            "mpmath": mpmath.__version__,
        },
        "certified": certified(),
        **quantiles(),
    }
    write("fits.json", head, "cases", make_cases())


if __name__ == "__main__":
    write_fits()
