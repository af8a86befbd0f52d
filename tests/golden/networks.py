"""Models of layers and options drawn at random: every layer, nested and shared models, fitted in Keras.

The first 300 mix all layers. Each layer of LATER has three more of its own, so that a new layer changes no other network:

    build/golden/bin/python tests/golden/networks.py later     # draws these alone; without a word, all

networks.json. Each row has a model (Keras's own JSON), the call of compile and of fit. Weights, inputs, labels and weights of
samples are drawn by both sides from the row's seed. Recorded, as Keras computes them in f64: predictions, the gradients and the
moved statistics of one step of SGD, the history of an epoch, and the weights after.

Beside each result is its scale: the largest result, and how much it changes, when each given number moves by 2^-16 of itself, over 2^-16.
Models whose scale is above LARGEST (kinks and ties nearby) are drawn anew. Objects of models that occur more than once are kept
once, in `parts`; "@3" stands for the fourth.

Left out: penalties on layers that are frozen, which Keras drops (law 8); momentum and clipping on embeddings, whose gradients
Keras on TensorFlow takes row by row; heads of one number, which Keras's attention mixes up; several layers in TimeDistributed
with penalties on activities, which Keras does not ask there.
"""

import collections
import json
import multiprocessing
import random
import sys

from common import VERSIONS, Draws, keras, np, tf, write
from files import HERE, compact
from layers_common import many, precision

L = keras.layers
SAMPLES, BATCH, COUNT, LARGEST, WORDS = 8, 3, 300, 2**9, 6
EACH = 3  # networks of a layer of LATER
NUDGE = 2.0**-16
# In units of f32, and of a result's scale: half of what layers-networks.test.js allows. Where Keras's own f32 is further
# off, as behind a normalization of numbers that are nearly equal, the network is left out.
UNIT, MOST, LEAST = 2.0**-24, 8, 1 / 8
ACTIVATIONS = ["relu", "tanh", "sigmoid", "elu", "selu", "softplus", "softsign", "gelu", "silu", "mish", "leaky_relu",
               "hard_sigmoid", "relu6", "linear", "softmax", "hard_silu", "log_softmax", "celu", "exponential", "squareplus",
               "soft_shrink", "hard_tanh", "tanh_shrink", "log_sigmoid", "hard_shrink", "sparse_sigmoid", "sparse_plus"]
MERGES = [L.Add, L.Multiply, L.Average, L.Maximum, L.Minimum, L.Subtract]
OPTIMIZERS = [
    {"class_name": "SGD", "config": {"learning_rate": 0.0625, "momentum": 0.5}},
    {"class_name": "SGD", "config": {"learning_rate": 0.0625, "momentum": 0.875, "nesterov": True}},
    {"class_name": "SGD", "config": {"learning_rate": 0.125, "clipnorm": 0.5}},
]
PLAIN = {"class_name": "SGD", "config": {"learning_rate": 0.125}}


def act(r):
    return r.choice(ACTIVATIONS)


def flag(r, chance=0.5):
    return r.random() < chance


def affine(r):
    return {"activation": act(r), "use_bias": flag(r, 0.75), "kernel_regularizer": r.choice([None, None, "l2", "l1", "l1_l2"]),
            "kernel_constraint": r.choice([None, None, None, "non_neg", "max_norm"])}


def scaling(r):
    return {"center": flag(r, 0.75), "scale": flag(r, 0.75)}


def over_time(r, **more):
    return {"return_sequences": flag(r), "go_backwards": flag(r, 0.25), "use_bias": flag(r, 0.75), **more}


def cell(r, **more):
    return r.choice([
        lambda: L.LSTM(r.randint(1, 3), unit_forget_bias=flag(r), **more),
        lambda: L.GRU(r.randint(1, 3), reset_after=flag(r), **more),
        lambda: L.SimpleRNN(r.randint(1, 3), activation=r.choice(["tanh", "relu"]), **more),
    ])()


def sizes(r, s, most=3):
    return tuple(r.randint(1, min(most, size)) for size in s[1:-1])


