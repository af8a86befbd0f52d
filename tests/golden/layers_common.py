"""What the files of layers share: a case is a layer with its configuration, made twice.

In f32, for what Keras writes about it: its configuration, and its weights by name, shape and what they begin with. In f64, for what it
computes: outputs, gradients of sum(outputs * cotangents) by the inputs and the trainable weights, and the other weights
after the call. Weights, inputs and cotangents are drawn from one seed, in that order, in Python as in JavaScript.

Beside each result lies its scale, from which the tests derive how far f32 may be off: the largest, over the elements r
of that result, of |r| + sum |dr/dv * v| over everything v that the case was given. That is what relative errors of
what was given, and of the terms of sums, are multiplied by.

layers-NAME.json is written by layers_NAME.py, alone or by generate.py, which `make golden` runs.
Alone, in minutes (Keras takes 2 GB):

    python3 -m venv build/golden && build/golden/bin/pip install -r tests/golden/requirements.txt
    build/golden/bin/python tests/golden/layers_norm.py
"""

import contextlib
import inspect

from unittest import mock

from common import VERSIONS, Draws, keras, np, tf, write
from draws import recorded

layers = keras.layers
# What stands for open sizes: the batch's, and others.
BATCH = 2
OPEN = 4


@contextlib.contextmanager
def precision(name):
    """Layers made inside are of that type of numbers, and are named as if they were the first."""
    keras.backend.clear_session()
    floatx = keras.config.floatx()
    keras.config.set_floatx(name)
    keras.config.set_dtype_policy(name)
    try:
        yield
    finally:
        keras.config.set_floatx(floatx)
        keras.config.set_dtype_policy(floatx)


@contextlib.contextmanager
def noted():
    """What weights that are made inside begin with: a draw as recorded() says it, "orthogonal", or values; by id."""
    initial = {}
    add_weight = layers.Layer.add_weight

    def add(self, *args, **options):
        before = len(calls)
        weight = add_weight(self, *args, **options)
        values = {"values": np.asarray(weight.numpy())}
        initial[id(weight)] = calls[before] if len(calls) > before else values
        if isinstance(options.get("initializer"), keras.initializers.Orthogonal):
            initial[id(weight)] = "orthogonal"
        return weight

    with recorded() as calls, mock.patch.object(layers.Layer, "add_weight", add):
        yield initial


