"""live.json: runs in Keras during which options change, or the learning rate follows a schedule,
with elements held.

Keras can hold no elements, but it can train the rest alone: a run with `held` has variables of the
elements that gradlock leaves free. Options are attributes in Keras too; slots it makes when it is
built only, so it is built with all that a run switches on on its way, and these are switched off
before the first step.

The schedules are Keras's own cosineDecayRestarts; PyTorch's OneCycleLR, which Keras has not,
written down once more from its documentation (torch.optim.lr_scheduler.OneCycleLR, anneal_strategy
and three_phase) as a LearningRateSchedule; and functions of one's own. What Keras means something
else by, or ends in an error or NaN with, is in `surprises` (docs/differences.md).
"""

import math
import re

from common import VERSIONS, Draws, keras, np, tf, write

SHAPES = [[2, 2], [7], [3, 5]]
STEPS = [1, 41, 100, 170, 240]
SEED = 20261123
COINS = 7

CLASSES = {"sgd": "SGD", "adamW": "AdamW", "rmsprop": "RMSprop"}
SWITCHES = ("momentum", "amsgrad", "centered", "useEma")
# What Keras says None to, where gradlock says 0.
OFF = ("clipNorm", "globalClipNorm", "clipValue", "emaOverwriteFrequency", "weightDecay")


def snake(name):
    known = {"clipNorm": "clipnorm", "clipValue": "clipvalue", "globalClipNorm": "global_clipnorm"}
    return known.get(name) or re.sub(r"([A-Z]|(?<=beta)\d)", r"_\1", name).lower()


# ------------------------------------------------------------------------------------------------ schedules


class Own(keras.optimizers.schedules.LearningRateSchedule):
    """A function of the step, from 0, computed in f64."""

    def __init__(self, function):
        self.function = function

    def __call__(self, step):
        return tf.constant(self.function(int(step)), tf.float32)


def one_cycle(
    maxLearningRate, totalSteps, pctStart=0.3, linear=False, divFactor=25.0, finalDivFactor=1e4, threePhase=False
):
    first = maxLearningRate / divFactor
    last = first / finalDivFactor
    up = pctStart * totalSteps - 1
    if threePhase:
        phases = [(up, first, maxLearningRate), (2 * up, maxLearningRate, first), (totalSteps - 1, first, last)]
    else:
        phases = [(up, first, maxLearningRate), (totalSteps - 1, maxLearningRate, last)]

    def rate(step):
        begin = 0.0
        for end, start, goal in phases:
            if step <= end:
                part = (step - begin) / (end - begin)
                if linear:
                    return (goal - start) * part + start
                return goal + (start - goal) / 2.0 * (math.cos(math.pi * part) + 1)
            begin = end
        return last  # gradlock's, where PyTorch raises

    return rate


# The same in tests/js/golden-live.test.js.
OWN = {
    "sawtooth": lambda step: 0.02 / (1 + step / 50) * (1 if step % 20 < 10 else 0.5),
    "pauses": lambda step: 0.0 if step % 16 >= 12 else 0.01,
}


def schedule_of(kind, options):
    if kind == "own":
        return Own(OWN[options])
    if kind == "oneCycle":
        return Own(one_cycle(**options))
    return keras.optimizers.schedules.CosineDecayRestarts(**{snake(k): v for k, v in options.items()})


RESTARTS = ("cosineDecayRestarts", {"initialLearningRate": 0.02, "firstDecaySteps": 20, "alpha": 0.1})
FADING = (
    "cosineDecayRestarts",
    {"initialLearningRate": 0.02, "firstDecaySteps": 30, "tMul": 1.0, "mMul": 0.75, "alpha": 0.05},
)
GROWING = (
    "cosineDecayRestarts",
    {"initialLearningRate": 0.02, "firstDecaySteps": 24, "tMul": 1.5, "mMul": 0.9, "alpha": 0.25},
)
CYCLE = ("oneCycle", {"maxLearningRate": 0.02, "totalSteps": 200})
LINEAR = ("oneCycle", {"maxLearningRate": 0.02, "totalSteps": 240, "linear": True, "pctStart": 0.25, "finalDivFactor": 10.0})
THREE = ("oneCycle", {"maxLearningRate": 0.01, "totalSteps": 240, "threePhase": True, "divFactor": 10.0})
SAWTOOTH, PAUSES = ("own", "sawtooth"), ("own", "pauses")