def window(r, s, **more):
    """Strides or dilations, as Keras allows."""
    rank = len(s) - 2
    way = r.choice([{"strides": r.randint(1, 2)}, {"dilation_rate": r.randint(1, 2)}])
    return {"kernel_size": sizes(r, s, 2 if rank == 3 else 3), "padding": r.choice(["valid", "same"]), **way, **affine(r), **more}


def across(r, s):
    """Of transposed windows."""
    return {"kernel_size": sizes(r, s, 2), "strides": r.randint(1, 2), "padding": r.choice(["valid", "same"]), **affine(r)}


def pool(r, s):
    return {"pool_size": sizes(r, s, 2), "strides": r.choice([None, 1]), "padding": r.choice(["valid", "same"])}


def pairs(r, s):
    return tuple((r.randint(0, 1), r.randint(0, 1)) for _ in s[1:-1])


def fit_to(r, s):
    """A shape of as many numbers."""
    total = int(np.prod(s[1:]))
    least = next((n for n in (2, 3, 5) if total % n == 0), 1)
    return r.choice([(-1, least), (total,), (least, -1)])


def permuted(r, s):
    dims = list(range(1, len(s)))
    r.shuffle(dims)
    return tuple(dims)


def noise(r):
    return r.choice([0.0, 0.0, 0.5])


def attended(r, s):
    return L.MultiHeadAttention(2, 2, value_dim=r.choice([None, 3]), use_bias=flag(r))


