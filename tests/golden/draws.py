"""random.json: what tf.random.Generator draws first with a seed as its key, and what Keras makes of shapes in its initializers.

Draws: of a seed, a step and a run of a program. Uniform values are exact in f32; normal ones carry the rounding of TensorFlow's own log, sin and cos.
Initializers: the range or standard deviation that Keras 3 asks its backend for, by recording what it is asked, so
that no random number takes part; orthogonal ones by what Keras makes of a given matrix.
"""

import contextlib
from unittest import mock

from common import VERSIONS, keras, np, tf, write
from keras.src.backend import random as keras_random

SEEDS = [0, 1, 42, 2**32 + 5, 2**53 - 1]
COUNT = 23  # five whole blocks of Philox, and one that is used in part
LONG = 4096


def generator(seed, step=0, run=0):
    """The seed as the key. from_seed would make it the counter (TensorFlow 2.20): neighbouring seeds then share numbers.
    gradlock's step and run are words 1 and 2 of the counter."""
    return tf.random.Generator.from_key_counter(seed, [step << 32, run], alg="philox")


def draws():
    rows = []
    for seed in SEEDS:
        rows += [
            {"draw": "uniform", "seed": seed, "args": {}, "values": generator(seed).uniform([COUNT]).numpy()},
            {
                "draw": "uniform", "seed": seed, "args": {"minval": -2.5, "maxval": 0.75},
                "values": generator(seed).uniform([COUNT], -2.5, 0.75).numpy(),
            },
            {"draw": "normal", "seed": seed, "args": {}, "values": generator(seed).normal([COUNT]).numpy()},
            {
                "draw": "normal", "seed": seed, "args": {"mean": 3.0, "stddev": 0.5},
                "values": generator(seed).normal([COUNT], 3.0, 0.5).numpy(),
            },
            {
                "draw": "truncatedNormal", "seed": seed, "args": {},
                "values": generator(seed).truncated_normal([COUNT]).numpy(),
            },
        ]  # fmt: skip
    # Later draws, and runs of a program.
    for step, run in ((1, 0), (2**32 - 1, 0), (0, 1), (3, 2)):
        for draw, name in (("uniform", "uniform"), ("normal", "normal"), ("truncatedNormal", "truncated_normal")):
            values = getattr(generator(42, step, run), name)([COUNT]).numpy()
            rows.append({"draw": draw, "seed": 42, "step": step, "run": run, "args": {}, "values": values})
    # Some of a longer draw: many a group of truncated normals draws again there.
    for draw, name in (("uniform", "uniform"), ("normal", "normal"), ("truncatedNormal", "truncated_normal")):
        values = getattr(generator(7), name)([LONG]).numpy()
        rows.append({"draw": draw, "seed": 7, "args": {}, "count": LONG, "every": 61, "values": values[::61]})
    return rows


SHAPES = [[], [5], [3, 4], [3, 2, 4], [2, 3, 4, 5], [0, 3], [1, 1]]
KERAS_NAMES = {
    "glorotUniform": keras.initializers.GlorotUniform,
    "glorotNormal": keras.initializers.GlorotNormal,
    "heUniform": keras.initializers.HeUniform,
    "heNormal": keras.initializers.HeNormal,
    "lecunUniform": keras.initializers.LecunUniform,
    "lecunNormal": keras.initializers.LecunNormal,
    "randomUniform": keras.initializers.RandomUniform,
    "randomNormal": keras.initializers.RandomNormal,
    "truncatedNormal": keras.initializers.TruncatedNormal,
}

FANNED = [name for name in KERAS_NAMES if name.startswith(("glorot", "he", "lecun"))]


@contextlib.contextmanager
def recorded():
    """The draws that initializers make: ["uniform", low, high] or ["normal", mean, stddev] each; they get zeros."""
    calls = []

    def record(kind, first, second):
        def draw(shape, seed=None, dtype=None, **options):
            calls.append([kind, float(options.get(first, 0)), float(options.get(second, 1))])
            return np.zeros(shape, np.float32)

        return draw

    with (
        mock.patch.object(keras_random, "uniform", record("uniform", "minval", "maxval")),
        mock.patch.object(keras_random, "normal", record("normal", "mean", "stddev")),
        mock.patch.object(
            keras_random, "truncated_normal", record("truncatedNormal", "mean", "stddev")
        ),
    ):
        yield calls


def asked(make, shape):
    with recorded() as calls:
        make()(shape)
    (call,) = calls
    return call


def initializers():
    return [
        {"initializer": name, "shape": shape, "asked": asked(make, shape)}
        for name, make in KERAS_NAMES.items()
        for shape in (SHAPES if name in FANNED else SHAPES[2:3])
    ]


def orthogonals():
    rows = []
    for seed, shape, gain in [(3, [4, 3], 1.0), (4, [3, 5], 2.0), (5, [2, 3, 4], 1.0), (6, [3, 3], 0.5)]:
        # The first normal draw of a Philox generator, as gradlock takes it.
        drawn = []

        def normal(flat, seed=seed, dtype=None, drawn=drawn):
            drawn.append(generator(seed).normal(flat))
            return drawn[0]

        with mock.patch.object(keras_random, "normal", normal):
            values = keras.initializers.Orthogonal(gain=gain, seed=seed)(shape).numpy()
        condition = round(float(np.linalg.cond(drawn[0].numpy())), 1)
        rows.append({"seed": seed, "shape": shape, "gain": gain, "condition": condition, "values": values})
    return rows


def write_random():
    head = {
        "versions": VERSIONS,
        "layout": "draws: of a seed, the first one but for `step` and `run`, [count ?? values.length], of which every `every`th is kept",
        "draws": draws(),
        "orthogonal": orthogonals(),
    }
    write("random.json", head, "initializers", initializers())


if __name__ == "__main__":
    write_random()