# (rule, options, {step: what changes before it, from 1}, schedule)
SCHEDULED = [
    (rule, options, {}, schedule)
    for rule, options, schedules in [
        ("sgd", {}, [RESTARTS, CYCLE, SAWTOOTH]),
        ("sgd", {"momentum": 0.9, "nesterov": True, "clipNorm": 1.0}, [GROWING, THREE, PAUSES]),
        ("adam", {"amsgrad": True}, [FADING, LINEAR, SAWTOOTH]),
        ("adamW", {"weightDecay": 0.1}, [RESTARTS, CYCLE, PAUSES]),
        ("adagrad", {}, [GROWING, SAWTOOTH]),
        ("adadelta", {}, [FADING, THREE]),
        ("rmsprop", {"momentum": 0.8}, [RESTARTS, LINEAR, PAUSES]),
        ("adamax", {}, [CYCLE, SAWTOOTH]),
        ("nadam", {}, [GROWING, THREE]),
        ("lion", {}, [FADING, PAUSES]),
        ("ftrl", {}, [RESTARTS, SAWTOOTH]),
    ]
    for schedule in schedules
]
ADAM = {41: {"beta1": 0.5}, 81: {"beta2": 0.9}, 121: {"epsilon": 0.01}, 161: {"beta1": 0.95, "beta2": 0.99}}
SHARED = {
    31: {"learningRate": 0.05}, 61: {"weightDecay": 0.2}, 91: {"clipNorm": 0.5}, 121: {"clipNorm": 0.0, "clipValue": 0.25},
    151: {"clipValue": 0.0, "globalClipNorm": 1.5}, 181: {"weightDecay": 0.0, "globalClipNorm": 0.0},
}  # fmt: skip
CHANGING = [
    ("sgd", {}, {41: {"momentum": 0.9}, 101: {"momentum": 0.0}, 141: {"momentum": 0.5}, 171: {"learningRate": 0.1}}),
    ("sgd", {"momentum": 0.9}, {41: {"nesterov": True}, 101: {"nesterov": False}, 141: {"nesterov": True, "momentum": 0.5}}),
    ("sgd", {}, SHARED),
    ("adam", {}, {41: {"amsgrad": True}, 101: {"amsgrad": False}, 161: {"amsgrad": True}}),
    ("adam", {"amsgrad": True, "beta2": 0.9}, {41: {"amsgrad": False}, 101: {"amsgrad": True}}),
    ("adam", {}, ADAM),
    ("adam", {}, SHARED),
    ("adamW", {}, {41: {"amsgrad": True}, 81: {"weightDecay": 0.2}, 141: {"amsgrad": False, "weightDecay": 0.0}}),
    ("adagrad", {}, {41: {"epsilon": 0.01}, 101: {"learningRate": 0.1}}),
    ("adagrad", {}, SHARED),
    ("adadelta", {}, {41: {"rho": 0.5}, 101: {"epsilon": 0.001}, 161: {"rho": 0.99}}),
    ("rmsprop", {}, {41: {"momentum": 0.9}, 101: {"momentum": 0.0}, 141: {"momentum": 0.5}}),
    ("rmsprop", {"rho": 0.8}, {41: {"centered": True}, 101: {"centered": False}}),
    ("rmsprop", {"centered": True, "momentum": 0.5}, {41: {"rho": 0.95}, 101: {"momentum": 0.0}, 161: {"epsilon": 0.01}}),
    ("rmsprop", {}, SHARED),
    ("adamax", {}, ADAM),
    ("nadam", {}, {81: {"beta2": 0.9}, 121: {"epsilon": 0.01}, 161: {"learningRate": 0.01}}),
    ("lion", {}, {41: {"beta1": 0.5}, 81: {"beta2": 0.9}, 121: {"learningRate": 0.01}, 161: {"weightDecay": 0.1}}),
    (
        "ftrl", {"learningRate": 0.1},
        {41: {"l1RegularizationStrength": 0.1}, 81: {"l2RegularizationStrength": 0.1}, 121: {"beta": 1.0},
         161: {"l2ShrinkageRegularizationStrength": 0.01}, 201: {"l1RegularizationStrength": 0.0}},
    ),
    ("ftrl", {"learningRate": 0.1}, {41: {"learningRate": 0.2}, 101: {"learningRatePower": -0.75}}),
    ("sgd", {"useEma": True}, {41: {"emaMomentum": 0.5}, 81: {"useEma": False}, 141: {"useEma": True}, 201: {"emaOverwriteFrequency": 7}}),
    ("adam", {"useEma": True, "emaMomentum": 0.9}, {41: {"useEma": False}, 81: {"useEma": True, "emaOverwriteFrequency": 3}}),
]  # fmt: skip
RUNS = SCHEDULED + [(rule, {"learningRate": 0.01, **options}, changes, None) for rule, options, changes in CHANGING]