ANY = {
    "Activation": lambda r, s: L.Activation(act(r)),
    "Dense": lambda r, s: L.Dense(r.randint(2, 4), activity_regularizer=r.choice([None, None, "l2"]), **affine(r)),
    "BatchNormalization": lambda r, s: L.BatchNormalization(momentum=0.75, axis=r.choice([-1, len(s) - 1, 1]), **scaling(r)),
    "LayerNormalization": lambda r, s: L.LayerNormalization(epsilon=0.015625, axis=r.choice([-1, 1]), **scaling(r)),
    "RMSNormalization": lambda r, s: L.RMSNormalization(epsilon=0.015625),
    "UnitNormalization": lambda r, s: L.UnitNormalization(axis=r.choice([-1, 1])),
    "GroupNormalization": lambda r, s: L.GroupNormalization(r.choice([1, -1]), epsilon=0.015625, **scaling(r)),
    "Dropout": lambda r, s: L.Dropout(noise(r)),
    "GaussianDropout": lambda r, s: L.GaussianDropout(noise(r)),
    "AlphaDropout": lambda r, s: L.AlphaDropout(noise(r)),
    "GaussianNoise": lambda r, s: L.GaussianNoise(noise(r)),
    "PReLU": lambda r, s: L.PReLU(alpha_initializer="ones", shared_axes=r.choice([None, list(range(1, len(s) - 1)) or None])),
    "ReLU": lambda r, s: L.ReLU(max_value=r.choice([None, 1.0]), negative_slope=r.choice([0.0, 0.25]), threshold=r.choice([0.0, 0.25])),
    "LeakyReLU": lambda r, s: L.LeakyReLU(negative_slope=r.choice([0.3, 0.125])),
    "ELU": lambda r, s: L.ELU(alpha=r.choice([1.0, 0.5])),
    "Softmax": lambda r, s: L.Softmax(axis=r.choice([-1, 1])),
    "Rescaling": lambda r, s: L.Rescaling(0.5, 0.125),
    "Flatten": lambda r, s: L.Flatten(),
    "Reshape": lambda r, s: L.Reshape(fit_to(r, s)),
    "Permute": lambda r, s: L.Permute(permuted(r, s)),
}
NUMBERS = {"RepeatVector": lambda r, s: L.RepeatVector(r.randint(2, 3))}
STEPS = {
    "Masking": lambda r, s: L.Masking(),
    "LSTM": lambda r, s: L.LSTM(r.randint(1, 3), **over_time(r, unit_forget_bias=flag(r))),
    "GRU": lambda r, s: L.GRU(r.randint(1, 3), **over_time(r, reset_after=flag(r))),
    "SimpleRNN": lambda r, s: L.SimpleRNN(r.randint(1, 4), **over_time(r)),
    "Bidirectional": lambda r, s: L.Bidirectional(cell(r, return_sequences=flag(r)), merge_mode=r.choice(["concat", "sum", "ave", "mul"])),
    "TimeDistributed": lambda r, s: L.TimeDistributed(r.choice([
        lambda: L.Dense(r.randint(1, 3), activation=act(r)), lambda: L.BatchNormalization(momentum=0.75),
        lambda: L.BatchNormalization(momentum=0.5), lambda: L.LayerNormalization(epsilon=0.015625), lambda: L.Dropout(0.0),
        lambda: L.RepeatVector(2), lambda: keras.Sequential([L.Dense(2), L.BatchNormalization(momentum=0.5)])])()),
    "MultiHeadAttention": attended,
    "SpatialDropout1D": lambda r, s: L.SpatialDropout1D(noise(r)),
    "Conv1D": lambda r, s: L.Conv1D(r.randint(1, 3), **{**window(r, s), "padding": r.choice(["valid", "same", "causal"])}),
    "Conv1DTranspose": lambda r, s: L.Conv1DTranspose(r.randint(1, 2), **across(r, s)),
    "SeparableConv1D": lambda r, s: L.SeparableConv1D(r.randint(1, 2), sizes(r, s), padding=r.choice(["valid", "same", "causal"])),
    "DepthwiseConv1D": lambda r, s: L.DepthwiseConv1D(sizes(r, s), depth_multiplier=r.randint(1, 2), padding=r.choice(["valid", "same", "causal"])),
    "MaxPooling1D": lambda r, s: L.MaxPooling1D(**pool(r, s)),
    "AveragePooling1D": lambda r, s: L.AveragePooling1D(**pool(r, s)),
    "GlobalMaxPooling1D": lambda r, s: L.GlobalMaxPooling1D(keepdims=flag(r, 0.25)),
    "GlobalAveragePooling1D": lambda r, s: L.GlobalAveragePooling1D(keepdims=flag(r, 0.25)),
    "UpSampling1D": lambda r, s: L.UpSampling1D(2),
    "ZeroPadding1D": lambda r, s: L.ZeroPadding1D((r.randint(0, 1), 1)),
    "Cropping1D": lambda r, s: L.Cropping1D((r.randint(0, 1), 1)),
}
IMAGES = {
    "Conv2D": lambda r, s: L.Conv2D(r.randint(1, 3), **window(r, s)),
    "Conv2DTranspose": lambda r, s: L.Conv2DTranspose(r.randint(1, 2), **across(r, s)),
    "DepthwiseConv2D": lambda r, s: L.DepthwiseConv2D(sizes(r, s), strides=r.randint(1, 2), depth_multiplier=r.randint(1, 2), activation=act(r)),
    "SeparableConv2D": lambda r, s: L.SeparableConv2D(r.randint(1, 2), sizes(r, s), padding=r.choice(["valid", "same"]), activation=act(r)),
    "MaxPooling2D": lambda r, s: L.MaxPooling2D(**pool(r, s)),
    "AveragePooling2D": lambda r, s: L.AveragePooling2D(**pool(r, s)),
    "GlobalMaxPooling2D": lambda r, s: L.GlobalMaxPooling2D(keepdims=flag(r, 0.25)),
    "GlobalAveragePooling2D": lambda r, s: L.GlobalAveragePooling2D(keepdims=flag(r, 0.25)),
    "UpSampling2D": lambda r, s: L.UpSampling2D((r.randint(1, 2), 2), interpolation=r.choice(["nearest", "bilinear"])),
    "ZeroPadding2D": lambda r, s: L.ZeroPadding2D(pairs(r, s)),
    "Cropping2D": lambda r, s: L.Cropping2D(pairs(r, s)),
    "SpatialDropout2D": lambda r, s: L.SpatialDropout2D(noise(r)),
}
VOLUMES = {
    "Conv3D": lambda r, s: L.Conv3D(r.randint(1, 2), **window(r, s)),
    "Conv3DTranspose": lambda r, s: L.Conv3DTranspose(r.randint(1, 2), **across(r, s)),
    "MaxPooling3D": lambda r, s: L.MaxPooling3D(**pool(r, s)),
    "AveragePooling3D": lambda r, s: L.AveragePooling3D(**pool(r, s)),
    "GlobalMaxPooling3D": lambda r, s: L.GlobalMaxPooling3D(keepdims=flag(r, 0.25)),
    "GlobalAveragePooling3D": lambda r, s: L.GlobalAveragePooling3D(keepdims=flag(r, 0.25)),
    "UpSampling3D": lambda r, s: L.UpSampling3D((1, 2, 1)),
    "ZeroPadding3D": lambda r, s: L.ZeroPadding3D(pairs(r, s)),
    "Cropping3D": lambda r, s: L.Cropping3D(pairs(r, s)),
    "SpatialDropout3D": lambda r, s: L.SpatialDropout3D(noise(r)),
}
BY_RANK = {2: {**ANY, **NUMBERS}, 3: {**ANY, **STEPS}, 4: {**ANY, **IMAGES}, 5: {**ANY, **VOLUMES}}


