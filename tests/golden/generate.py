"""Write the golden files: what Keras 3 and TensorFlow compute, for gradlock to be compared with.

Run by `make golden`, in a virtual environment with requirements.txt. The tests read the JSON files that are
committed beside this one and need no Python. Refuses to write a number that would not read back as the same f32.

optimizers.json  100 steps of each rule and option set in Keras, on given gradients: weights and slots on the way
driver.json      averages, accumulated gradients and weight decay that leaves a variable out, in Keras
two-by-two.json  a 2x2 variable of which only the diagonal trains, solved as the reduced problem that has only the
                 diagonal as its variable, since Keras itself cannot hold single elements
ops.json         value and gradients of each op, computed by TensorFlow in f64 and rounded to f32 once, so that the
                 reference has no approximation of its own; TensorFlow's own f32 errors are noted for comparison
leaks.json       what each trick for holding elements moves, under every rule
linear.json      value and gradients of batched products, einsum, normalization and Keras's losses
losses.json      value and gradients of Keras's losses over all of their options
live.json        runs in Keras in which options change or the rate follows a schedule, with elements held
constraints.json  runs under constraints in Keras, and in f64 where elements are locked
initializers.json  what Keras's layers ask initializers for, and how Keras's own draws are distributed
derivatives.json  training through custom gradients, jacobians, Hessian products and random draws, in TensorFlow
networks.json    300 models of layers and options drawn at random: predictions, gradients, an epoch of fit
operations.json  models with Keras's ops between their layers: JSON, values and gradients
fit.json         whole runs of Keras's fit, with layers frozen and freed and elements held
formats.json     small models in files of Keras and of safetensors, in formats/, and what they compute
formats/foreign/* files of HDF5 that a stranger could send
image.json       value and gradients of convolutions and pools, with padding that is uneven, and dilations
layers-*.json    layers: configuration, weights, shapes, values and gradients
indexing.json    value and gradients of gather, scatter, sort, masks and their like, and what TensorFlow refuses
web/scenes/digits.txt  handwritten digits, for the demo
web/scenes/base.txt    a small network that knows the digits 0 to 4, and what it says of some, base.json
schedules.json   learning rates of Keras's schedules at some steps
trajectories.json  1,000 steps of each rule in Keras and in Optax
pytorch.json     the same in PyTorch, rates of its schedules, and where its L-BFGS goes
functions64.json  functions at places of all kinds, correctly rounded to f64
nist.json        NIST's nonlinear regression sets, and what MINPACK finds on them
random.json      what tf.random.Generator draws, and the ranges that Keras's initializers ask for

Sources of the update rules: keras/src/optimizers/{sgd,adam,adamw,base_optimizer}.py of the pinned version.
"""

import pathlib
import platform
import subprocess
import sys

# Nothing is generated outside of build/ but the files meant to be.
sys.dont_write_bytecode = True

from base import write_base  # noqa: E402
from common import VERSIONS, Draws, keras, np, tf, write  # noqa: E402
from constraints import write_constraints  # noqa: E402
from derivatives import write_derivatives  # noqa: E402
from differing import write_differing  # noqa: E402
from digits import write_digits  # noqa: E402
from draws import write_random  # noqa: E402
from driver import write_driver  # noqa: E402
from fit import write_fit  # noqa: E402
from foreign import write_foreign  # noqa: E402
from formats import write_formats  # noqa: E402
from image import write_image  # noqa: E402
from indexing import write_indexing  # noqa: E402
from initializers import write_initializers  # noqa: E402
from layers_attention import write_attention  # noqa: E402
from layers_conv import write_conv  # noqa: E402
from layers_merge import write_merge  # noqa: E402
from layers_norm import write_norm  # noqa: E402
from layers_recurrent import write_recurrent  # noqa: E402
from layers_shapes import write_shapes  # noqa: E402
from leaks import write_leaks  # noqa: E402
from linear import write_linear  # noqa: E402
from live import write_live  # noqa: E402
from losses import write_losses  # noqa: E402
from networks import write_networks  # noqa: E402
from operations import write_operations  # noqa: E402
from ops import write_ops  # noqa: E402
from schedules import write_schedules  # noqa: E402
from trajectories import write_trajectories  # noqa: E402

SHAPES = [[2, 2], [7], [3, 5]]
STEPS = [1, 2, 10, 100]
SEED = 20261121

# gradlock's option names, beside Keras's.
KERAS_NAMES = {
    "learningRate": "learning_rate",
    "momentum": "momentum",
    "nesterov": "nesterov",
    "beta1": "beta_1",
    "beta2": "beta_2",
    "epsilon": "epsilon",
    "weightDecay": "weight_decay",
    "clipNorm": "clipnorm",
    "clipValue": "clipvalue",
    "globalClipNorm": "global_clipnorm",
}
KERAS_RULES = {
    "sgd": keras.optimizers.SGD,
    "adam": keras.optimizers.Adam,
    "adamW": keras.optimizers.AdamW,
}

