"""Write the golden files: what Keras 3 and TensorFlow compute, for gradlock to be compared with.

Run by `make golden`, in a virtual environment with requirements.txt. The tests read the JSON files that are
committed beside this one and need no Python. Refuses to write a number that would not read back as the same f32.

driver.json      averages, accumulated gradients and weight decay that leaves a variable out, in Keras
ops.json         value and gradients of each op, computed by TensorFlow in f64 and rounded to f32 once, so that the
                 reference has no approximation of its own; TensorFlow's own f32 errors are noted for comparison
leaks.json       what each trick for holding elements moves, under every rule
losses.json      value and gradients of Keras's losses over all of their options
constraints.json  runs under constraints in Keras, and in f64 where elements are locked
initializers.json  what Keras's layers ask initializers for, and constants
derivatives.json  training through custom gradients, jacobians, Hessian products and random draws, in TensorFlow
networks.json    300 models of layers and options drawn at random: predictions, gradients, an epoch of fit
operations.json  models with Keras's ops between their layers: JSON, values and gradients
fit.json         whole runs of Keras's fit, with layers frozen and freed and elements held
formats.json     small models in files of Keras and of safetensors, in formats/, and what they compute
formats/foreign/* files of HDF5 that a stranger could send
layers-*.json    layers: configuration, weights, shapes, values and gradients
indexing.json    value and gradients of gather, scatter, sort, masks and their like, and what TensorFlow refuses
web/scenes/shared/digits.txt  handwritten digits, for the demo
web/scenes/freeze/base.txt    a small network that knows the digits 0 to 4, and what it says of some, base.json
schedules.json   learning rates of Keras's schedules at some steps
trajectories.json  1,000 steps of each rule in Keras
functions64.json  functions at points of all kinds, correctly rounded to f64
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
from common import VERSIONS  # noqa: E402
from constraints import write_constraints  # noqa: E402
from derivatives import write_derivatives  # noqa: E402
from differing import write_differing  # noqa: E402
from digits import write_digits  # noqa: E402
from draws import write_random  # noqa: E402
from driver import write_driver  # noqa: E402
from fit import write_fit  # noqa: E402
from foreign import write_foreign  # noqa: E402
from formats import write_formats  # noqa: E402
from indexing import write_indexing  # noqa: E402
from initializers import write_initializers  # noqa: E402
from layers_attention import write_attention  # noqa: E402
from layers_conv import write_conv  # noqa: E402
from layers_merge import write_merge  # noqa: E402
from layers_norm import write_norm  # noqa: E402
from layers_recurrent import write_recurrent  # noqa: E402
from layers_shapes import write_shapes  # noqa: E402
from leaks import write_leaks  # noqa: E402
from losses import write_losses  # noqa: E402
from networks import write_networks  # noqa: E402
from operations import write_operations  # noqa: E402
from ops import write_ops  # noqa: E402
from schedules import write_schedules  # noqa: E402
from trajectories import write_trajectories  # noqa: E402


if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {VERSIONS}")
    write_driver()
    write_ops()
    write_differing()
    write_digits()
    write_base()
    write_leaks()
    write_schedules()
    write_indexing()
    write_random()
    write_losses()
    write_constraints()
    write_derivatives()
    write_initializers()
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
    # NIST's sets and exact functions need no TensorFlow.
    for name in ("nist.py", "functions64.py"):
        beside = pathlib.Path(__file__).parent / name
        subprocess.run([sys.executable, "-B", str(beside)], check=True)