def join(r, x, y):
    """Layers of two inputs of one shape."""
    ways = [lambda: r.choice(MERGES)()([x, y]), lambda: r.choice(MERGES)()([y, x]),
            lambda: L.Concatenate(axis=r.choice([-1, 1]))([x, y]), lambda: L.Dot(-1, normalize=flag(r))([x, y])]
    if len(x.shape) == 3:
        ways += [lambda: L.Attention(use_scale=flag(r), score_mode=r.choice(["dot", "concat"]))([x, y]),
                 lambda: attended(r, x.shape)(x, y)]
    return r.choice(ways)()


def nested(r, x):
    """A model of its own, applied once or twice."""
    size = x.shape[-1]
    layers = [L.Dense(size, activation=act(r)), r.choice([L.BatchNormalization(momentum=0.75), L.Activation("tanh"), L.Dense(size)])]
    if flag(r):
        inner = keras.Sequential(layers)
    else:
        first = keras.Input(x.shape[1:])
        y = layers[1](layers[0](first))
        inner = keras.Model(first, L.Add()([first, y]) if flag(r) else y)
    if flag(r, 0.25):
        outer = keras.Sequential([inner, L.Rescaling(0.5)])
        return outer(x)
    return inner(inner(x)) if flag(r) else inner(x)


def shared(r, x):
    """A layer that is applied twice."""
    layer = L.Dense(x.shape[-1], activation=r.choice(["tanh", "sigmoid"]))
    return r.choice([lambda: layer(layer(x)), lambda: L.Add()([layer(x), layer(L.Rescaling(0.5)(x))])])()


def states(r, x):
    """Recurrent layers that give their states, and begin with those of others."""
    first = cell(r, return_state=True, return_sequences=flag(r))
    y, *after = first(x)
    again = type(first)(first.units, return_sequences=flag(r))(x, initial_state=after)
    return r.choice([lambda: L.Concatenate()([after[0], after[-1]]), lambda: y, lambda: again])()


def both_ways(r, x):
    """A pair that is not merged."""
    return L.Concatenate()(L.Bidirectional(cell(r, return_sequences=flag(r)), merge_mode=None)(x))


SPECIAL = {"nested": nested, "shared": shared, "states": states, "both ways": both_ways,
           "join": lambda r, x: join(r, x, L.Rescaling(0.75, 0.125)(x))}
