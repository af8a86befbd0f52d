"""driver.json: what Keras 3 does beside its update rules: averages, accumulation, decay that leaves a variable out.

Sources: keras/src/optimizers/base_optimizer.py of the pinned version."""

from common import VERSIONS, Draws, keras, np, tf, write

SHAPES = [[2, 3], [5]]
STEPS = [1, 2, 3, 6, 7, 12, 40]
SEED = 4711

RUNS = [
    ("SGD", {"learningRate": 0.1, "useEma": True}),
    ("SGD", {"learningRate": 0.1, "useEma": True, "emaMomentum": 0.8, "emaOverwriteFrequency": 3}),
    ("SGD", {"learningRate": 0.1, "momentum": 0.9, "useEma": True, "emaOverwriteFrequency": 1}),
    ("SGD", {"learningRate": 0.1, "gradientAccumulationSteps": 3}),
    ("SGD", {"learningRate": 0.1, "gradientAccumulationSteps": 2, "clipNorm": 0.5}),
    (
        "SGD",
        {
            "learningRate": 0.1,
            "weightDecay": 0.1,
            "gradientAccumulationSteps": 3,
            "useEma": True,
            "emaMomentum": 0.9,
            "emaOverwriteFrequency": 2,
        },
    ),
    ("SGD", {"learningRate": 0.1, "weightDecay": 0.3, "exclude": True}),
    ("Adam", {"learningRate": 0.01, "gradientAccumulationSteps": 4, "useEma": True}),
    ("SGD", {"learningRate": 0.1, "constraint": {"nonNegative": True}, "useEma": True}),
    ("SGD", {"learningRate": 0.1, "constraint": {"maxNorm": 1, "axis": 0}}),
    ("SGD", {"learningRate": 0.1, "constraint": {"unitNorm": True, "axis": 0}}),
]
NAMES = {
    "learningRate": "learning_rate",
    "momentum": "momentum",
    "weightDecay": "weight_decay",
    "clipNorm": "clipnorm",
    "useEma": "use_ema",
    "emaMomentum": "ema_momentum",
    "emaOverwriteFrequency": "ema_overwrite_frequency",
    "gradientAccumulationSteps": "gradient_accumulation_steps",
}


def constraint_of(options):
    given = options.get("constraint", {})
    if "nonNegative" in given:
        return keras.constraints.NonNeg()
    if "maxNorm" in given:
        return keras.constraints.MaxNorm(given["maxNorm"], given["axis"])
    return keras.constraints.UnitNorm(given["axis"]) if given else None


def run(rule, options):
    draws = Draws(SEED)
    names = ["kernel", "bias"]
    variables = [keras.Variable(draws.array(s), name=n) for s, n in zip(SHAPES, names)]
    for variable in variables:
        variable.constraint = constraint_of(options)
    given = {NAMES[k]: v for k, v in options.items() if k in NAMES}
    optimizer = getattr(keras.optimizers, rule)(**given)
    if "exclude" in options:
        optimizer.exclude_from_weight_decay(var_names=["bias"])
    snapshots = []
    for step in range(1, max(STEPS) + 1):
        optimizer.apply([tf.constant(draws.array(s)) for s in SHAPES], variables)
        if step not in STEPS:
            continue
        averages = getattr(optimizer, "_model_variables_moving_average", None) or variables
        snapshots.append([[v.numpy(), a.numpy()] for v, a in zip(variables, averages)])
    iterations = int(np.array(optimizer.iterations))
    row = {"rule": rule.lower(), "options": options}
    return {**row, "iterations": iterations, "snapshots": snapshots}


def write_driver():
    head = {
        "versions": VERSIONS,
        "seed": SEED,
        "shapes": SHAPES,
        "steps": STEPS,
        "layout": "snapshots[call][variable] = [weights, average or weights]; iterations after all calls",
    }
    write("driver.json", head, "runs", [run(*r) for r in RUNS])
