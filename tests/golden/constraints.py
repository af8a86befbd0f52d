"""constraints.json: training under constraints, in Keras where nothing is locked, and in f64 where
elements are.

The f64 side is written from the papers' equations of SGD and Adam and from law 10: a lock beats a
projection. A norm's free elements get what the locked ones of their group leave, r^2 = limit^2 -
l^2; each element counts its own steps. It shares nothing with gradlock. Where nothing is locked it
is held to Keras below, within the same bounds as gradlock is.

A row says how far values in f32 may be off (`bounds`): see Bound.
"""

import numpy as np
from common import VERSIONS, Draws, keras, tf, write

STEPS = [1, 19, 100, 200]
SEED = 20261126
COINS = 7
U = 2.0**-24

RULES = [
    ("sgd", {"learningRate": 0.05, "momentum": 0.9}),
    ("adam", {"learningRate": 0.05, "beta2": 0.95}),
    ("adamW", {"learningRate": 0.05, "beta2": 0.95, "weightDecay": 0.05}),
]
# shape, constraint
CASES = [
    ([3, 4], {"nonNegative": True}),
    ([2, 3, 2], {"min": -0.25, "max": 0.125}),
    ([7], {"min": 0.125}),
    ([3, 4], {"max": 0.0}),
    ([3, 4], {"maxNorm": 0.75}),
    ([3, 4], {"maxNorm": 0.875, "axis": 1}),
    ([3, 4], {"maxNorm": 1.25, "axis": [0, 1]}),
    ([2, 3, 2], {"maxNorm": 0.75, "axis": -1}),
    ([2, 3, 2], {"maxNorm": 1.0, "axis": [0, -2]}),
    ([9], {"maxNorm": 0.875}),
    ([40], {"maxNorm": 1.75}),
    ([3, 4], {"unitNorm": True}),
    ([3, 4], {"unitNorm": True, "axis": -1}),
    ([3, 4], {"unitNorm": True, "axis": [1, 0]}),
    ([2, 3, 2], {"unitNorm": True, "axis": 1}),
    ([2, 3, 2], {"unitNorm": True, "axis": [0, 2]}),
    ([9], {"unitNorm": True}),
    ([2, 3, 2], {"minNorm": 1.0, "maxNorm": 1.25, "axis": [0, -2]}),
    ([9], {"minNorm": 0.75, "maxNorm": 1.0}),
]


class Box(keras.constraints.Constraint):
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, w):
        return keras.ops.clip(w, self.low, self.high)


def axes_of(constraint, rank):
    axis = constraint.get("axis", 0)
    return tuple(a % rank for a in (axis if isinstance(axis, list) else [axis]))


def keras_constraint(constraint, rank):
    if "nonNegative" in constraint:
        return keras.constraints.NonNeg()
    if "minNorm" in constraint:
        return keras.constraints.MinMaxNorm(constraint["minNorm"], constraint["maxNorm"], 1.0, axes_of(constraint, rank))
    if "maxNorm" in constraint:
        return keras.constraints.MaxNorm(constraint["maxNorm"], axes_of(constraint, rank))
    if "unitNorm" in constraint:
        return keras.constraints.UnitNorm(axes_of(constraint, rank))
    return Box(constraint.get("min", -np.inf), constraint.get("max", np.inf))


# ---------------------------------------------------------------------------------------------- the f64 side


def project(x, locked, constraint):
    """x with its free elements projected, and of each element: the factor, what is left for the
    free, norm of the locked.
    """
    one, zero = np.ones_like(x), np.zeros_like(x)
    if "maxNorm" not in constraint and "unitNorm" not in constraint:
        low = 0 if "nonNegative" in constraint else constraint.get("min", -np.inf)
        clipped = np.clip(x, low, constraint.get("max", np.inf))
        return np.where(locked, x, clipped), one, one, zero
    axes = axes_of(constraint, x.ndim)
    norm = lambda mask: np.sqrt(np.sum((x * mask) ** 2, axes, keepdims=True)) + zero  # noqa: E731
    free, held = norm(~locked), norm(locked)
    limit = constraint.get("maxNorm", 1.0)
    has_free = np.any(~locked, axes, keepdims=True) | (zero > 0)
    assert np.all((held <= limit * (1 + 1e-12)) | ~has_free), f"{constraint}: {held.max()} is locked"
    room = np.sqrt(np.maximum(limit**2 - held**2, 0))
    least = np.sqrt(np.maximum(constraint.get("minNorm", 0.0) ** 2 - held**2, 0))
    wanted = np.minimum(np.maximum(free, least), room) if "maxNorm" in constraint else room
    factor = wanted / (1e-7 + free)
    return np.where(locked, x, x * factor), factor, np.where(free < least, least, room), held