JOINS = {cls.__name__: (lambda r, x, cls=cls: cls()([x, L.Dense(x.shape[-1], activation="tanh")(x)])) for cls in MERGES}
JOINS["Concatenate"] = lambda r, x: L.Concatenate(axis=r.choice([-1, 1]))([x, L.Rescaling(0.5)(x)])
JOINS["Dot"] = lambda r, x: L.Dot(-1, normalize=flag(r))([x, L.Dense(x.shape[-1])(x)])
JOINS["Attention"] = lambda r, x: L.Attention(use_scale=flag(r), score_mode=r.choice(["dot", "concat"]))([x, L.Dense(x.shape[-1])(x)])
# Layers that were added after the 300 networks were drawn, the newest last: the rank of the input, or None for any, and the layer
# applied to an input. Two forms of it:
#   "ELU": (None, lambda r, x: L.ELU(alpha=r.choice([1.0, 0.5]))(x)),
#   "Attention": (3, lambda r, x: L.Attention(use_scale=flag(r))([x, L.Dense(x.shape[-1])(x)])),
LATER = {}
# What a model must have, by turns: (rank, name); Embedding is of words.
MUST = [(0, "Embedding")] + [(2, name) for name in NUMBERS] + [(rank, name) for rank, table in ((3, STEPS), (4, IMAGES), (5, VOLUMES)) for name in table]
MUST += [(None, name) for name in ANY] + [(3 if name == "Attention" else None, name) for name in JOINS]
MUST += [(3 if name in ("states", "both ways") else None, name) for name in SPECIAL]
MUST_LATER = [(rank, name) for name, (rank, _) in LATER.items() for _ in range(EACH)]


def step(r, x, name=None):
    """One more layer, or that one."""
    table = BY_RANK.get(len(x.shape), ANY)
    for _ in range(8):
        try:
            if name in LATER:
                y = LATER[name][1](r, x)
            elif name in SPECIAL or name in JOINS:
                y = {**SPECIAL, **JOINS}[name](r, x)
            elif name is None and flag(r, 0.2):
                y = r.choice([nested, shared, SPECIAL["join"], *([states, both_ways] if len(x.shape) == 3 else [])])(r, x)
            else:
                layer = table[name or r.choice(sorted(table))](r, tuple(x.shape))
                y = layer(x, x) if isinstance(layer, L.MultiHeadAttention) else layer(x)
        except ValueError:
            continue
        if 0 < np.prod(y.shape[1:]) <= 48 and len(y.shape) > 1:
            return y
    return x


def start(r, kind):
    shape = {0: (r.randint(2, 5),), 2: (r.randint(2, 5),), 3: (r.randint(2, 4), r.randint(2, 4)),
             4: (r.randint(2, 4), r.randint(2, 4), r.randint(1, 3)), 5: (2, r.randint(2, 3), 2, r.randint(1, 2))}[kind]
    first = keras.Input(shape)
    if kind == 0:
        return first, L.Embedding(WORDS, r.randint(1, 3), mask_zero=flag(r))(first)
    return first, first


def head(r, x):
    """The last layer, with a loss and metrics that suit it."""
    if len(x.shape) > 2 and (flag(r, 0.75) or len(x.shape) > 3):
        x = L.Flatten()(x)
    numbers = lambda: (L.Dense(r.randint(1, 3), activation=r.choice(["linear", "sigmoid", "tanh"]))(x), "numbers",  # noqa: E731
                       r.choice(["mse", "mae", "huber", "log_cosh", "hinge", "squared_hinge", "cosine_similarity", "poisson", "msle"]),
                       ["mae", "mse", "root_mean_squared_error", "cosine_similarity"])
    classes = lambda kind, loss, metrics: (  # noqa: E731
        L.Softmax()(L.Dense(3)(x)) if flag(r, 0.25) else L.Dense(3, activation="softmax")(x), kind, loss, metrics)

    def binary():
        units = r.randint(1, 2)
        counts = ["precision", "recall", "auc"] if units == 1 and len(x.shape) == 2 else []
        return L.Dense(units, activation="sigmoid")(x), "binary", "binary_crossentropy", ["accuracy", "binary_accuracy", *counts]

    return r.choice([
        numbers, binary,
        lambda: classes("classes", "categorical_crossentropy", ["accuracy", "categorical_accuracy", "kl_divergence"]),
        lambda: classes("sparse", "sparse_categorical_crossentropy", ["accuracy", "sparse_categorical_accuracy"]),
    ])()


