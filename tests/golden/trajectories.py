"""1,000 steps of every rule on given gradients, in Keras 3: weights on the way (trajectories.json).

Gradients do not depend on the weights, so errors of rounding add up and are never amplified.
"""

from common import VERSIONS, Draws, keras, np, tf, write

SHAPES = [[2, 2], [7], [3, 5], [1]]
STEPS = [1, 10, 100, 300, 600, 1000]
SEED = 20261122

KERAS_NAMES = {
    "learningRate": "learning_rate",
    "beta1": "beta_1",
    "beta2": "beta_2",
    "weightDecay": "weight_decay",
    "clipNorm": "clipnorm",
    "clipValue": "clipvalue",
    "globalClipNorm": "global_clipnorm",
    "initialAccumulatorValue": "initial_accumulator_value",
    "learningRatePower": "learning_rate_power",
    "l1RegularizationStrength": "l1_regularization_strength",
    "l2RegularizationStrength": "l2_regularization_strength",
    "l2ShrinkageRegularizationStrength": "l2_shrinkage_regularization_strength",
}
KERAS_RULES = {
    "sgd": keras.optimizers.SGD,
    "adam": keras.optimizers.Adam,
    "adamW": keras.optimizers.AdamW,
    "adagrad": keras.optimizers.Adagrad,
    "adadelta": keras.optimizers.Adadelta,
    "rmsprop": keras.optimizers.RMSprop,
    "adamax": keras.optimizers.Adamax,
    "nadam": keras.optimizers.Nadam,
    "lion": keras.optimizers.Lion,
    "ftrl": keras.optimizers.Ftrl,
}
KERAS_RUNS = [
    ("sgd", {}),
    ("sgd", {"learningRate": 0.01, "momentum": 0.9, "nesterov": True}),
    ("adam", {}),
    ("adam", {"amsgrad": True, "beta2": 0.9, "learningRate": 0.01}),
    ("adamW", {"weightDecay": 0.1}),
    ("adamW", {"amsgrad": True, "clipNorm": 1.0}),
    ("adagrad", {}),
    ("adagrad", {"learningRate": 0.1, "initialAccumulatorValue": 0.0, "epsilon": 0.001}),
    ("adadelta", {}),
    ("adadelta", {"learningRate": 1.0, "rho": 0.9, "epsilon": 0.0001}),
    ("rmsprop", {}),
    ("rmsprop", {"momentum": 0.9, "rho": 0.95}),
    ("rmsprop", {"centered": True}),
    ("rmsprop", {"centered": True, "momentum": 0.5, "weightDecay": 0.1, "epsilon": 0.01}),
    ("adamax", {}),
    ("adamax", {"beta1": 0.8, "beta2": 0.95, "learningRate": 0.01, "clipValue": 0.5}),
    ("nadam", {}),
    ("nadam", {"beta1": 0.8, "beta2": 0.95, "learningRate": 0.01, "weightDecay": 0.1}),
    ("lion", {}),
    ("lion", {"beta1": 0.95, "beta2": 0.98, "weightDecay": 0.1, "globalClipNorm": 1.0}),
    ("ftrl", {"learningRate": 0.1}),
    (
        "ftrl",
        {
            "learningRate": 0.1,
            "l1RegularizationStrength": 0.5,
            "l2RegularizationStrength": 0.1,
            "l2ShrinkageRegularizationStrength": 0.01,
            "beta": 1.0,
        },
    ),
    ("ftrl", {"learningRate": 0.1, "learningRatePower": -0.75, "initialAccumulatorValue": 1.0}),
]

def run(draws, step):
    """Snapshots of the weights; `step` advances them by gradients and returns them."""
    snapshots = []
    for t in range(1, max(STEPS) + 1):
        weights = step([draws.array(shape) for shape in SHAPES])
        if t in STEPS:
            snapshots.append(weights)
    return snapshots


def run_keras(rule, options):
    draws = Draws(SEED)
    variables = [keras.Variable(draws.array(shape)) for shape in SHAPES]
    optimizer = KERAS_RULES[rule](**{KERAS_NAMES.get(k, k): v for k, v in options.items()})
    optimizer.build(variables)

    @tf.function
    def apply(gradients):
        optimizer.apply(gradients, variables)

    def step(gradients):
        apply([tf.constant(g) for g in gradients])
        return [v.numpy() for v in variables]

    return {"rule": rule, "options": options, "snapshots": run(draws, step)}


def steps_of(optimizer, start, gradient, steps):
    x = keras.Variable(np.array(start, np.float32))
    for _ in range(steps):
        optimizer.apply([tf.constant(np.array(gradient, np.float32))], [x])
    return x.numpy()


def refused(make):
    try:
        make()
    except ValueError as error:
        return str(error)
    return ""


def surprises():
    """Where Keras ends in NaN or refuses, and gradlock does not: docs/differences.md."""
    centered = keras.optimizers.RMSprop(rho=0.8, centered=True)
    return {
        "ftrl with rate 0": steps_of(keras.optimizers.Ftrl(learning_rate=0.0), [1, 2], [1, 0.5], 1),
        "rmsprop centered on constant gradients": steps_of(centered, [1, 2], [1e4 / 3, 7.7], 200),
        "lion with beta1 0": refused(lambda: keras.optimizers.Lion(beta_1=0.0)),
    }


def write_trajectories():
    head = {
        "versions": VERSIONS,
        "seed": SEED,
        "shapes": SHAPES,
        "steps": STEPS,
        "layout": "snapshots[step][variable], flat; the seed draws the weights, then the gradients of each step",
        "surprises": surprises(),
    }
    write("trajectories.json", head, "runs", [run_keras(*r) for r in KERAS_RUNS])


if __name__ == "__main__":
    write_trajectories()