class Bound:
    """How far one side in f32 may be off, as the norm over each group; with a box, each element is
    one.

    A step adds, per element, a rounding of x and 4 u / (1 - b) of the step, b being the slowest
    decay of its averages (see tests/js/trajectories.js). A projection x -> r x / f takes away the
    error along x and multiplies the rest by r / f; of one that leaves x alone inside of its bound,
    that is at most 1. It adds the roundings of its factor, (n / 2 + 4) u, of the product, and along
    x the error of r, d l / r, where the norm l of the locked is off by d. When locks change, the
    error of a group may be all of either part's.
    """

    def __init__(self, x, constraint, slowest):
        self.constraint, self.slowest = constraint, slowest
        self.is_norm = "maxNorm" in constraint or "unitNorm" in constraint
        self.axes = axes_of(constraint, x.ndim)
        self.size = np.prod([x.shape[a] for a in self.axes])
        self.free, self.held = np.zeros_like(x), np.zeros_like(x)
        self.trained = np.zeros(x.shape, bool)
        self.locked = self.trained

    def norm(self, x):
        return np.sqrt(np.sum(x**2, self.axes, keepdims=True)) + np.zeros_like(x) if self.is_norm else np.abs(x)

    @property
    def error(self):
        return np.hypot(self.free, self.held)

    def follow(self, locked):
        if np.any(locked != self.locked):
            error = self.error
            share = lambda part: np.where(self.norm(part & self.trained) > 0, error, 0)  # noqa: E731
            self.free, self.held = share(~locked), share(locked)
        self.locked = locked
        self.trained = self.trained | ~locked

    def advance(self, before, stepped, after, locked, factor, room, held):
        self.follow(locked)
        free = ~locked
        added = U * (np.abs(before) + np.abs(stepped)) + 4 * U / (1 - self.slowest) * np.abs(stepped - before)
        error = self.free + self.norm(added * free)
        if self.is_norm:
            is_raised = self.constraint.keys() & {"unitNorm", "minNorm"}
            growth = factor if is_raised else np.minimum(factor, 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                of_room = np.where(self.held > 0, self.held * held / room, 0)
            error = np.hypot(growth * error, of_room) + (self.size / 2 + 6) * U * self.norm(after * free)
        self.free = np.where(self.norm(free) > 0, error, self.free)


class Reference:
    def __init__(self, rule, options, x, constraint):
        self.rule, self.options, self.constraint = rule, options, constraint
        self.x = x.astype(np.float64)
        self.bound_steps = 0
        self.m, self.v, self.t = (np.zeros_like(self.x) for _ in range(3))
        self.bound = Bound(self.x, constraint, max(options.get("momentum", 0.9), options.get("beta2", 0)))

    def step(self, g, locked):
        o, free, x = self.options, ~locked, self.x
        rate = o["learningRate"]
        self.t += free
        t = np.maximum(self.t, 1)
        if self.rule == "sgd":
            m = o["momentum"] * self.m - rate * g
            moved = x + m
        else:
            beta2 = o["beta2"]
            m, self.v = 0.9 * self.m + 0.1 * g, np.where(free, beta2 * self.v + (1 - beta2) * g**2, self.v)
            decayed = x * (1 - rate * o.get("weightDecay", 0.0))
            alpha = rate * np.sqrt(1 - beta2**t) / (1 - 0.9**t)
            moved = decayed - alpha * m / (np.sqrt(self.v) + 1e-7)
        self.m = np.where(free, m, self.m)
        stepped = np.where(free, moved, x)
        self.x, *how = project(stepped, locked, self.constraint)
        self.bound_steps += bool(np.any(abs(self.x - stepped) > 1e-3 * abs(stepped)))
        self.bound.advance(x, stepped, self.x, locked, *how)


# ------------------------------------------------------------------------------------------------------------


def draw_locks(x, constraint, coins):
    """About a third, but none that leave the free elements of a group little room: there, errors
    grow without bound.
    """
    while True:
        locked = np.array([coins.value() < -0.1 for _ in range(x.size)]).reshape(x.shape)
        if "maxNorm" not in constraint and "unitNorm" not in constraint:
            return locked
        axes = axes_of(constraint, x.ndim)
        held = np.sqrt(np.sum((x * locked) ** 2, axes))
        if np.all((held < 0.8 * constraint.get("maxNorm", 1.0)) | np.all(locked, axes)):
            return locked


def run(rule, options, shape, constraint, locks):
    """locks: 'none', 'held' from the first step on, or 'toggled' before every 40th step."""
    draws, coins = Draws(SEED), Draws(COINS)
    start = draws.array(shape) / np.float32(4)
    locked, masks = np.zeros(shape, bool), []
    reference = Reference(rule, options, start, constraint)
    variable = keras.Variable(start)
    variable.constraint = keras_constraint(constraint, len(shape))
    names = {"learningRate": "learning_rate", "beta2": "beta_2", "weightDecay": "weight_decay"}
    maker = {"sgd": keras.optimizers.SGD, "adam": keras.optimizers.Adam, "adamW": keras.optimizers.AdamW}[rule]
    optimizer = maker(**{names.get(k, k): v for k, v in options.items()})
    snapshots, bounds = [], []
    for step in range(1, max(STEPS) + 1):
        if step == 1 if locks == "held" else locks == "toggled" and step % 40 == 0:
            locked = draw_locks(reference.x, constraint, coins)
            masks.append([step, "".join("01"[int(one)] for one in locked.reshape(-1))])
        g = draws.array(shape)
        reference.step(g.astype(np.float64), locked)
        if locks == "none":
            optimizer.apply([tf.constant(g)], [variable])
        if step not in STEPS:
            continue
        error = reference.bound.error
        if locks == "none":
            off = np.abs(variable.numpy() - reference.x)
            assert np.all(off <= error), f"{rule} {constraint}, step {step}: Keras is off by {(off / error).max()} bounds"
        assert error.max() < 0.01, f"{constraint}, locks {locks}: a bound of {error.max()} says nothing"
        snapshots.append(variable.numpy() if locks == "none" else reference.x.astype(np.float32))
        bounds.append(float(f"{error.max() * 1.05:.1e}"))
    assert reference.bound_steps >= 20, f"{rule} {constraint}: binds in {reference.bound_steps} steps only"
    row = {"rule": rule, "options": options, "shape": shape, "constraint": constraint, "locks": locks, "masks": masks}
    return {**row, "bounds": bounds, "snapshots": snapshots}


def write_constraints():
    rows = []
    for i, (shape, constraint) in enumerate(CASES):
        for k, locks in enumerate(("none", "held", "toggled")):
            # Where a group has little room left, errors grow: the rule whose own are smallest.
            is_narrow = locks == "toggled" and constraint.keys() & {"maxNorm", "unitNorm"}
            rows.append(run(*RULES[0 if is_narrow else (i + k) % 3], shape, constraint, locks))
    head = {
        "versions": VERSIONS,
        "seed": SEED,
        "steps": STEPS,
        "layout": "snapshots[step] = weights: Keras's where locks is 'none', else f64's; bounds[step]: how far one side in f32 "
        "may be off; the seed draws four times the weights, then the gradient of each step; masks: [step, 1 where locked], "
        "before that step",
    }
    write("constraints.json", head, "runs", rows)


if __name__ == "__main__":
    write_constraints()