def build(r, must):
    kind = must[0] if must[0] is not None else r.choice([2, 3, 4] if must[1] != "Dot" else [2, 3])
    first, x = start(r, kind)
    inputs = [first]
    if must[1] != "Embedding":
        x = step(r, x, must[1])
    if flag(r, 0.15):
        other, y = start(r, r.choice([2, 3]))
        inputs.append(other)
        x = L.Concatenate()([L.Flatten()(x), L.Flatten()(step(r, y))])
    for _ in range(r.randint(0, 3)):
        y = step(r, x)
        if tuple(y.shape) == tuple(x.shape) and y is not x and flag(r, 0.3):
            y = join(r, x, y)
            y = y if len(y.shape) > 1 and np.prod(y.shape[1:]) <= 48 else x
        x = y
    heads = [head(r, x) for _ in range(2 if flag(r, 0.2) else 1)]
    outputs = [output for output, *_ in heads]
    model = keras.Model(inputs if len(inputs) > 1 else first, outputs if len(outputs) > 1 else outputs[0])
    return kind, model, heads


def every(layer):
    return [layer, *(each for inner in getattr(layer, "_layers", []) for each in every(inner))]


def plan_of(r, model, heads, kind):
    """What compile and fit are given, in Keras's spelling."""
    random_layers = any((getattr(layer, "rate", 0) or getattr(layer, "stddev", 0)) for layer in every(model))
    metrics, weighted = [], []
    for _, _, _, names in heads:
        chosen = r.sample(names, r.randint(0, 2))
        metrics.append(chosen)
        weighted.append([] if chosen else r.sample(names, 1))
    plan = {"loss": [loss for _, _, loss, _ in heads], "metrics": metrics, "weighted_metrics": weighted,
            "loss_weights": [r.choice([0.5, 1.0, 2.0]) for _ in heads] if len(heads) > 1 else None,
            "labels": [labels for _, labels, _, _ in heads]}
    weights = r.choice([None, "sample", "class"])
    if weights == "class" and (len(heads) > 1 or plan["labels"][0] == "numbers" or len(model.outputs[0].shape) > 2
                               or plan["labels"][0] == "binary" and model.outputs[0].shape[-1] > 1):
        weights = "sample"
    if any(len(output.shape) > 2 for output in model.outputs):
        weights = None  # Keras multiplies [batch, time] by [batch]
    split = r.choice([None, 0.25, 0.375])
    plan["fit"] = {"weights": weights, "validation_split": split}
    plan["trains"] = not random_layers
    plan["optimizer"] = PLAIN if kind == 0 else r.choice([PLAIN, *OPTIMIZERS])
    return plan


CLASS_WEIGHT = {0: 0.5, 1: 2.0, 2: 1.25}


def weight(draws, variable):
    values = draws.array(variable.shape).astype(np.float64) / 4
    return np.abs(values) + 0.75 if variable.name in ("gamma", "moving_variance") else values


def labels_of(draws, kind, shape):
    """Numbers, or classes by number or as one of many."""
    if kind == "numbers":
        return draws.array(shape).astype(np.float64)
    classes = 2 if kind == "binary" else shape[-1]
    outer = shape if kind == "binary" else shape[:-1]
    found = np.array([(draws.next() >> 8) % classes for _ in range(int(np.prod(outer)))]).reshape(outer)
    return np.eye(classes)[found] if kind == "classes" else found.astype(np.float64)


def given_of(seed, model, plan, words, holes):
    draws = Draws(seed)
    weights = [weight(draws, v) for v in model.weights]
    xs = []
    for symbol in model.inputs:
        shape = (SAMPLES, *symbol.shape[1:])
        if words and not xs:
            xs.append(np.array([(draws.next() >> 8) % WORDS for _ in range(int(np.prod(shape)))], np.float64).reshape(shape))
            continue
        x = draws.array(shape).astype(np.float64)
        if holes and not xs:
            rows, steps = np.indices(shape[:2])
            x[(rows + 2 * steps) % 3 == 0] = 0
        xs.append(x)
    ys = [labels_of(draws, kind, (SAMPLES, *output.shape[1:])) for kind, output in zip(plan["labels"], model.outputs)]
    samples = [np.abs(draws.array((SAMPLES,)).astype(np.float64)) + 0.25 for _ in ys] if plan["fit"]["weights"] == "sample" else None
    return weights, xs, ys, samples