def set_options(optimizer, options):
    for key, value in options.items():
        if not hasattr(optimizer, snake(key)):
            raise AttributeError(f"Keras has no {snake(key)}")
        setattr(optimizer, snake(key), None if key in OFF and value == 0 else value)


def run(rule, options, changes, schedule, held):
    draws, coins = Draws(SEED), Draws(COINS)
    starts = [draws.array(shape) for shape in SHAPES]
    locked = [np.array([coins.value() < -0.1 for _ in range(x.size)]).reshape(x.shape) for x in starts]
    free = [~mask if held else np.ones_like(mask) for mask in locked]
    variables = [keras.Variable(x[mask]) for x, mask in zip(starts, free)]
    on = {k: v for change in changes.values() for k, v in change.items() if k in SWITCHES and v}
    built = {snake(k): v for k, v in {**options, **on}.items()}
    rate = {"learning_rate": schedule_of(*schedule)} if schedule else {}
    optimizer = getattr(keras.optimizers, CLASSES.get(rule, rule.capitalize()))(**built, **rate)
    optimizer.build(variables)
    set_options(optimizer, {**{k: type(v)(0) for k, v in on.items()}, **{k: options[k] for k in on if k in options}})
    snapshots = []
    for step in range(1, max(STEPS) + 1):
        set_options(optimizer, changes.get(step, {}))
        gradients = [draws.array(shape)[mask] for shape, mask in zip(SHAPES, free)]
        optimizer.apply([tf.constant(g) for g in gradients], variables)
        if step in STEPS:
            seen = optimizer._model_variables_moving_average if optimizer.use_ema else variables
            snapshots.append([v.numpy() for v in seen])
    how = {"held": held, "changes": [[step, change] for step, change in changes.items()]}
    if schedule:
        how["schedule"] = schedule
    return {"rule": rule, "options": options, "how": how, "snapshots": snapshots}


def steps_of(optimizer, steps):
    """Of one element from 1 on: its way, or what stops it. steps: gradients, each with the options
    set before it.
    """
    x = keras.Variable(np.ones(1, np.float32))
    way = []
    try:
        for gradient, options in steps:
            set_options(optimizer, options)
            optimizer.apply([tf.constant([gradient], tf.float32)], [x])
            way.append(x.numpy()[0])
    except (IndexError, AttributeError) as error:
        return type(error).__name__
    return np.array(way, np.float32)


# Each is a rule, its options, and steps: a gradient, and options that change before it.
SURPRISES = {
    "rmsprop centered, off for a while": (
        "rmsprop", {"learningRate": 0.01, "rho": 0.5, "centered": True},
        [*[(1 + t / 10, {}) for t in range(4)], *[(0.1, {"centered": False})] * 4, *[(0.1, {"centered": True})] * 4],
    ),
    "sgd with momentum from step 2 on": ("sgd", {"learningRate": 0.1}, [(1, {}), (1, {"momentum": 0.9})]),
    "rmsprop centered from step 2 on": ("rmsprop", {}, [(1, {}), (1, {"centered": True})]),
    "adam with amsgrad from step 2 on": ("adam", {}, [(1, {}), (1, {"amsgrad": True})]),
    "nadam with another beta1": ("nadam", {"learningRate": 0.01}, [(1, {}), (2, {}), (3, {}), (4, {"beta1": 0.5})]),
    "two gradients a step, from the fourth on three": (
        "sgd", {"learningRate": 0.5, "gradientAccumulationSteps": 2},
        [(1, {}), (2, {}), (4, {}), (8, {"gradientAccumulationSteps": 3}), (16, {}), (32, {}), (64, {})],
    ),
}  # fmt: skip


def surprise(rule, options, steps):
    optimizer = getattr(keras.optimizers, CLASSES.get(rule, rule.capitalize()))(**{snake(k): v for k, v in options.items()})
    return {"rule": rule, "options": options, "steps": steps, "keras": steps_of(optimizer, steps)}


def write_live():
    head = {
        "versions": VERSIONS,
        "seed": SEED,
        "shapes": SHAPES,
        "steps": STEPS,
        "layout": "snapshots[step][variable] = the free elements, or with useEma their averages; the seed draws the weights, "
        "then the gradients of each step; with `held`, elements are locked where seed 7 draws below -0.1; `changes` come "
        "before their step, counted from 1",
        "surprises": {about: surprise(*s) for about, s in SURPRISES.items()},
    }
    write("live.json", head, "runs", [run(*r, held=i % 4 != 3) for i, r in enumerate(RUNS)])


if __name__ == "__main__":
    write_live()