RUNS = [
    ("sgd", {}),
    ("sgd", {"learningRate": 0.1, "momentum": 0.9}),
    ("sgd", {"learningRate": 0.1, "momentum": 0.9, "nesterov": True}),
    ("sgd", {"learningRate": 0.1, "weightDecay": 0.05}),
    ("sgd", {"learningRate": 0.1, "momentum": 0.5, "nesterov": True, "weightDecay": 0.05}),
    ("sgd", {"learningRate": 0.1, "clipNorm": 1.0}),
    ("sgd", {"learningRate": 0.1, "clipValue": 0.5}),
    ("sgd", {"learningRate": 0.1, "momentum": 0.9, "globalClipNorm": 2.0}),
    ("adam", {}),
    ("adam", {"learningRate": 0.1, "beta1": 0.8, "beta2": 0.95, "epsilon": 0.001}),
    ("adam", {"learningRate": 0.01, "weightDecay": 0.1}),
    ("adam", {"learningRate": 0.01, "clipNorm": 1.0}),
    ("adam", {"learningRate": 0.01, "globalClipNorm": 2.0}),
    ("adam", {"learningRate": 0.01, "clipValue": 0.5}),
    ("adamW", {}),
    ("adamW", {"learningRate": 0.1, "weightDecay": 0.2}),
]


def make_optimizer(rule, options):
    return KERAS_RULES[rule](**{KERAS_NAMES[k]: v for k, v in options.items()})


def slots_of(optimizer, rule, index):
    """The slots of a variable, in gradlock's order."""
    if rule == "sgd":
        return [m[index].numpy() for m in [optimizer.momentums] if m]
    return [optimizer._momentums[index].numpy(), optimizer._velocities[index].numpy()]


def run_optimizer(rule, options):
    draws = Draws(SEED)
    variables = [keras.Variable(draws.array(shape)) for shape in SHAPES]
    optimizer = make_optimizer(rule, options)
    snapshots = []
    for step in range(1, max(STEPS) + 1):
        gradients = [tf.constant(draws.array(shape)) for shape in SHAPES]
        optimizer.apply(gradients, variables)
        if step in STEPS:
            snapshots.append(
                [[v.numpy(), *slots_of(optimizer, rule, i)] for i, v in enumerate(variables)]
            )
    # The defaults are written out, so that the test can check gradlock's against them.
    config = optimizer.get_config()
    defaults = {
        ours: config[theirs]
        for ours, theirs in KERAS_NAMES.items()
        if theirs in config and config[theirs] is not None
    }
    for key, value in defaults.items():
        # Keras reports a rate that has been through f32; the option itself is the decimal it came from.
        defaults[key] = value if isinstance(value, bool) else float(str(np.float32(value)))
    return {"rule": rule, "options": options, "effective": defaults, "snapshots": snapshots}


def write_optimizers():
    draws = Draws(SEED)
    head = {
        "versions": VERSIONS,
        "seed": SEED,
        "draws": np.array([draws.value() for _ in range(4)], np.float32),
        "shapes": SHAPES,
        "steps": STEPS,
        "layout": "snapshots[step][variable] = [weights, ...slots], flat; draws are the first four of the seed",
    }
    write("optimizers.json", head, "runs", [run_optimizer(*run) for run in RUNS])


TARGET = [[1.0, -2.0], [3.0, 0.5]]
TWO_STEPS = [1, 2, 10, 100, 200]
TWO_RUNS = [
    ("sgd", {"learningRate": 0.1, "momentum": 0.9}),
    ("adam", {"learningRate": 0.1}),
    ("adamW", {"learningRate": 0.1}),
]


def run_two_by_two(rule, options):
    target = tf.constant(TARGET)
    free = tf.constant([[0, 0], [1, 1]])
    diagonal = keras.Variable(np.zeros(2, np.float32))
    optimizer = make_optimizer(rule, options)
    diagonals, losses = [], []
    for step in range(1, max(TWO_STEPS) + 1):
        with tf.GradientTape() as tape:
            x = tf.scatter_nd(free, diagonal.value, [2, 2])
            loss = tf.reduce_mean(tf.square(x - target))
        gradient = tape.gradient(loss, diagonal.value)
        optimizer.apply([gradient], [diagonal])
        if step in TWO_STEPS:
            diagonals.append(diagonal.numpy())
            losses.append(loss.numpy())
    return {"rule": rule, "options": options, "diagonals": diagonals, "losses": np.array(losses)}


def write_two_by_two():
    head = {
        "versions": VERSIONS,
        "target": TARGET,
        "steps": TWO_STEPS,
        "layout": "diagonals[step] after that step, losses[step] before it",
    }
    write("two-by-two.json", head, "runs", [run_two_by_two(*run) for run in TWO_RUNS])


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {VERSIONS}")
    write_optimizers()
    write_two_by_two()
    write_driver()
    write_ops()
    write_differing()
    write_digits()
    write_base()
    write_leaks()
    write_schedules()
    write_indexing()
    write_random()
    write_linear()
    write_losses()
    write_live()
    write_constraints()
    write_derivatives()
    write_initializers()
    write_image()
    write_fit()
    write_formats()
    write_foreign()
    write_networks()
    write_operations()
    write_conv()
    write_norm()
    write_merge()
    write_recurrent()
    write_attention()
    write_shapes()
    write_trajectories()
    # Apart from TensorFlow: PyTorch does not load with it, and NIST's sets need none of it.
    for name in ("pytorch.py", "nist.py", "functions64.py"):
        beside = pathlib.Path(__file__).parent / name
        subprocess.run([sys.executable, "-B", str(beside)], check=True)