def one(values):
    return values[0] if len(values) == 1 else values


def is_compared(key):
    """Losses of one of several outputs are means over batches in graphs and over samples without: layers-fit.test.js has them."""
    return key in ("loss", "val_loss") or not key.endswith("_loss")


def run(model, plan, weights, xs, ys, samples):
    """All that is recorded."""
    model.set_weights(weights)
    found = [(f"prediction {i}", np.asarray(y)) for i, y in enumerate(many(model(one(xs), training=False)))]
    options = {key: (value if len(plan["loss"]) > 1 else value and value[0]) for key, value in plan.items() if key in ("metrics", "weighted_metrics", "loss_weights", "loss")}

    def compiled(optimizer):
        model.compile(optimizer=keras.optimizers.deserialize(json.loads(json.dumps(optimizer))), jit_compile=False, run_eagerly=True, **json.loads(json.dumps(options)))

    compiled({"class_name": "SGD", "config": {"learning_rate": 1.0}})
    if plan["trains"]:
        model.train_on_batch(one(xs), one(ys), sample_weight=samples and one(samples))
        after = model.get_weights()
        trained = {id(v) for v in model.trainable_variables}
        for v, a, b in zip(model.weights, after, weights):
            if id(v) in trained:
                found.append((f"step of {v.path}", np.asarray(a) - b))
            elif not np.array_equal(np.float32(a), np.float32(b)):
                found.append((f"moved {v.path}", np.asarray(a)))
        model.set_weights(weights)
        compiled(plan["optimizer"])
        fit = {"epochs": 1, "batch_size": BATCH, "shuffle": False, "verbose": 0, "validation_split": plan["fit"]["validation_split"] or 0.0}
        if plan["fit"]["weights"] == "class":
            fit["class_weight"] = CLASS_WEIGHT
        elif samples:
            fit["sample_weight"] = one(samples)
        history = model.fit(one(xs), one(ys), **fit).history
        found += [(f"history {key}", np.array(values, np.float64)) for key, values in history.items() if is_compared(key)]
        found += [("weights", np.concatenate([np.reshape(w, -1) for w in model.get_weights()] or [np.zeros(0)]))]
    else:
        logs = model.evaluate(one(xs), one(ys), batch_size=BATCH, sample_weight=samples and one(samples), verbose=0, return_dict=True)
        found += [(f"history {key}", np.array([value], np.float64)) for key, value in logs.items() if is_compared(key)]
    return found


def nudged(source, values, whole):
    """Each number up or down by that share; whole numbers stay."""
    return [v if whole else v * (1 + NUDGE * source.choice([-1.0, 1.0], v.shape)) for v in values]


def bare(value, counts):
    """What Keras's JSON has of a model, and how often it has each object."""
    if isinstance(value, list):
        return [bare(each, counts) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: bare(each, counts) for key, each in value.items() if key not in ("build_config", "compile_config")}
    counts[json.dumps(found)] += 1
    return found


def pooled(value, counts, parts):
    """Objects that occur more than once are kept once. Without counts, those that are kept already."""
    if isinstance(value, list):
        return [pooled(each, counts, parts) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: pooled(each, counts, parts) for key, each in value.items()}
    if counts is None:
        text = json.dumps(found)
        return f"@{parts[text]}" if text in parts else found
    if counts[json.dumps(value)] == 1:
        return found
    return f"@{parts.setdefault(json.dumps(found), len(parts))}"


