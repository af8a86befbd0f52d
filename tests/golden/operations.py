"""operations.json: functional models with Keras's ops between their layers, as to_json() writes them.

Each row is a function of inputs, made a model twice: in f32 for its JSON, which Keras reads again and which then computes the
same, and in f64 for values, gradients by inputs and weights, and scales (layers_common.py). Weights, inputs and cotangents are
drawn from the row's seed, in that order.
"""

import json

from common import VERSIONS, Draws, keras, np, tf, write
from layers_common import BATCH, OPEN, given_values, layers, many, plain, precision, scale_of

ops = keras.ops
ROW = [(None, 4)]
TWO = [(None, 4), (None, 4)]
IMAGE = [(None, 3, 4)]
OPEN_STEPS = [(None, None, 4)]


def numbers(*values):
    return np.array(values, keras.config.floatx())


def positive(x):
    return ops.absolute(x) + 0.5


OPERATORS = [
    ("x + y", TWO, lambda x, y: x + y),
    ("x - y", TWO, lambda x, y: x - y),
    ("x * y", TWO, lambda x, y: x * y),
    ("x / (|y| + 0.5)", TWO, lambda x, y: x / positive(y)),
    ("1 - x * 2.0", ROW, lambda x: 1 - x * 2.0),
    ("2.0 / (|x| + 0.5)", ROW, lambda x: 2.0 / positive(x)),
    ("-x", ROW, lambda x: -x),
    ("abs(x)", ROW, lambda x: abs(x)),
    ("x // 0.5 + x % 0.75", ROW, lambda x: x // 0.5 + x % 0.75),
    ("x ** 2", ROW, lambda x: x**2),
    ("2 ** x", ROW, lambda x: 2**x),
    ("(|x| + 0.5) ** y", TWO, lambda x, y: positive(x) ** y),
    ("x @ matrix", ROW, lambda x: x @ numbers([1, 2], [0.5, -1], [3, 0], [0, -2])),
    ("x + row", ROW, lambda x: x + numbers(1, -2, 3, 0.25)),
    ("where x > 0", ROW, lambda x: ops.where(x > 0, x, 0.25 * x)),
    ("where x <= y and not y < -1", TWO, lambda x, y: ops.where(ops.logical_and(x <= y, ops.logical_not(y < -1.0)), x, y * 2)),
    ("where x >= 0 or x != y", TWO, lambda x, y: ops.where(ops.logical_or(x >= 0.0, x != y), x, 3.0)),
]
ITEMS = [
    ("x[:, 0]", ROW, lambda x: x[:, 0]),
    ("x[:, -1]", ROW, lambda x: x[:, -1]),
    ("x[:, 1:3]", ROW, lambda x: x[:, 1:3]),
    ("x[:, -2:]", IMAGE, lambda x: x[:, -2:]),
    ("x[:, ::2, 1:]", IMAGE, lambda x: x[:, ::2, 1:]),
    ("x[:, ::-1]", IMAGE, lambda x: x[:, ::-1]),
    ("x[..., None]", ROW, lambda x: x[..., None]),
    ("x[..., -1]", IMAGE, lambda x: x[..., -1]),
    ("x[:, None, 1]", IMAGE, lambda x: x[:, None, 1]),
    ("x[:, -1] of open steps", OPEN_STEPS, lambda x: x[:, -1]),
    ("x[:, 1:] - x[:, :-1]", OPEN_STEPS, lambda x: x[:, 1:] - x[:, :-1]),
]
REDUCED = [
    (f"{name} {axis} {keepdims}", IMAGE, lambda x, f=getattr(ops, name), a=axis, k=keepdims: f(x, axis=a, keepdims=k))
    for name in ["mean", "sum", "max", "min", "prod", "var"]
    for axis, keepdims in [(-1, False), ((1, 2), True)]
] + [
    ("x - mean", OPEN_STEPS, lambda x: x - ops.mean(x, axis=1, keepdims=True)),
    ("x * sum of all", ROW, lambda x: x * ops.sum(x)),
    ("where any of x > 1", IMAGE, lambda x: ops.where(ops.any(x > 1, axis=-1, keepdims=True), x, -x)),
    ("where all of x > -1", IMAGE, lambda x: ops.where(ops.all(x > -1, axis=-1, keepdims=True), x, -x)),
    ("argmax, argmin", IMAGE, lambda x: x[:, 0] * ops.cast(ops.argmax(x, axis=1) - ops.argmin(x, axis=1), keras.config.floatx())),
]
SHAPED = [
    ("reshape", IMAGE, lambda x: ops.reshape(x, (-1, 2, 6))),
    ("transpose", IMAGE, lambda x: ops.matmul(x, ops.transpose(x, (0, 2, 1)))),
    ("expand_dims, squeeze", ROW, lambda x: [ops.expand_dims(x, 1), ops.squeeze(ops.expand_dims(x, -1), -1)]),
    ("concatenate", TWO, lambda x, y: ops.concatenate([x, y, x], axis=-1)),
    ("concatenate along steps", IMAGE + OPEN_STEPS, lambda x, y: ops.concatenate([x, y], axis=1)),
    ("stack", TWO, lambda x, y: ops.stack([x, y], axis=1)),
    ("unstack", IMAGE, lambda x: (lambda a, b, c: [a * c, b])(*ops.unstack(x, axis=1))),
    ("flip", IMAGE, lambda x: ops.flip(x, axis=1)),
    ("tile", IMAGE, lambda x: ops.tile(x, (1, 2, 1))),
    ("cumsum", IMAGE, lambda x: ops.cumsum(x, axis=1)),
    ("einsum", IMAGE + IMAGE, lambda x, y: ops.einsum("bij,bkj->bik", x, y)),
    ("cast to whole numbers", ROW, lambda x: x * ops.cast(ops.cast(x * 4, "int32"), keras.config.floatx())),
    ("cast to bool", ROW, lambda x: ops.where(ops.cast(ops.relu(x), "bool"), x, 2.0)),
]
EACH = [
    (name, ROW, lambda x, f=getattr(ops, name): f(x))
    for name in ["relu", "relu6", "sigmoid", "silu", "softmax", "log_softmax", "softplus", "tanh", "elu", "selu",
                 "leaky_relu", "hard_sigmoid", "hard_silu", "gelu", "exp", "expm1", "square", "sin", "cos", "erf"]
] + [
    (f"{name} of |x| + 0.5", ROW, lambda x, f=getattr(ops, name): f(positive(x)))
    for name in ["log", "log1p", "sqrt", "rsqrt", "reciprocal"]
] + [
    (name, ROW, lambda x, f=getattr(ops, name): x * f(x)) for name in ["floor", "ceil", "round", "sign", "stop_gradient"]
] + [
    ("gelu without approximation", ROW, lambda x: ops.gelu(x, approximate=False)),
    ("softmax along steps", IMAGE, lambda x: ops.softmax(x, axis=1)),
    ("clip", ROW, lambda x: ops.clip(x, -0.5, 0.75)),
    ("maximum, minimum", TWO, lambda x, y: ops.maximum(x, 0.0) - ops.minimum(x, y)),
]


def residual(x):
    y = layers.Dense(4, activation="relu", name="first")(x * 0.5)
    return layers.Dense(3, name="last")(x + y)


def gated(x):
    dense = layers.Dense(4, name="both")
    return [dense(x) * ops.sigmoid(dense(-x)), ops.mean(x, axis=-1, keepdims=True)]


def attended(x):
    query, key = layers.Dense(2, name="query")(x), layers.Dense(2, name="key")(x)
    scores = ops.softmax(ops.matmul(query, ops.transpose(key, (0, 2, 1))) / 2**0.5)
    return ops.squeeze(ops.sum(ops.matmul(scores, x), axis=1, keepdims=True), axis=1)


def normalized(x):
    mean = ops.mean(x, axis=-1, keepdims=True)
    return layers.LSTM(2, name="lstm")((x - mean) / ops.sqrt(ops.var(x, axis=-1, keepdims=True) + 0.125))[:, None, :]


NETWORKS = [
    ("a residual block", ROW, residual),
    ("a layer that is called twice", ROW, gated),
    ("attention by hand", IMAGE, attended),
    ("steps that are normalized by hand", OPEN_STEPS, normalized),
]
CASES = [*OPERATORS, *ITEMS, *REDUCED, *SHAPED, *EACH, *NETWORKS]


def model_of(shapes, call):
    inputs = [keras.Input(batch_shape=shape, name=f"x{i}") for i, shape in enumerate(shapes)]
    return keras.Model(inputs if len(inputs) > 1 else inputs[0], call(*inputs))


def row_of(seed, about, shapes, call):
    with precision("float32"):
        model = model_of(shapes, call)
        written = model.to_json()
        again = keras.models.model_from_json(written)
        again.set_weights(model.get_weights())
        sizes = [[BATCH if a == 0 else size or OPEN for a, size in enumerate(shape)] for shape in shapes]
        sample = [np.linspace(-2, 2, int(np.prod(size)), dtype=np.float32).reshape(size) for size in sizes]
        one = sample if len(sample) > 1 else sample[0]
        assert all(np.array_equal(a, b) for a, b in zip(many(model(one)), many(again(one)))), about
    with precision("float64"):
        model = model_of(shapes, call)
        draws = Draws(seed)
        model.set_weights([given_values(draws, w.shape, w.name) for w in model.weights])
        inputs = [tf.constant(draws.array(size), tf.float64) for size in sizes]
        sources = [*inputs, *[w.value for w in model.trainable_weights]]
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(inputs)
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                outputs = many(model(inputs if len(inputs) > 1 else inputs[0]))
            cotangents = [tf.constant(draws.array(y.shape), tf.float64) for y in outputs]
            outer.watch(cotangents)
            leaves = [*sources, *cotangents]
            gradients = tape.gradient(outputs, sources, output_gradients=cotangents)

        def result(value):
            return [np.asarray(value).astype(np.float32), scale_of(outer, value, leaves)]

        return {
            "about": about,
            "seed": seed,
            "model": plain(json.loads(written)),
            "outputs": [result(y) for y in outputs],
            "gradients": [None if g is None else result(tf.convert_to_tensor(g)) for g in gradients],
        }


def write_operations():
    rows = [row_of(seed, *case) for seed, case in enumerate(CASES, 1)]
    write("operations.json", {"versions": VERSIONS, "batch": BATCH, "open": OPEN}, "models", rows)


if __name__ == "__main__":
    write_operations()