def plain(value):
    """As JSON has it."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items() if key != "build_config"}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    return value.item() if isinstance(value, np.generic) else value


def given_values(draws, shape, name=""):
    """What a weight begins with; a variance is no less than 0.5."""
    values = draws.array(shape).astype(np.float64)
    return np.abs(values) + 0.5 if name.endswith("variance") else values


def many(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def masked(layer, inputs, mask=None, **options):
    """Masks that come with the inputs, where a layer has no argument for them."""
    for x, m in zip(inputs, mask or []):
        keras.src.backend.set_keras_mask(x, m)
    return layer(inputs, **options)


def scale_of(tape, result, leaves):
    """The largest |r| + sum |dr/dv * v| over the elements r of a result."""
    flat = tf.abs(tf.reshape(result, [-1]))
    total = flat
    for jacobian, leaf in zip(tape.jacobian(result, leaves, experimental_use_pfor=False), leaves):
        if jacobian is not None:
            moved = tf.reshape(tf.abs(jacobian), [flat.shape[0], -1])
            total += tf.linalg.matvec(moved, tf.abs(tf.reshape(leaf, [-1])))
    # Two digits, rounded up.
    return float(f"{1.05 * float(tf.reduce_max(total)):.1e}") if flat.shape[0] else 0.0


def row_of(seed, make, shapes, about="", training=False, mask=None, given=None, call=None, apply=None):
    """
    make: gives the layer. shapes: one of the input, or a list of them, each with the batch, which may be None.
    mask: of the inputs, as lists of 0 and 1. given: values of inputs that cannot be drawn, such as indices: these have no
    gradients. call: further arguments of the call. apply: how the layer takes a list of inputs, where Keras's is not called
    with the list.
    """
    apply = apply or (lambda layer, inputs, **options: layer(inputs, **options))
    is_list = isinstance(shapes, list)
    shapes = shapes if is_list else [shapes]
    one = lambda values: values if is_list else values[0]  # noqa: E731
    with precision("float32"), noted() as initial:
        layer = make()
        symbol = apply(layer, one([keras.Input(batch_shape=shape) for shape in shapes]), **(call or {}))
        written = plain(keras.saving.serialize_keras_object(layer))
        weights = [[w.path, list(w.shape), w.trainable, initial[id(w)]] for w in layer.weights]
        output_shapes = [list(s.shape) for s in many(symbol)]
    with precision("float64"):
        layer = make()
        apply(layer, one([keras.Input(batch_shape=shape) for shape in shapes]), **(call or {}))
        draws = Draws(seed)
        layer.set_weights([given_values(draws, w.shape, w.name) for w in layer.weights])
        sizes = [[BATCH if a == 0 else size or OPEN for a, size in enumerate(shape)] for shape in shapes]
        values = [draws.array(size) for size in sizes]
        inputs = [tf.constant(v, tf.float64) for v in (given or values)]
        options = dict(call or {})
        if mask is not None:
            options["mask"] = one([m if m is None else tf.constant(np.array(m, bool)) for m in (mask if is_list else [mask])])
        if training:
            options["training"] = True
        trained = [] if given else list(inputs)
        trained += [w.value for w in layer.trainable_weights]
        before = [w.numpy() for w in layer.weights]
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(inputs)
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                outputs = many(apply(layer, one(inputs), **options))
            cotangents = [tf.constant(draws.array(y.shape), tf.float64) for y in outputs]
            outer.watch(cotangents)
            leaves = [*inputs, *[w.value for w in layer.trainable_weights], *cotangents]
            gradients = tape.gradient(outputs, trained, output_gradients=cotangents)
        after = [w.numpy() for w in layer.weights]
        found = [keras.src.backend.get_keras_mask(y) for y in outputs]

        def result(value):
            return [np.asarray(value).astype(np.float32), scale_of(outer, value, leaves)]

        moved = [[i, a.astype(np.float32)] for i, (a, b) in enumerate(zip(after, before)) if not np.array_equal(a, b)]
        row = {
            "layer": written,
            "about": about,
            "seed": seed,
            "shapes": [list(shape) for shape in shapes],
            "isList": is_list,
            "training": training,
            "weights": weights,
            "outputShapes": output_shapes,
            "outputs": [result(y) for y in outputs],
            "gradients": [None if g is None else result(tf.convert_to_tensor(g)) for g in gradients],
        }
        if any(m is not None for m in found):
            row["outputMasks"] = [m if m is None else m.numpy().astype(int).tolist() for m in found]
        if moved:
            row["moved"] = moved
        if mask is not None:
            row["mask"] = mask
        if given:
            row["given"] = given
        if call:
            row["call"] = call
        outer = None
        return row


def standard_of(make):
    """What Keras writes of a layer of that class that is given nothing but what it needs."""
    with precision("float32"):
        layer = make()
        config = layer.get_config()
        kind = type(layer)
        needed = [
            name
            for name, parameter in list(inspect.signature(kind.__init__).parameters.items())[1:]
            if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        keras.backend.clear_session()
        layer = kind(**{key: keras.saving.deserialize_keras_object(config[key]) for key in needed})
        written = plain(keras.saving.serialize_keras_object(layer))
    return [kind.__name__, {key: written["config"][key] for key in needed}, written]


def write_layers(name, cases):
    """cases: arguments of row_of, without the seed, as (make, shapes) or (make, shapes, options)."""
    rows = []
    for seed, (make, shapes, *rest) in enumerate(cases, 1):
        try:
            rows.append(row_of(seed, make, shapes, **(rest[0] if rest else {})))
        except Exception as error:
            error.add_note(f"in case {seed} of {len(cases)}: {make().__class__.__name__}, {shapes}, {rest}")
            raise
    standards = {entry[0]: entry for entry in (standard_of(make) for make, *_ in cases)}
    head = {
        "versions": VERSIONS,
        "standards": list(standards.values()),
        "batch": BATCH,
        "open": OPEN,
        "layout": "standards: a class, what it needs, what Keras writes of it; of each seed: weights, inputs, cotangents; outputs and gradients (by inputs, then by trainable weights) "
        "are [values, scale]; moved: [index of a weight, values after the call]",
    }
    write(f"layers-{name}.json", head, "cases", rows)