def network(seed, must):
    def make():
        r = random.Random(seed)
        kind, model, heads = build(r, must)
        plan = plan_of(r, model, heads, kind)
        frozen = [layer.name for layer in model.layers if layer.weights and flag(r, 0.15)
                  and not any(getattr(inner, "kernel_regularizer", None) for inner in every(layer))]
        for name in frozen:
            model.get_layer(name).trainable = False
        return kind, model, plan

    with precision("float32"):
        _, coarse, _ = make()
        written = json.loads(coarse.to_json())
    # TensorFlow pools volumes in f32 alone; x - tanh(x) needs more than that.
    text = json.dumps(written)
    is_rough = '"AveragePooling3D"' in text or "MaxPooling3D" in text
    if is_rough and "tanh_shrink" in text:
        return None
    with precision("float32" if is_rough else "float64"):
        kind, model, plan = make()
        if not model.trainable_variables:
            return None
        holes = any(isinstance(layer, L.Masking) for layer in every(model)) and len(model.inputs[0].shape) == 3
        weights, xs, ys, samples = given_of(seed, model, plan, kind == 0, holes)
        found = run(model, plan, weights, xs, ys, samples)
        if not all(np.isfinite(value).all() for _, value in found):
            return None
        source = np.random.default_rng(seed)
        other = dict(run(
            model, plan, nudged(source, weights, False), nudged(source, xs[:1], kind == 0) + nudged(source, xs[1:], False),
            [y if labels != "numbers" else nudged(source, [y], False)[0] for y, labels in zip(ys, plan["labels"])], samples))
        moved = [np.max(np.abs(value - other[name]), initial=0) for name, value in found]
    with precision("float32"):
        rounded = dict(run(coarse, plan, weights, xs, ys, samples))
    is_cancelling = "tanh_shrink" in text
    results = []
    for (name, value), change in zip(found, moved):
        scale = float(np.max(np.abs(value), initial=0) + change / NUDGE)
        # A step is the difference of two weights, of which one was rounded; they are below 2.
        off = np.max(np.abs(value - rounded.get(name, value)), initial=0) / UNIT - 2
        if scale > LARGEST or (off > MOST * max(scale, LEAST) and not is_cancelling):
            return None
        results.append([name, np.asarray(value, np.float32), float(f"{1.05 * scale:.1e}")])
    return {"seed": seed, "words": kind == 0, "holes": holes, **plan, "model": written, "results": results}


def row_of(i):
    """The row of an index: the first seed whose model can be compared."""
    must = MUST[i % len(MUST)] if i < COUNT else MUST_LATER[i - COUNT]
    for attempt in range(20):
        try:
            row = network(1000 * attempt + i, must)
        except (tf.errors.OpError, ValueError) as error:  # what TensorFlow lacks, and Keras finds out late
            print(str(error)[:300], file=sys.stderr)
            continue
        if row:
            return row
    raise ValueError(f"no model with {must}")


def drawn(indices, counts):
    # Processes of their own, so that TensorFlow starts in each.
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for n, row in enumerate(pool.imap(row_of, indices), 1):
            print(f"{n} of {len(indices)}", file=sys.stderr, flush=True)
            yield {**row, "model": bare(row["model"], counts)}


def drawn_later(parts):
    rows = drawn(range(COUNT, COUNT + len(MUST_LATER)), collections.Counter())
    return [{**row, "model": pooled(row["model"], None, parts)} for row in rows]


def write_later():
    """Networks of LATER alone: other lines stay."""
    text = (HERE / "networks.json").read_text()
    parts = {json.dumps(part): i for i, part in enumerate(json.loads(text)["parts"])}
    head, lines = text.removesuffix("\n ]\n}\n").split(' "networks": [\n')
    lines = lines.split(",\n")[:COUNT] + ["  " + compact(row) for row in drawn_later(parts)]
    (HERE / "networks.json").write_text(head + ' "networks": [\n' + ",\n".join(lines) + "\n ]\n}\n")


def write_networks(count=COUNT):
    counts, parts = collections.Counter(), {}
    rows = [{**row, "model": pooled(row["model"], counts, parts)} for row in list(drawn(range(count), counts))]
    rows += drawn_later(parts)
    head = {"versions": VERSIONS, "samples": SAMPLES, "batchSize": BATCH, "words": WORDS,
            "classWeight": {str(label): value for label, value in CLASS_WEIGHT.items()},
            "parts": [json.loads(text) for text in parts]}
    write("networks.json", head, "networks", rows)


if __name__ == "__main__":
    if sys.argv[1:] == ["later"]:
        write_later()
    else:
        write_networks(*map(int, sys.argv[1:]))
